"""Who judges what: projects, leases, judgments that are stored exactly once, and what they come to."""
