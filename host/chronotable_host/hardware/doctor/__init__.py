"""The doctor: what is wrong between a table and its players, and what to do about it."""
