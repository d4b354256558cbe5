"""Independent oracles: rules written a second time from the rules text, slow and obvious."""
