"""What Headway keeps on disk."""
