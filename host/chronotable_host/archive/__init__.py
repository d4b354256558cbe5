"""The archive: games as text files, which are the truth, and an index made from them."""
