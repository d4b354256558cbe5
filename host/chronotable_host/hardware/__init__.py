"""The table as a thing: boards, drawings, firmware, flashing, ports, the doctor."""
