"""What fills the terminal."""
