"""English rules that several packages share: months, function words, nouns, verbs, sentences."""
