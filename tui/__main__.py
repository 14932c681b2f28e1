"""`python -m tui`."""

import sys

from tui.cli import main

sys.exit(main())
