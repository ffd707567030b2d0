"""Documents as people write them, one file a page: text, Markdown, HTML, Word and PDF, each as HTML."""
