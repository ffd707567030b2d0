"""A difference for people and programs: on the terminal, as JSON, as one HTML page."""
