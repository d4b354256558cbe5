"""The PC's end of the link: what it sends, and how it reads what the table says."""
