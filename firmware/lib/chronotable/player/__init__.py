"""Who plays the sides, and the table's own player."""
