"""Readers: from dumps, RDF and tables to shards, the rows that each block of a source says."""
