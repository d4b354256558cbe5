"""People who play at a table, careful and careless ones, and what came of their games."""
