"""Work in rounds: what is assessed after each of them, and which one is selected."""
