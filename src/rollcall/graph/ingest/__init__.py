"""From files to shards: the kind of each source, the pieces it is cut into, and the rows of each piece."""
