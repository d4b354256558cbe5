"""The commands of games far apart: `invite` and `join`."""
