"""Readers: from the files people have to pages of one shape."""
