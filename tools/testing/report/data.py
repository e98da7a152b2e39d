# SPDX-License-Identifier: GPL-2.0
"""The measurements that "run" has written, and the tables and plots that a page shows of them."""

import csv
import dataclasses
import os
import typing

MHZ = 1500          # of the processor that the simulator models, and of the thesis's
ENTRIES = 128       # in its data TLB
NAMES = ("workload", "size", "page_size", "vhpt", "setting", "dtlb", "cpus")


class Missing(Exception):
    """A measurement is missing; the text says which."""


class Key(typing.NamedTuple):
    """What tells one run from all others"""
    workload: str
    page: str
    vhpt: str
    setting: str
    dtlb: int = ENTRIES
    cpus: int = 1

    def usual(self):
        """Whether the machine is the usual one"""
        return (self.dtlb, self.cpus) == (ENTRIES, 1)


def read_csv(folder, name):
    """The rows of a file; [] if there is no such file"""
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f))


def key_of(row):
    return Key(row["workload"], row["page_size"], row["vhpt"], row["setting"], int(row["dtlb"]),
               int(row["cpus"]))


class Data:
    """All measurements.  Every method returns None for what was not measured."""

    def __init__(self, folder):
        self.rows, self.parts, self.points, self.sizes = {}, {}, {}, {}
        for row in read_csv(folder, "measurements.csv"):
            self.sizes[row["workload"]] = row["size"]
            self.rows[key_of(row)] = {
                name: int(value) for name, value in row.items()
                if name not in NAMES + ("output",)}
        for row in read_csv(folder, "parts.csv"):
            self.parts.setdefault(key_of(row), {})[row["part"]] = {
                name: int(value) for name, value in row.items()
                if value and name not in NAMES + ("part",)}
        for row in read_csv(folder, "points.csv"):
            self.points.setdefault((key_of(row), row["what"]), []).append(
                (int(row["x"]), int(row["y"])))
        self.about = {row["what"]: row["value"] for row in read_csv(folder, "about.csv")}
        self.failures = [row["what"] for row in read_csv(folder, "failures.csv")]

    def row(self, workload, vhpt="short", setting="off", page="16K", **more):
        """The counts of a run, or None.  @more: entries in the TLB (dtlb), processors (cpus)"""
        return self.rows.get(Key(workload, page, vhpt, setting, **more))

    def count(self, name, workload, *how, **more):
        """One of the counts of a run, or None"""
        row = self.row(workload, *how, **more)
        return None if row is None else row[name]

    def part(self, part, workload, vhpt="short", setting="off", page="16K", **more):
        """Cycles for one operation in a part of a workload, or None"""
        ops, cycles = (self.part_count(name, part, workload, vhpt, setting, page, **more)
                       for name in ("ops", "cycles"))
        return ratio(cycles, ops)

    def part_count(self, name, part, workload, vhpt="short", setting="off", page="16K", **more):
        """One of the counts of a part of a workload, or None"""
        parts = self.parts.get(Key(workload, page, vhpt, setting, **more), {})
        return parts.get(part, {}).get(name)

    def parts_of(self, workload):
        """The names of all parts of a workload, in their order"""
        names = {}
        for key, parts in self.parts.items():
            if key.workload == workload:
                names |= dict.fromkeys(parts)
        return list(names)

    def points_of(self, what, workload, vhpt="short", setting="off", page="16K"):
        """The points [(x, y)] that a workload has printed; [] if there are none"""
        return self.points.get((Key(workload, page, vhpt, setting), what), [])

    def speedup(self, workload, base, other, **more):
        """How many times as fast as @base @other is, or None.  Both are arguments of row()."""
        return ratio(self.count("cycles", workload, *base, **more),
                     self.count("cycles", workload, *other, **more))

    def part_speedup(self, part, workload, base, other):
        """The same for a part of a workload"""
        return ratio(self.part(part, workload, *base), self.part(part, workload, *other))

    def superpages(self, workload, *how, **more):
        """[(KiB of a superpage, KiB in superpages of that size)] at the moment when most memory was
        resident, or None"""
        row = self.row(workload, *how, **more)
        if row is None:
            return None
        return sorted((int(name[11:-3]), kb) for name, kb in row.items()
                      if name.startswith("superpages_"))


def ratio(a, b):
    """a / b; None if either is, or if b is 0"""
    return a / b if a is not None and b else None


def percent(a, b):
    share = ratio(a, b)
    return None if share is None else 100 * share


# --- tables and plots ---------------------------------------------------------------------------

@dataclasses.dataclass
class Table:
    """@ours: the columns with our measurements.  A cell is None if it was not measured."""
    head: list
    rows: list
    ours: tuple = ()
    note: str = ""

    def cells(self):
        """All cells of our measurements"""
        return [row[i] for row in self.rows for i in self.ours]


@dataclasses.dataclass
class Series:
    """The points of a line, [(x, y)], or the lengths of bars, [y or None]"""
    label: str
    points: list
    ours: bool = True


@dataclasses.dataclass
class Plot:
    """@groups: the labels of groups of bars, or None for a plot of lines."""
    name: str
    title: str
    x: str
    y: str
    series: list
    groups: list = None
    log_x: bool = False
    log_y: bool = False
    line: bool = True       # else only points

    def cells(self):
        """All points of our measurements, with None for what was not measured"""
        result = []
        for one in self.series:
            if one.ours:
                result += (one.points or [None]) if self.groups is None else one.points
        return result

    def drawn(self):
        """The series that have something to draw"""
        return [one for one in self.series if any(p is not None for p in one.points)]


def line(label, points, ours=True):
    """A series of those points that were measured"""
    return Series(label, [(x, y) for x, y in points if y is not None], ours)


class Number(str):
    """The text of a number, for the page, and its value, for the files of numbers"""

    def __new__(cls, text, value):
        self = super().__new__(cls, text)
        self.value = value
        return self


def n(value):
    """A count as text"""
    return None if value is None else Number(f"{value:,.0f}", value)


def f(value, digits=3):
    """A number as text, with so many digits behind the point"""
    return None if value is None else Number(f"{value:.{digits}f}", value)


def p(value, digits=2):
    """A percentage as text"""
    return None if value is None else Number(f"{value:.{digits}f} %", value)


def size_name(kb):
    """A size in KiB as text"""
    kb = int(kb)
    return f"{kb}K" if kb < 1024 else f"{kb >> 10}M" if kb < 1 << 20 else f"{kb >> 20}G"
