"""Board files, the sensors they describe, and their picture."""
