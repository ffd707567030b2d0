"""An audit on the terminal and as a page."""
