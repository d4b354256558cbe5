"""The table's own game as one of a games night: two phones, no secrets, the standard rules."""
