"""Later dumps of a world: the same entities, with what has changed since and what has come.

A later dump is the one before it, edited: a record or a page is made as for the age before and only then
changed, so everything that nothing happened to stays the same, word for word. What happens is, as all in a
world, a hash of (seed, name of the choice, number of the entity).
"""
