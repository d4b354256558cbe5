"""Who examines tables with faults, or leaves them alone, and what their doctor should have said."""
