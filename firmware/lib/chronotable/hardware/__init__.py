"""How a table is wired, and what its reeds and buttons say."""
