"""Circuit boards of a table, from its board file: parts, copper, and the files to order them by."""
