"""Parts of the screens."""
