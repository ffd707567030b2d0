"""The ways a report is shown: terminal, JSON, LaTeX, and one self-contained HTML page."""
