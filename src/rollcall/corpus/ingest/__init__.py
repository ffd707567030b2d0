"""From files to shards: what each source is, the blocks it is cut into, and the pages that each block has."""
