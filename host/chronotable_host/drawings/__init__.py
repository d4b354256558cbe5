"""Working drawings of a table for whoever builds it, all from its board file: see each module.

`wiring` says what is soldered to what, `reeds` where each reed lies and which way, `template`
where to drill. One unit is one millimetre; nothing but plain SVG, readable in black and white.
The picture of the finished table is `chronotable_host.drawing`.
"""
