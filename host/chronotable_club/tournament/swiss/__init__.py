"""Pairings by the FIDE (Dutch) System, FIDE Handbook C.04.3 as in force from 1 February 2026.

Numbers such as C.7 (there "[C7]") are its criteria, those such as 4.2 its articles; others name the
chapter, as in C.04.2 3.4. Only the result is the handbook's: it tries candidates one after the
other until one is best, `dutch.py` asks for the best one at once, as a matching of least cost.
"""
