"""From shards to a corpus: entities of pages, targets of links, mention counts, and the sorted tables."""
