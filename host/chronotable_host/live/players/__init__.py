"""Who plays at a table, and what leads them: seats, clocks, questions, hints, lessons."""
