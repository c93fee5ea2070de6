"""Reports about runs and loops as text, JSON, Markdown and HTML."""
