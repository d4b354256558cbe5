"""What the table shows, and its sounds."""
