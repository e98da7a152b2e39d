#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Do the monitors count what -stats counts?  pmu.py SIMULATOR FOLDER.

FOLDER holds the bare programs.  Those of the monitors run with -trace pmu, which tells
what -stats and the counters say whenever the monitors begin to run, and when they
freeze; between the two both must have grown by the same.  What is counted must also be
the same with -timing madison and without, cycles excepted.
"""

import subprocess
import sys

from check import check, finish

MASK = (1 << 47) - 1
ALL_LEVELS = 15
PSR_UP = 1 << 2
PMC4_ENABLE = 1 << 23
LEVELS = ('cpl0', 'cpl1', 'cpl2', 'cpl3')

# Events and, of -stats, what they are the sum of.  L2DTLB_MISSES needs PMC5.
EVENTS = {
    0x08: LEVELS,
    0x50: ('nops',),
    0x51: ('predicated_off',),
    0xc1: ('dtlb_misses',),
    0xc9: ('dtlb_walker_inserts',),
    0x47: ('itlb_misses',),
    0x48: ('itlb_walker_inserts',),
}
# pmu_levels.s changes PSR.up while monitors run.
PROGRAMS = {'pmu_count': '', 'pmu_overflow': '', 'pmu_tlb': '', 'pmu_smp': '-smp 2'}

simulator, folder = sys.argv[1:3]


def lines(program, *options):
    """What -trace pmu says: processor, run or freeze, and numbers by name."""
    said = subprocess.run([simulator, '-m', '64M', '-nographic', '-bare',
                           folder + '/' + program, '-trace', 'pmu',
                           *PROGRAMS[program].split(), *options],
                          check=True, text=True, stdin=subprocess.DEVNULL, timeout=600,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE).stderr
    for line in said.splitlines():
        words = line.split()
        yield words[1], words[3], {name: int(value, 0)
                                   for name, value in zip(words[4::2], words[5::2])}


def compare(program, *options):
    """Check each interval; what was counted in all of them."""
    began, counted = {}, []
    for cpu, what, now in lines(program, *options):
        if what == 'run':
            began[cpu] = now
            continue
        before = began.pop(cpu, None)
        if not before or not before['psr'] & now['psr'] & PSR_UP or \
           not before['pmc4'] & PMC4_ENABLE:
            continue
        for n in range(4, 8):
            pmc = before['pmc%d' % n]
            event = pmc >> 8 & 0xff
            if event not in EVENTS or pmc & 0x4f != ALL_LEVELS or pmc >> 20 & 7:
                continue
            if event == 0xc1 and before['pmc5'] >> 8 & 0xff not in (0xc1, 0xc3):
                continue
            should = sum(now[name] - before[name] for name in EVENTS[event])
            was = now['pmd%d' % n] - before['pmd%d' % n] & MASK
            check(was == should, '%s: PMD%d counted %d of event %#x, -stats %d: %s' %
                  (program, n, was, event, should, now))
            counted.append((cpu, n, event, was))
    return sorted(counted) if '-smp' in PROGRAMS[program] else counted


def main():
    """Both kinds of time."""
    for program in PROGRAMS:
        plain = compare(program)
        timed = compare(program, '-timing', 'madison')
        check(len(plain) >= 5, '%s: only %d counts' % (program, len(plain)))
        check(plain == timed, '%s: counts differ with -timing' % program)
        print('%s: %d counts' % (program, len(plain)))
    finish()


main()
