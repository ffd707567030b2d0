"""From shards to a corpus: who is who, what is meant, how often, and the sorted tables."""
