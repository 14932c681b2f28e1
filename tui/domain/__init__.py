"""Values and rules. Nothing here reads a file, a clock or a process."""
