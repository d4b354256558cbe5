"""Chronotable with nothing to install: a folder that any web server has, and any browser plays.

`building` makes the folder, on a PC. In the browser `program` is what `try` is there: the same
firmware, desk, page and app in a worker, `workers` are where it has things done elsewhere, and
`static/` leads the page's requests to them.
"""
