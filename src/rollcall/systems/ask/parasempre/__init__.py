"""`parasempre`: candidate queries ranked by how well they paraphrase a question (Berant and Liang 2014)."""
