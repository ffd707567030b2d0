"""What the trained systems that ask a graph share: gold, rewards, alignments, and how weights are learned."""
