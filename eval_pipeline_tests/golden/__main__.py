"""`python -m eval_pipeline_tests.golden FILE.json`."""

import sys

from eval_pipeline_tests.golden.runner import main

sys.exit(main(sys.argv[1:]))
