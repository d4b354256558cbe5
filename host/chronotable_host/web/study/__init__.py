"""What the page has of the archive: games, analyses, puzzles, lessons."""
