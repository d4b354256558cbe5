"""What understands hands: the table and its game, from reeds to turns."""
