"""From shards to a finished graph folder: numbered, sorted, without duplicates, and indexed."""
