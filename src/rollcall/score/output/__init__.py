"""The forms of a report: terminal, JSON, LaTeX, and one self-contained HTML page."""
