#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""stats.py SIMULATOR FOLDER - what -stats says of the times with PSR.i 0, and of cycles by
privilege level.

FOLDER has bare/stats_masked.s and bare/stats_levels.s, built.
"""
import json
import re
import subprocess
import sys

from check import CROSS_COMPILE, check, finish

simulator, folder = sys.argv[1:]


def run(name, *options):
    """What -stats says of a bare program, and -trace pmu"""
    out = f'{folder}/{name}.json'
    said = subprocess.run([simulator, '-m', '64M', '-nographic', '-bare', f'{folder}/{name}',
                           '-stats', out, '-trace', 'pmu', *options], check=True, text=True,
                          stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=600).stderr
    with open(out, encoding='ascii') as f:
        return json.load(f), said


def masked():
    """The longest time with PSR.i 0"""
    program = folder + '/stats_masked'
    symbols = {words[2]: int(words[0], 16) for words in map(str.split, subprocess.run(
        [CROSS_COMPILE + 'nm', program], check=True, text=True,
        stdout=subprocess.PIPE).stdout.splitlines()) if len(words) == 3}
    for options in [], ['-timing', 'madison'], ['-accel', 'soft-tlb=off']:
        stats, _ = run('stats_masked', *options)
        all_times = stats['total']['longest_masked']
        region = stats['regions'][0]['longest_masked']
        # A bundle a cycle in the model of time, and a slot a cycle without.
        slots = 3 if not options or options[0] != '-timing' else 1
        check(stats['cpu'][0]['longest_masked'] == all_times, f'{options}: the processor differs')
        for name, is_, bundles in ('all', all_times, 2000 // 3), ('region', region, 400 // 3):
            check(bundles * slots <= is_['cycles'] < bundles * slots * 1.2 + 40,
                  f'{options}: {name}: {is_["cycles"]} cycles')
        check(symbols['longest'] <= int(region['from'], 16) < int(region['to'], 16) <
              symbols['behind'], f'{options}: the region has {region}')


def levels():
    """Cycles by privilege level: those that pass there, that the monitors count, and all"""
    for options in (['madison'], ['madison', '-smp', '2'], ['madison', '-accel', 'soft-tlb=off'],
                    ['madison,late=1'], ['madison,late=1', '-smp', '2']):
        stats, said = run('stats_levels', '-timing', *options)
        region = stats['regions'][0]
        cycles = region['level_cycles']
        freeze = next(line for line in reversed(said.splitlines()) if ' freeze ' in line)
        monitors = [int(re.search(rf'\bpmd{n} (\S+)', freeze)[1], 0) for n in (4, 5, 6, 7)]
        # Beside the loops there are misses of cold caches.
        for name, least in ('cpl3', 1500), ('cpl2', 200), ('cpl0', 3000):
            check(least <= cycles[name] < least + 2000,
                  f'{options}: {cycles[name]} cycles at {name}')
        check([cycles['cpl3'], cycles['cpl2'], cycles['cpl1']] == [monitors[0], monitors[2], 0],
              f'{options}: {cycles}, and the monitors {monitors}')
        # What the monitors miss before they run and when they are frozen is of level 0.
        check(cycles['cpl0'] - monitors[1] == region['cycles'] - monitors[3] > 0,
              f'{options}: of {region["cycles"]} cycles {cycles}, the monitors {monitors}')
        check(sum(cycles.values()) == region['cycles'],
              f'{options}: {region["cycles"]} cycles, by level {cycles}')
        every = stats['total']['level_cycles']
        check(every == stats['cpu'][0]['level_cycles'] and every['cpl0'] > cycles['cpl0'] and
              every['cpl3'] == cycles['cpl3'], f'{options}: in all {every}')
        check(all(not any(cpu['level_cycles'].values()) for cpu in stats['cpu'][1:]),
              f'{options}: a processor that was never started has cycles')
    check('level_cycles' not in run('stats_levels')[0]['total'], 'cycles without a model of time')


def late():
    """With late=1 the model begins with the region, in which it says the same"""
    plain, timed, late = (run('stats_levels', *options)[0] for options in (
        [], ['-timing', 'madison'], ['-timing', 'madison,late=1']))
    executed = [stats['total']['instructions'] for stats in (plain, timed, late)]
    check(executed[0] == executed[1] == executed[2], f'other instructions: {executed}')
    stalls = [sum(stats['total']['stalls'].values()) - sum(stats['regions'][0]['stalls'].values())
              for stats in (timed, late)]
    check(0 < stalls[1] < stalls[0], f'stalls outside of the region: {stalls}')
    check('timed_from' not in plain and timed['timed_from'] == 0 < late['timed_from'],
          'the beginning of the model')
    cycles = [stats['regions'][0]['cycles'] for stats in (timed, late)]
    check(abs(cycles[0] - cycles[1]) < 2000, f'cycles in the region: {cycles}')


masked()
levels()
late()
finish()
