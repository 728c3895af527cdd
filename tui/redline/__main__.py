"""`python -m redline`."""

import sys

from redline.cli.main import main

sys.exit(main())
