"""What is said of a table: happenings, lights, faults, places."""
