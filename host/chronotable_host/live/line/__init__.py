"""The line to a table: its port, found and kept open, and what is heard on it."""
