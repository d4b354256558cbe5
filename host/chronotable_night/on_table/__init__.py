"""The game of a night on the table of reeds and lights: shown there, and led by its lights."""
