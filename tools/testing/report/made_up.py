#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""made_up.py FOLDER - write invented measurements into FOLDER, to test the page.  They have all
rows of a complete report, so that every plot has something to draw.  The page says that they are
invented."""

import csv
import importlib.machinery
import importlib.util
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def load_run():
    """The program "run", whose name is not that of a module"""
    loader = importlib.machinery.SourceFileLoader("run", os.path.join(HERE, "run"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("run", loader))
    loader.exec_module(module)
    return module


run = load_run()
programs = run.workloads
COUNTS = run.COUNTS + run.TIMED + ["superpages_64_kb", "superpages_1024_kb"]
PARTS = {
    "walk": ["walk"], "sparse": ["sparse.1000", "again"],
    "contend": [f"contend.{1 << k}" for k in range(8)],
    "matrix": [f"row.{k}" for k in (250, 500, 1000, 2000)],
    "columns": [f"col.{k}" for k in (250, 500, 1000, 2000)],
    "tlbcover": [f"transform.{1 << k}" for k in range(10)],
    "stream": ["copy", "scale", "add", "triad"],
    "calls": ["null", "read", "write", "stat", "fstat", "open", "sigaction", "signal", "protection",
              "fork", "exec", "mmap", "pagefault", "pipe", "file", "mmapfile", "copy", "readmem",
              "writemem"],
    "switches": [f"switch.{n}.{kib}" for kib in programs.SUMMED_UP for n in programs.PROCESSES],
    "each": ["each.hit", "each.table", *[f"each.line.{k + 1}" for k in range(4)],
             *[f"each.at.{k}" for k in range(64)]],
    "misscost": ["miss.1", "miss.4"]} | {
    kind: [f"{kind}.{64 << k}" for k in range(6)]
    for kind in ("stride", "random", "chained", "pointer")}

# Workloads whose parts are counted by themselves, and what others print points of
COUNTED = ("walk", "sparse", "contend", "matrix", "columns", "tlbcover")
POINTS = {"each": ("mean", "longest"), "mcf.faults": ("fault",), "objects.faults": ("fault",)}


def counts_of_part(key, at):
    """The columns OF_PARTS of the part number @at of a workload"""
    misses = 10 ** (5 if key[4] == "off" else 4) + at
    return [10 ** 8, 10 ** 7, misses, 0 if key[3] == "none" else misses // 2] + \
        [10 ** 5 + at + i for i, _ in enumerate(run.TIMED)]


def keys():
    """Yield what tells each run from the others"""
    for name in programs.WORKLOADS:
        for page in run.PAGE_SIZES:
            for mode in programs.MODES:
                for setting in run.SETTINGS:
                    for dtlb, cpus in run.variants(name, page, mode, setting, False):
                        yield name, page, mode, setting, dtlb, cpus


def rows():
    """Yield the key and the counts of every run"""
    for name, page, mode, setting, dtlb, cpus in keys():
        i = list(programs.WORKLOADS).index(name)
        j, k = run.PAGE_SIZES.index(page), programs.MODES.index(mode)
        large = setting not in ("off", "pristine")
        misses = (1000000 + 10000 * i >> 2 * j) // (5 if large else 1) + \
            20000 * (128 - dtlb)
        walker = misses * (0 if mode == "none" else 3 if large else 9) // 10
        cycles = 10 ** 9 + (1 + k) * 10 ** 7 + 19 * walker + 61 * (misses - walker)
        # One workload is slower with superpages.
        if name == "lua" and large:
            cycles += 10 ** 8
        yield [name, "1", page, mode, setting, dtlb, cpus], [
            cycles, cycles // 8, 8 * 10 ** 8, 2 * 10 ** 8, misses, walker,
            misses - walker, 1000 // (4 if large else 1), 65536, 65536, 61440,
            10 ** 5, 19 * walker, 10 ** 6, 10 ** 4, 10 ** 4,
            10 ** 7, 10 ** 6, 10 ** 5,
            16384 if large else 0, 32768 if large else 0]


def write(folder):
    """Write all files that "run" writes"""
    os.makedirs(folder, exist_ok=True)

    def file(name, head, content):
        with open(os.path.join(folder, name), "w", encoding="ascii", newline="") as f:
            csv.writer(f).writerows([head, *content])

    everything = list(rows())
    file("measurements.csv", run.KEY + COUNTS + ["output"],
         [key + counts + ["0" * 64] for key, counts in everything])
    file("parts.csv", run.KEY + ["part", "ops", "cycles"] + run.OF_PARTS,
         [key + [part, 1000, int(1000 * (2 + math.log2(1 + at)) * key[5] *
                                 (1 if key[4] == "off" else 0.9) *
                                 {"4K": 1.2, "16K": 1, "64K": 0.95}[key[2]] *
                                 {"short": 1, "long": 1.1, "none": 1.5}[key[3]])] +
          (counts_of_part(key, at) if key[0] in COUNTED else [""] * len(run.OF_PARTS))
          for key, _ in everything for at, part in enumerate(PARTS.get(key[0], []))])
    file("points.csv", run.KEY + ["what", "x", "y"],
         [key + [what, x, 7 * x * x % 2000] for key, _ in everything
          for what in POINTS.get(key[0], ()) for x in range(100)])
    file("failures.csv", ["what"], [["invented 16K short off: the run failed: <nothing>"]])
    file("about.csv", ["what", "value"],
         [["Invented", "All numbers of ours on this page are invented, to test the page."]])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("use: made_up.py FOLDER")
    write(sys.argv[1])
