"""`python -m einsum_front` is the command `einsum-front`."""

import sys

from einsum_front.cli import main

sys.exit(main())
