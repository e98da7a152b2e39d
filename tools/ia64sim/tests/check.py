# SPDX-License-Identifier: GPL-2.0
"""Counting and reporting for the tests in Python, as check.h has it for those in C."""

import os
import sys

# make exports it empty if nobody has set it.
CROSS_COMPILE = os.environ.get('CROSS_COMPILE') or 'ia64-linux-gnu-'

passed = failed = 0


def check(ok, what):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print('not ok:', what)


def skip(what):
    """Say what is not tested; the script "sum" counts such lines."""
    print('skipped:', what)


def finish():
    """The last line, and the exit status."""
    print('%d passed, %d failed' % (passed, failed))
    sys.exit(failed != 0)
