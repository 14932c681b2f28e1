"""peerdeck: a terminal dashboard for live Claude Code sessions."""

__version__ = "0.1.0"
