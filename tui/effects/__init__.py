"""The only code that touches files, processes and time. Nothing here knows the user interface."""
