"""Drawings of a table, all from its board file: see each module.

`table` is the picture of the finished table, the others are for whoever builds it:
`wiring` says what is soldered to what, `reeds` where each reed lies and which way, `template`
where to drill. One unit is one millimetre; nothing but plain SVG, readable in black and white.
"""
