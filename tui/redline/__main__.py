"""`python -m redline`."""

import sys

try:
    from redline.cli.main import main

    sys.exit(main())
except KeyboardInterrupt:  # before or after anything was done
    sys.exit(130)
