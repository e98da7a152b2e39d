#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Does -strict say what it should, and nothing else?  strict.py SIMULATOR FOLDER BARE.

The programs are those of strict/; they go to FOLDER.  Each violation that strict/*.s marks
must be reported, once, at its bundles, and nothing else; litmus.s and purge.s must show what
stores and purges that wait allow, and must not where a fence forbids it, whatever the seed;
coherence.s must never find stores to one word out of order; global purges of two processors at
a time must be reported, and a lock around them not; walks that come unasked must show a purge
that came too early.  BARE holds the bare programs of
run.sh: with the checks alone nothing of what is simulated may change.
"""

import json
import os
import re
import subprocess
import sys

from check import CROSS_COMPILE, check, finish

HERE = os.path.dirname(os.path.abspath(__file__))
simulator, folder, bare = sys.argv[1:4]
LINE = re.compile(r'^ia64sim: strict: (0x[0-9a-f]+):\d: (.*), from (0x[0-9a-f]+):\d, cpu \d+$',
                  re.M)
SEEDS = range(1, 13)


def build(name, source, *symbols):
    """Assembles a program.  It breaks rules, of which the assembler warns."""
    base = os.path.join(folder, name)
    subprocess.run([CROSS_COMPILE + 'as', '-I', HERE + '/bare', '-I', HERE + '/strict', *symbols,
                    '-o', base + '.o', f'{HERE}/strict/{source}.s'], check=True,
                   stderr=subprocess.DEVNULL)
    subprocess.run([CROSS_COMPILE + 'ld', '-T', HERE + '/bare/bare.ld', '-o', base, base + '.o'],
                   check=True)
    return base


def run(program, *options):
    """Its exit status, and what is on standard error."""
    done = subprocess.run([simulator, '-m', '64M', '-nographic', '-bare', program, *options],
                          text=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, timeout=60, check=False)
    return done.returncode, done.stderr


def bundles(program):
    """Where its labels are."""
    said = subprocess.run([CROSS_COMPILE + 'nm', program], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    return {name: int(at, 16) for at, _, name in (line.split() for line in said.splitlines())}


def violations(kind, least=16):
    """The program of a check says what must be found in it."""
    program = build(kind, kind)
    where = bundles(program)
    with open(f'{HERE}/strict/{kind}.s', encoding='ascii') as f:
        marked = re.findall(r'^\s*(?:BREAKS|BROKEN) (\d+), "(.*)"', f.read(), re.M)
    check(len(marked) >= least, f'{kind}: {len(marked)} violations are marked')
    expected = {(where['strict_breaks_' + n], what, where['strict_writes_' + n])
                for n, what in marked}
    stats = os.path.join(folder, kind + '.json')
    status, said = run(program, '-strict', kind, '-stats', stats)
    lines = [(int(at, 16), what, int(by, 16)) for at, what, by in LINE.findall(said)]
    check(status == 0, f'{kind}: exit status {status}')
    for at, what, by in sorted(expected):
        check(lines.count((at, what, by)) == 1,
              f'{kind}: {at:#x}: {what}, from {by:#x}: said {lines.count((at, what, by))} times')
    for at, what, by in lines:
        check((at, what, by) in expected, f'{kind}: {at:#x}: {what}, from {by:#x}: is right')
    check(said.endswith(f'ia64sim: strict: {len(expected)} found, {len(expected)} times\n'),
          f'{kind}: the last line')
    with open(stats, encoding='ascii') as f:
        found = json.load(f)['strict']
    check(sorted((int(f['user'].split(':')[0], 16), f['resource'] + ' ' + f['what'],
                  int(f['writer'].split(':')[0], 16)) for f in found) == sorted(expected),
          f'{kind}: -stats has others')
    # of report=N lines the rest is counted
    _, said = run(program, '-strict', kind + ',report=2')
    check(len(LINE.findall(said)) == 2, f'{kind}: report=2 does not say two')
    # the other checks find nothing in it
    for other in ('serialize', 'depend', 'code'):
        if other != kind:
            _, said = run(program, '-strict', f'{other},report=0')
            check('strict: 0 found' in said, f'{kind}: {other}: {said}')
    status, said = run(program)
    check(status == 0 and not said, f'{kind}: without -strict: {status}, {said}')


def statuses_of(program):
    """What may wait, and the program's exit statuses with several seeds."""
    for what in ('stores', 'stores,turns', 'turns'):
        yield what, [run(program, '-smp', '2', '-strict', f'{what},seed={seed}')[0]
                     for seed in (SEEDS if 'stores' in what else SEEDS[:3])]


def shows(name, program, relaxed):
    """With stores that wait it must end with SEEN for some seed, or, unless relaxed, for none."""
    seen = bundles(program)['SEEN']
    for what, statuses in statuses_of(program):
        print(f'{name} {what}: {statuses.count(seen)} of {len(statuses)} seeds')
        check(set(statuses) <= {0, seen}, f'{name}: {what}: statuses {statuses}')
        if relaxed and 'stores' in what:
            check(seen in statuses, f'{name}: {what}: never seen')
        else:
            check(seen not in statuses, f'{name}: {what}: seen')


def litmus():
    """What must be seen with some seed, and what with none."""
    # Each semaphore is a full fence, whatever it says.
    for mp, fence, relaxed in ((0, 0, True), (0, 1, False), (0, 2, True), (0, 3, False),
                               (0, 4, False), (1, 0, True), (1, 1, False), (1, 2, False),
                               (1, 3, False), (1, 4, False)):
        name = f'litmus{mp}{fence}'
        program = build(name, 'litmus', '--defsym', f'MP={mp}', '--defsym', f'FENCE={fence}')
        shows(name, program, relaxed)


def purges():
    """Loads come before the purges of other processors, unless there is a fence."""
    for ga, fence, relaxed in ((0, 0, True), (0, 1, False), (1, 0, True), (1, 1, False),
                               (1, 2, True), (1, 3, False)):
        name = f'purge{ga}{fence}'
        program = build(name, 'purge', '--defsym', f'GA={ga}', '--defsym', f'FENCE={fence}')
        shows(name, program, relaxed)


def simultaneous_purges():
    """Of two processors one may purge globally at a time, and needs a lock."""
    what = "global purge while another processor's is in progress"
    for lock, broken in ((0, True), (1, False), (2, True), (3, False), (4, False)):
        name = f'global{lock}'
        program = build(name, 'global', '--defsym', f'LOCK={lock}')
        where = bundles(program)
        pairs = {(where['purges_first'], where['purges_second']),
                 (where['purges_second'], where['purges_first'])}
        for mode in 'stores', 'stores,turns':
            found = 0
            for seed in SEEDS:
                status, said = run(program, '-smp', '2', '-strict', f'{mode},seed={seed}')
                lines = LINE.findall(said)
                check(status == 0, f'{name} {mode}: exit status {status}')
                check(all(text == what and (int(at, 16), int(by, 16)) in pairs
                          for at, text, by in lines), f'{name} {mode}: {said}')
                found += bool(lines)
            print(f'{name} {mode}: {found} of {len(SEEDS)} seeds')
            check(bool(found) == broken, f'{name} {mode}: found with {found} seeds')


def walks():
    """The walker may walk between a purge and the change of the table, if software lets it."""
    for order, relaxed in ((0, False), (1, True), (2, False), (3, False)):
        name = f'walks{order}'
        program = build(name, 'walks', '--defsym', f'ORDER={order}')
        seen = bundles(program)['SEEN']
        statuses = [run(program, '-strict', f'walks,seed={seed}')[0] for seed in SEEDS]
        print(f'{name}: {statuses.count(seen)} of {len(statuses)} seeds')
        check(set(statuses) <= {0, seen}, f'{name}: statuses {statuses}')
        check((seen in statuses) == relaxed, f'{name}: statuses {statuses}')
        check(run(program)[0] == 0, f'{name}: without -strict')


def coherence():
    """Stores to one word stay in order while purges have them performed."""
    program = build('coherence', 'coherence')
    for what, statuses in statuses_of(program):
        check(not any(statuses), f'coherence: {what}: statuses {statuses}')


def seeds():
    """Equal seeds give equal runs, others others."""
    program = os.path.join(folder, 'litmus00')
    for what in ('stores', 'turns', 'all'):
        runs = []
        for seed in (1, 1, 2, 3):
            stats = os.path.join(folder, 'seed.json')
            run(program, '-smp', '2', '-strict', f'{what},seed={seed}', '-stats', stats)
            with open(stats, encoding='ascii') as f:
                runs.append(f.read())
        check(runs[0] == runs[1], f'seeds: {what}: seed 1 gives two runs')
        check(len(set(runs)) > 1, f'seeds: {what}: all seeds give one run')


def unchanged():
    """The checks alone do not change what is simulated."""
    for name in ('core_loops', 'core_spec', 'mmu_walker_short', 'mmu_smp', 'rse_flushrs',
                 'pmu_overflow', 'core_traps', 'core_code_changes'):
        with open(f'{HERE}/bare/{name}.s', encoding='ascii') as f:
            options = re.findall(r'^ \* Options: *(.*)', f.read(), re.M)
        results = []
        for strict in ((), ('-strict', 'serialize,depend,code,report=0')):
            stats = os.path.join(folder, name + '.json')
            status, _ = run(os.path.join(bare, name), *' '.join(options).split(), *strict,
                            '-stats', stats)
            with open(stats, encoding='ascii') as f:
                results.append((status, json.load(f)))
        results[1][1].pop('strict')
        check(results[0] == results[1], f'{name}: -strict changes it')


os.makedirs(folder, exist_ok=True)
violations('serialize')
violations('depend')
violations('code', 14)
litmus()
purges()
simultaneous_purges()
walks()
coherence()
seeds()
unchanged()
finish()
