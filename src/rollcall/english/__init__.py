"""The English that several packages need, written once: months, function words, nouns, verbs, sentences."""
