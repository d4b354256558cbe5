"""Persons who examine tables with faults, or leave, and what the doctor should have found."""
