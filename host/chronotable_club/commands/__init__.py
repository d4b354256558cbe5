"""The commands of clubs: `club`."""
