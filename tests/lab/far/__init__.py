"""Games far apart: tables with hands that see the lights alone, joined by a broker."""
