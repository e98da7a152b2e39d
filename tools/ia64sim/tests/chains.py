#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What a load takes that another waits for: chains.py SIMULATOR FOLDER.

Chains of pointers (platform/chain.s), each so that all loads have one and the same
combination of hits and misses, on a Madison of 1.3 GHz with 3 MB, for which 7-cpu.com gives
what they take.  FOLDER keeps the programs.
"""

import json
import os
import subprocess
import sys

from check import CROSS_COMPILE, check, finish

HERE = os.path.dirname(os.path.abspath(__file__))
TIMING = 'madison,freq=1.3G,l3=3M'
MEMORY = 160 * 1.3
TOLERANCE = 0.1

STEPS = 2 * 4096        # as platform/chain.s has them

# Name, cycles, what a step waits for of them by cause, and of the chain: pointers, stride, what
# moves them apart by 128 bytes
CHAINS = [
    # 16 lines
    ('L1D', 2, {'load': 1}, 16, 6, 0, 0),
    # 64 KiB: four times L1D, 16 pages of 4 KiB
    ('L2', 6, {'load': 5}, 1024, 6, 0, 0),
    # 128 pages of 4 KiB, 32 of 16 KiB, a line in each, in all sets of L2
    ('L2, L1 DTLB miss', 10, {'dtlb': 3, 'load': 6}, 128, 12, 0, 5),
    # 256 pages of 4 KiB, 64 of 16 KiB; 8 sets of L2, 64 of L3
    ('L3, L1 DTLB miss', 20, {'dtlb': 3, 'load': 16}, 256, 12, 0, 0),
    # 256 pages of 16 KiB; 8 sets of L2, 64 of L3
    ('L3, walk', 35, {'walk': 14, 'dtlb': 4, 'load': 16}, 256, 14, 4, 2),
    # 512 pages of 16 KiB; 2 sets of L2, 16 of L3
    ('memory, walk', 35 + MEMORY, {'walk': 14, 'dtlb': 4, 'load': 16 + MEMORY}, 512, 14, 0, 0),
]

simulator, folder = sys.argv[1:3]


def run(count, stride, first, bits, *options):
    """The exit status, which is cycles a step, and -stats."""
    base = '%s/chain-%d-%d-%d-%d' % (folder, count, stride, first, bits)
    symbols = {'COUNT': count, 'STRIDE': stride, 'FROM': first, 'BITS': bits}
    subprocess.run([CROSS_COMPILE + 'as', '-I', HERE + '/bare', '-o', base + '.o'] +
                   ['--defsym=%s=%d' % symbol for symbol in symbols.items()] +
                   [HERE + '/platform/chain.s'], check=True)
    subprocess.run([CROSS_COMPILE + 'ld', '-T', HERE + '/bare/bare.ld', '-o', base, base + '.o'],
                   check=True)
    status = subprocess.run([simulator, '-m', '64M', '-nographic', '-bare', base, '-timing',
                             TIMING, '-stats', base + '.json', *options],
                            stdin=subprocess.DEVNULL, timeout=600, check=False).returncode
    with open(base + '.json', encoding='ascii') as f:
        return status, json.load(f)


def main():
    os.makedirs(folder, exist_ok=True)
    for name, cycles, causes, *chain in CHAINS:
        measured, stats = run(*chain)
        print('%-18s %4d cycles, should be %.0f' % (name, measured, cycles))
        check(abs(measured - cycles) <= cycles * TOLERANCE,
              '%s: %d cycles, not %.0f' % (name, measured, cycles))
        check(run(*chain, '-accel', 'soft-tlb=off') == (measured, stats),
              '%s: other cycles without the soft TLB' % name)
        stalls = stats['total']['stalls']
        check(sum(stalls.values()) < stats['cycles'], '%s: more stalls than cycles' % name)
        # The first rounds may find less, and the chain is made before.
        for cause, part in causes.items():
            check(stalls[cause] >= 0.99 * part * STEPS,
                  '%s: %d cycles of %s, not %.0f' % (name, stalls[cause], cause, part * STEPS))
    finish()


main()
