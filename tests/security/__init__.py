"""What docs/development/security.md promises, line by line."""
