"""What projects have, by language: each file looks for the tools of one and plans how to run them."""
