"""The table's end of the line to a PC."""
