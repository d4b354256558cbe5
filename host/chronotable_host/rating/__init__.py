"""How strong players are, as numbers that their results give."""
