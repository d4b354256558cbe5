"""The rules of the game as people read them, numbered: one Markdown file for each part of it."""
