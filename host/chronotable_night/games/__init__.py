"""The games of a games night: each a folder with its rules, texts, bots and pages.

A folder has a `kind`, which is its game as it comes from the box (`interface.Kind`); `shelf` finds
it. Nothing outside a game's folder names that game.
"""
