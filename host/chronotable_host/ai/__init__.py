"""The built-in player: what it thinks of a position, and how it looks ahead."""
