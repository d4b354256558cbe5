"""Every budget of the table, measured and printed; nothing here asserts anything."""
