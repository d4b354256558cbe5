"""The server of the page: who gets in, what is sent, sockets, files."""
