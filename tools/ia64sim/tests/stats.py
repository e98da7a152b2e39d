#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""stats.py SIMULATOR FOLDER - what -stats says of the times with PSR.i 0.

FOLDER has bare/stats_masked.s, built.
"""
import json
import subprocess
import sys

from check import CROSS_COMPILE, check, finish

simulator, folder = sys.argv[1:]
program = folder + '/stats_masked'
symbols = {words[2]: int(words[0], 16) for words in map(str.split, subprocess.run(
    [CROSS_COMPILE + 'nm', program], check=True, text=True,
    stdout=subprocess.PIPE).stdout.splitlines()) if len(words) == 3}
for options in [], ['-timing', 'madison'], ['-accel', 'soft-tlb=off']:
    out = folder + '/stats_masked.json'
    subprocess.run([simulator, '-m', '64M', '-nographic', '-bare', program, '-stats', out,
                    *options], check=True, stdin=subprocess.DEVNULL, timeout=600)
    with open(out, encoding='ascii') as f:
        stats = json.load(f)
    all_times, region = stats['total']['longest_masked'], stats['regions'][0]['longest_masked']
    # A bundle a cycle in the model of time, and a slot a cycle without.
    slots = 3 if not options or options[0] != '-timing' else 1
    check(stats['cpu'][0]['longest_masked'] == all_times, f'{options}: the processor differs')
    for name, is_, bundles in ('all', all_times, 2000 // 3), ('region', region, 400 // 3):
        check(bundles * slots <= is_['cycles'] < bundles * slots * 1.2 + 40,
              f'{options}: {name}: {is_["cycles"]} cycles')
    check(symbols['longest'] <= int(region['from'], 16) < int(region['to'], 16) <
          symbols['behind'], f'{options}: the region has {region}')
finish()
