"""From files to shards: what each source is, the pieces it is cut into, and the rows that each piece has."""
