#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What an instruction of the guest costs: speed.py SIMULATOR FOLDER.

Runs each kind of work of platform/speed.s, assembled into FOLDER, under valgrind's
callgrind, and counts the host's instructions for one of the guest: a number that does
not depend on how fast or busy the host is.  It may not grow.  FOLDER keeps the profiles
for callgrind_annotate(1).
"""

import json
import os
import re
import shutil
import subprocess
import sys

from check import CROSS_COMPILE, check, finish, skip

# As counted with COMPILER and -O2.  Another compiler, or a change of a line somewhere
# else, moves them by a few percent; what makes more of a difference is either mended or
# recorded here, and the commit says what it buys.
COMPILER = '12.2.0'
MARGIN = 1.03
RECORDED = {
    'INTEGER': 44.80,
    'MEMORY': 45.52,
    'CALLS': 182.97,
    'FLOAT': 89.52,
    'WALKS': 288.51,
}

HERE = os.path.dirname(os.path.abspath(__file__))
simulator, folder = sys.argv[1:3]


def run(*command):
    """What it says on either output; without a failure."""
    return subprocess.run(command, check=True, text=True, stdin=subprocess.DEVNULL, timeout=600,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout


# How much dearer an instruction may be with -timing madison.
TIMED = 4


def measure(work, *options):
    """Host instructions for one of the guest."""
    base = folder + '/' + work.lower()
    number = list(RECORDED).index(work)
    said = run(CROSS_COMPILE + 'as', '-I', HERE + '/bare', '--defsym', 'WORK=%d' % number, '-o',
               base + '.o', HERE + '/platform/speed.s')
    check(not said, '%s: the assembler says %s' % (work, said))
    run(CROSS_COMPILE + 'ld', '-T', HERE + '/bare/bare.ld', '-o', base, base + '.o')
    said = run('valgrind', '--tool=callgrind', '--callgrind-out-file=%s.callgrind' % base,
               simulator, '-m', '64M', '-nographic', '-bare', base, '-stats', base + '.json',
               *options)
    with open(base + '.json', encoding='ascii') as f:
        guest = json.load(f)['total']['instructions']['all']
    host = int(re.search(r'I +refs: +([\d,]+)', said)[1].replace(',', ''))
    return host / guest


def main():
    compiler = run('gcc', '-dumpfullversion').strip()
    if not shutil.which('valgrind'):
        skip('the cost of an instruction, without valgrind (Debian: valgrind)')
    elif compiler != COMPILER:
        skip('the cost of an instruction, which is recorded for gcc %s, not %s' %
             (COMPILER, compiler))
    else:
        os.makedirs(folder, exist_ok=True)
        for work, recorded in RECORDED.items():
            ratio = measure(work)
            print('%-8s %8.2f host instructions for one of the guest, recorded %.2f' %
                  (work, ratio, recorded))
            check(ratio <= recorded * MARGIN, '%s: %.2f is more than %.0f %% above %.2f' %
                  (work, ratio, MARGIN * 100 - 100, recorded))
            timed = measure(work, '-timing', 'madison')
            print('%-8s %8.2f with -timing madison, %.2f times as many' %
                  (work, timed, timed / ratio))
            check(timed <= ratio * TIMED, '%s: with -timing more than %d times as many' %
                  (work, TIMED))
    finish()


main()
