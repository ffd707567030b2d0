"""Scores under incomplete gold: bounds that need no labels, and estimates from judged errors."""
