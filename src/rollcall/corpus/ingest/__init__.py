"""From files to shards: the kind of each source, the blocks it is cut into, and the pages of each block."""
