"""A games night: people in a room, their seats, the game that they play, and the pages for it."""
