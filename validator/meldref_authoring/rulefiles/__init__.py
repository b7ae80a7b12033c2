"""Rules files shown, traced to their layers and fixed."""
