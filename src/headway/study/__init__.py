"""What recorded runs teach."""
