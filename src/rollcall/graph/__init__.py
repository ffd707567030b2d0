"""Knowledge graphs: read them from dumps and tables, hold them on disk, look things up, answer queries."""
