"""Tables without hardware: the firmware, or what stands for it, running in table time."""
