"""The page: the game live in a browser, a virtual table to play at, the archive to leaf through."""
