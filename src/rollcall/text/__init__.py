"""English text: words, nouns, verbs and sentences, with their data."""
