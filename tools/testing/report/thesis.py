# SPDX-License-Identifier: GPL-2.0
"""The figures and tables of chapters 4 and 6 and of appendix B of the thesis (I. Wienand,
"Transparent Large-Page Support for Itanium Linux", 2008), in its order.  Each has the numbers that
the thesis prints, and says which of our measurements the page shows beside them."""

import dataclasses
import os
import sys
import typing

from data import MHZ, Plot, Series, Table, f, line, n, p, percent, ratio, size_name

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "workloads"))
import programs  # noqa: E402, pylint: disable=wrong-import-position

SF, LF, NONE = ("short", "off"), ("long", "off"), ("none", "off")
SF_LP, LF_LP = ("short", "default"), ("long", "default")
FORMATS = {"none": NONE, "short": SF, "long": LF}
KERNELS = {"SF": SF, "SF+LP": SF_LP, "LF+LP": LF_LP}

# SPEC's programs are not among the workloads.  This names the workload that the page compares
# each of them with, or None.
SPEC = {"gzip": "zstd", "vpr": None, "gcc": "compile.large", "mcf": "mcf", "crafty": None,
        "parser": None, "eon": None, "perl": "lua", "gap": None, "vortex": "objects",
        "bzip2": "bzip2", "twolf": None}
NAS = {"bt": None, "cg": "cg", "lu": "lu", "sp": "sp"}
SPEC_DIFFERS = """The licence of SPEC CPU2000 does not let us pass it on.  We ran a free program of
a similar kind instead: zstd for gzip, tcc for gcc, a network-flow program for mcf, Lua for perl, an
object store for vortex, and bzip2 itself.  For the other programs there is no similar workload yet.
The thesis used icc, and we used gcc, so only ratios can be compared."""
NAS_DIFFERS = """Our cg, lu and sp are written for this report.  They are smaller and in C, but they
access memory as those of NAS do.  We have no bt.  The thesis used ifort, which adds prefetches."""
TIME_DIFFERS = """Our cycles are those of the simulator's model of an Itanium 2."""

# Cycles for a miss, table 6.3.
COST = {"SF": 19.23, "SF+LP": 61.47, "LF+LP": 80.27}


@dataclasses.dataclass
class Entry:
    """One figure or table of the thesis.

    @show makes tables and plots of the data, @ran says what was run for them, and @differs how
    that differs from what the thesis ran.  Where we have no measurement, @show is None and
    @missing says why.  Where there is nothing to measure, @shows says what the figure shows."""
    number: str
    title: str
    show: typing.Callable = None
    ran: str = ""
    differs: str = ""
    missing: str = ""
    shows: str = ""
    partly: str = ""


def shares(d, workload, what, head):
    """A table of the TLB's hit rate and the walker's share of the misses, theirs and ours"""
    rows = []
    for name, (hit, walker) in what.items():
        row = d.row(workload, *(FORMATS | KERNELS)[head.get(name, name)]) or {}
        missed = percent(row.get("misses"), row.get("references"))
        rows.append([name, p(hit), p(None if missed is None else 100 - missed), p(walker),
                     p(percent(row.get("walker"), row.get("misses")))])
    return Table(["kernel", "TLB hits, thesis", "here", "misses served by the walker, thesis",
                  "here"], rows, (2, 4))


def by_order(d, workload, theirs, how=SF_LP):
    """A table of pages by size: theirs in pages by order, ours in % of the memory"""
    ours = dict(d.superpages(workload, *how) or [])
    row = d.row(workload, *how)
    total = row and row["anon_kb"]
    rest = total - sum(ours.values()) if total else None
    weight = sum(pages << order for order, pages in theirs.items())
    rows = []
    for order in sorted(set(theirs) | {int(kb / 16).bit_length() - 1 for kb, n_kb in ours.items()
                                       if n_kb}):
        kb = 16 << order
        share = percent(rest if not order else ours.get(kb, 0), total) if total else None
        pages = theirs.get(order)
        rows.append([f"{order} ({size_name(kb)})", n(pages) or "",
                     p(percent((pages or 0) << order, weight)), p(share)])
    return Table(["order", "pages allocated, thesis", "of memory", "of memory, here"], rows, (3,),
                 "The thesis counted pages when the kernel allocated them.  We looked at the "
                 "memory every 100 ms, and show the moment when most of it was resident.  A run "
                 "shorter than 100 ms has no numbers.")


# --- chapter 4 -----------------------------------------------------------------------------------

def sparse(d):
    rows = []
    for name, theirs, seconds in (("short", 0, 4.42), ("long", 512, 2.80)):
        walker = ratio(d.part_count("walker", "again", "sparse", name),
                       d.part_count("ops", "again", "sparse", name))
        rows.append([name, n(theirs), n(walker and 512 * walker),
                     f(seconds * 1.5e9 / 51.2e6, 1), f(d.part("again", "sparse", name), 1)])
    return [Table(["format", "inserts by the walker for 512 repeated stores, thesis (about)",
                   "here", "cycles for a repeated store, thesis", "here"], rows, (2, 4))]


def linear(d):
    rows = [[name, n(65619), n(d.part_count("misses", "walk", "walk", name)), theirs,
             n(d.part_count("walker", "walk", "walk", name))]
            for name, theirs in (("short", n(65570)), ("long", n(19)))]
    return [Table(["format", "misses, thesis", "here", "inserts by the walker, thesis", "here"],
                  rows, (2, 4))]


def linear_time(d):
    cycles = {name: d.part("walk", "walk", *how) for name, how in FORMATS.items()}
    rows = [[name, "1.044" if name == "long" else "no number", f(cycles[name], 1),
             f(ratio(cycles[name], cycles["short"]))] for name in FORMATS]
    hit = {name: d.part("each.hit", "each", *how) for name, how in FORMATS.items()}
    spikes = []
    for name, theirs in (("none", "as any other"), ("short", "as without a walker"),
                         ("long", "no number")):
        table, *line_ = (less(d.part(part, "each", *FORMATS[name]), hit[name])
                         for part in ("each.table", *LINE))
        spikes.append([name, theirs, f(table, 1), f(mean(line_), 1)])
    return [*(Plot(f"each-{name}", f"Cycles for a load in each MiB of the walk, {name}", "MiB",
                   "cycles", [Series(f"the {what}", d.points_of(what, "each", *how))
                              for what in ("mean", "longest")], line=False)
              for name, how in FORMATS.items()),
            Table(["format", "time, short = 1, thesis", "cycles for a page, here",
                   "time, short = 1, here"], rows, (2, 3)),
            Table(["format", "first page of each 32 MiB, thesis", "cycles for its miss, here",
                   "cycles for the miss of another page, here"], spikes, (2, 3))]


LINE = [f"each.line.{k + 1}" for k in range(4)]     # by which entry of a cache line a page has
EXTRACT = 64


def size_of(d, workload):
    """The size of a workload in this report as text"""
    return d.sizes.get(workload, "no")


def less(a, b):
    """a - b; None if either is"""
    return None if a is None or b is None else a - b


def total(values):
    """The sum; None if there are no values, or if one of them is None"""
    values = list(values)
    return None if None in values or not values else sum(values)


def mean(values):
    """The mean; None if one of them is"""
    return None if None in values else sum(values) / len(values)


def linear_extract(d):
    hit = {name: d.part("each.hit", "each", *how) for name, how in FORMATS.items()}
    rows = [[name, *(f(less(d.part(part, "each", *how), hit[name]), 1) for part in LINE)]
            for name, how in FORMATS.items()]
    return [Plot("extract", f"Successive misses in a walk of {size_of(d, 'each')} MiB", "miss",
                 "cycles", [line(name, [(k, less(d.part(f"each.at.{k}", "each", *how), hit[name]))
                                        for k in range(EXTRACT)])
                            for name, how in FORMATS.items()]),
            Table(["format", "cycles for a miss of the first page of four, here", "of the second",
                   "of the third", "of the fourth"], rows, (1, 2, 3, 4))]


def linear_stalls(d):
    rows = []
    for name, theirs, column in (("L1D_HPW", "+212.10 %", "stall_walk"),
                                 ("L1D_DCURECIR", "+79.45 %", "stall_order"),
                                 ("L1D_L2BPRESS", "-54.44 %", "stall_queue"),
                                 ("L1D_TLB", "+5.60 %", "stall_dtlb")):
        a, b = (d.part_count(column, "walk", "walk", mode) for mode in ("short", "long"))
        change = percent(b, a)
        rows.append([name, theirs, n(a), n(b),
                     "" if change is None and a is not None else
                     None if change is None else f"{change - 100:+.1f} %"])
    return [Table(["event", "long against short, thesis", "cycles with short, here",
                   "cycles with long", "long against short"],
                  rows, (2, 3, 4))]


def contend(d):
    counts = sorted(int(name[8:]) for name in d.parts_of("contend"))

    def missed(what, mode, k):
        return percent(d.part_count(what, f"contend.{k}", "contend", mode),
                       d.part_count("references", f"contend.{k}", "contend", mode))
    return [Plot("contend-time", "Processes that read the same 10 pages in turn", "processes",
                 "cycles for an access",
                 [line(name, [(k, d.part(f"contend.{k}", "contend", *how)) for k in counts])
                  for name, how in FORMATS.items()], log_x=True),
            Plot("contend-misses", "Data references of these that miss the TLB", "processes",
                 "% of references", [line(name, [(k, missed("misses", name, k)) for k in counts])
                                     for name in FORMATS], log_x=True),
            Plot("contend-cache", "Data references of these that hit L1D", "processes",
                 "% of references",
                 [line(name, [(k, less(100, missed("l1d_misses", name, k))) for k in counts])
                  for name in FORMATS], log_x=True)]


def spec_walker(d):
    theirs = {"gzip": (1.000, 1.000), "vpr": (1.276, 1.220), "gcc": (1.048, 1.046),
              "mcf": (1.453, 1.453), "crafty": (1.000, .991), "parser": (1.063, 1.063),
              "eon": (1.000, 1.000), "perl": (1.069, 1.063), "gap": (1.034, 1.034),
              "vortex": (1.184, 1.168), "bzip2": (1.102, 1.093), "twolf": (1.000, 1.000)}
    return spec(d, "spec-walker", "Speed-up over no walker", theirs, (NONE, NONE), (SF, LF))


def spec(d, name, title, theirs, base, other):
    """A table of SPEC's programs and our workloads, and a plot of the programs that have one"""
    rows, both = [], []
    for program, values in theirs.items():
        ours = [SPEC[program] and d.speedup(SPEC[program], a, b) for a, b in zip(base, other)]
        rows.append([program, f(values[0]), f(values[1]), SPEC[program] or "",
                     *(f(v) if SPEC[program] else "" for v in ours)])
        if SPEC[program]:
            both.append((f"{program}, {SPEC[program]}", *values, *ours))
    labels = ["short, thesis", "long, thesis", "short, here", "long, here"]
    return [Table(["program", *labels[:2], "our workload", *labels[2:]], rows, (4, 5)),
            Plot(name, title, "", "speed-up",
                 [Series(label, [row[i + 1] for row in both], i > 1)
                  for i, label in enumerate(labels)], [row[0] for row in both])]


def lmbench(d):
    rows = []
    for name, part, none, long in (("execve", "exec", 3.0, 2.3), ("fork", "fork", 5.4, 4.8),
                                   ("mmap", "mmap", 14.2, 26.4)):
        ours = [percent(d.part(part, "calls", *how), d.part(part, "calls", *SF))
                for how in (NONE, LF)]
        rows.append([name, p(none, 1), *([p(v and v - 100, 1) for v in ours[:1]]), p(long, 1),
                     *([p(v and v - 100, 1) for v in ours[1:]])])
    return [Table(["call", "slower without a walker, thesis", "here", "with long, thesis", "here"],
                  rows, (2, 4))]


def mmap_read(d):
    rows = []
    for name, theirs in (("short", (99.99, .01, .00)), ("none", (99.99, .00, .01)),
                         ("long", (99.99, .01, .00))):
        row = d.row("mmapread", *FORMATS[name]) or {}
        total, missed, walker = (row.get(k) for k in ("references", "misses", "walker"))
        ours = (None,) * 3 if not total else \
            (100 - percent(missed, total), percent(walker, total),
             percent(missed - walker, total))
        rows.append([name] + [cell for pair in zip(theirs, ours) for cell in map(p, pair)])
    return [Table(["format", "TLB, thesis", "here", "walker, thesis", "here", "software, thesis",
                   "here"], rows, (2, 4, 6))]


def switches(d):
    plots = []
    for kib in (0, 64):
        theirs = {name: zip(programs.PROCESSES, SWITCHES[kib][name]) for name in ("short", "long")}
        plots.append(Plot(
            f"switches-{kib}", f"Context switches of processes that each sum up {kib} KiB",
            "processes", "µs",
            [line(f"{name}, thesis", points, False) for name, points in theirs.items()] +
            [line(f"{name}, here", [(n_, micros(d, f"switch.{n_}.{kib}", "switches", how))
                                    for n_ in programs.PROCESSES])
             for name, how in FORMATS.items()], log_x=True))
    return plots


def build(d, rows):
    """The compilation of a kernel"""
    def here(workload, how):
        return f(ratio(d.count("cycles", workload, *how), d.count("cycles", workload, *SF)))
    table = [[name, f(seconds, 2), f(seconds / 15.55), here("bunzip2", how),
              f(compile_, 2), f(compile_ / 693.33), here("build", how)]
             for name, how, seconds, compile_ in rows]
    return [Table(["kernel", "extract, s, thesis", "SF = 1, thesis", "SF = 1, here (bunzip2)",
                   "build, s, thesis", "SF = 1, thesis", "SF = 1, here (build)"], table, (3, 6))]


BUILD = [("none", NONE, 18.41, 708.89), ("SF", SF, 15.55, 693.33), ("SF+LP", SF_LP, 15.04, 694.09),
         ("LF", LF, 15.60, 696.43), ("LF+LP", LF_LP, 15.05, 694.10)]
BUILD_RAN = """The workload bunzip2, for the extraction, and the workload build, in which tcc
compiles the sources of Lua.  A shell starts a process for each file, as make does."""
COMPILER_DIFFERS = """The thesis compiles with gcc.  tcc is smaller and a single program: gcc starts
others for the preprocessor, the compiler and the assembler.  As tcc cannot make programs for ia64,
it makes object files for x86-64."""
BUILD_DIFFERS = "The thesis unpacks the sources of Linux 2.6.18, writes them to files and builds " \
    "the kernel, with more than 1000 runs of gcc.  " + COMPILER_DIFFERS


def server(d):
    ours = d.speedup("server", SF, LF)
    return [Table(["format", "connections, thesis", "short = 1",
                   "requests in the same time, short = 1, here"],
                  [["short", "94", "1.000", f(ratio(ours, ours))],
                   ["long", "96", "1.021", f(ours)]], (3,))]


def nas_walker(d):
    return [Plot("nas-walker", "NAS-like kernels: speed-up over no walker", "", "speed-up",
                 [Series(name, [d.speedup(w, NONE, how) for w in NAS.values() if w])
                  for name, how in (("short", SF), ("long", LF))],
                 [w for w in NAS.values() if w])]


# --- chapter 6 -----------------------------------------------------------------------------------

def matrix(d):
    plots = []
    for workload, title in (("matrix", "read by rows"), ("columns", "read by columns")):
        part = "row" if workload == "matrix" else "col"
        dims = sorted(int(name.split(".")[1]) for name in d.parts_of(workload))
        plots.append(Plot(
            workload, "Matrix transposition, " + title, "MiB, both matrices",
            "cycles for an element",
            [line(name, [(dim * dim * 16 / (1 << 20), d.part(f"{part}.{dim}", workload, *how))
                         for dim in dims])
             for name, how in (FORMATS | {"short+LP": SF_LP, "long+LP": LF_LP}).items()],
            log_x=True))
    return plots


def matrix_hits(d):
    rows = []
    for name, hit, walker, how in (
            ("none", 78, 0, NONE), ("SF", 72, 99.73, SF), ("LF", 72, 99.93, LF),
            ("SF+LP", 100, 56.10, SF_LP), ("LF+LP", 100, 19.71, LF_LP)):
        missed, refs, served = (total(d.part_count(what, part, "matrix", *how)
                                      for part in d.parts_of("matrix"))
                                for what in ("misses", "references", "walker"))
        rows.append([name, p(hit, 0), p(missed is not None and 100 - percent(missed, refs) or None,
                                        1), p(walker), p(percent(served, missed)),
                     {"SF+LP": n(3476), "LF+LP": n(3445)}.get(name, "no number"), n(missed)])
    return [Table(["kernel", "TLB hits, thesis", "here", "misses by the walker, thesis", "here",
                   "misses, thesis", "here"], rows, (2, 4, 6))]


def cover_sizes(d):
    return sorted(int(name.split(".")[1]) for name in d.parts_of("tlbcover"))


def cover_plot(d, name, pages):
    return Plot(name, "Tlbcover, base pages of " + " and ".join(pages), "MiB",
                "cycles for a transformation",
                [line(f"{page} {setting}", [(mib, d.part(f"transform.{mib}", "tlbcover", "short",
                                                         setting, page))
                                            for mib in cover_sizes(d)])
                 for page in pages for setting in ("off", "default")], log_x=True)


COVER_RUNS = 11
COVER_NOTE = """The thesis has 11 runs, from 1 MiB to 512 MiB, and does not say which sizes lie
between.  We double the size from run to run, which makes 10, and show them beside its last 10."""


def cover_runs(d):
    """The sizes of our tables, beside the thesis's runs: the last one has the largest table.  None
    for a run that we do not have"""
    sizes = cover_sizes(d)
    return [None] * (COVER_RUNS - len(sizes)) + sizes


def cover_count(d, what, mib, how):
    """A count of the transformation of a table"""
    return d.part_count(what, f"transform.{mib}", "tlbcover", *how)


def cover(d):
    at = max(cover_sizes(d), default=None)
    saved = at and d.part_speedup(f"transform.{at}", "tlbcover", SF, SF_LP)
    rows = []
    for i, (mib, theirs) in enumerate(zip(cover_runs(d), (
            99.98, 99.98, 99.98, 99.96, 99.90, 99.85, 99.73, 99.58, 99.50, 99.30, 99.10))):
        share = percent(*(cover_count(d, what, mib, SF) for what in ("walker", "misses")))
        rows.append([str(i + 1), p(theirs), f"{mib} MiB" if mib else "", p(share) if mib else ""])

    def hits(mib, how):
        return less(100, percent(*(cover_count(d, what, mib, how)
                                   for what in ("misses", "references"))))
    return [Table(["what", "thesis", "here"],
                  [["time that superpages save with the largest table", "8.8 % (512 MiB)",
                    saved and f"{100 - 100 / saved:.1f} % ({at} MiB)"]], (2,)),
            cover_plot(d, "tlbcover-16k", ["16K"]),
            Plot("tlbcover-hits", "Tlbcover: data references that hit the TLB", "MiB",
                 "% of references",
                 [line(name, [(mib, hits(mib, how)) for mib in cover_sizes(d)])
                  for name, how in (("base pages", SF), ("superpages", SF_LP))], log_x=True),
            Table(["run", "misses that the walker serves, SF, thesis", "table", "here"], rows,
                  (3,), COVER_NOTE)]


def cover_cache(d):
    def apart(level, mib, how):
        return ratio(*(cover_count(d, what, mib, how)
                       for what in ("instructions", level + "_misses")))
    return [Plot(f"tlbcover-{level}", f"Tlbcover: instructions between misses of {level.upper()}",
                 "MiB", "instructions",
                 [line(name, [(mib, apart(level, mib, how)) for mib in cover_sizes(d)])
                  for name, how in (FORMATS | {"SF+LP": SF_LP, "LF+LP": LF_LP}).items()],
                 log_x=True, log_y=True) for level in ("l1d", "l2")]


def cover_speedup(d):
    theirs = {"4K": (1.00, 1.14, 1.38, 1.18, 1.12, 1.10, 1.11, 1.17, 1.24, 1.30, 1.45),
              "16K": (1.00, 1.17, 1.15, 1.12, 1.09, 1.09, 1.08, 1.08, 1.07, 1.07, 1.09)}
    rows = []
    for i, mib in enumerate(cover_runs(d)):
        ours = [mib and d.part_speedup(f"transform.{mib}", "tlbcover", ("short", "off", page),
                                       ("short", "default", page)) for page in theirs]
        rows.append([str(i + 1), f(theirs["4K"][i], 2), f(theirs["16K"][i], 2),
                     f"{mib} MiB" if mib else "", *(f(v, 2) if mib else "" for v in ours)])
    if not cover_sizes(d):
        rows[-1][4:] = [None, None]
    return [Table(["run", "4K, thesis", "16K, thesis", "table", "4K, here", "16K, here"], rows,
                  (4, 5), COVER_NOTE)]


def spec_superpages(d):
    theirs = {"gzip": (1.000, .995), "vpr": (1.027, 1.032), "gcc": (.995, .986),
              "mcf": (1.125, 1.125), "crafty": (.991, 1.000), "parser": (1.005, 1.009),
              "eon": (1.002, 1.002), "perl": (.984, .984), "gap": (1.007, 1.007),
              "vortex": (.966, .960), "bzip2": (1.008, 1.016), "twolf": (.996, .996)}
    return spec(d, "spec-superpages", "Speed-up by superpages", theirs, (SF, LF), (SF_LP, LF_LP))


PAGES = ("4K", "16K", "64K")


def store_time(d):
    return [Plot("objects-time", "Object store: speed-up over base pages of 4K", "", "speed-up",
                 [Series(name, [d.speedup("objects", ("short", "off", "4K"),
                                          ("short", setting, page)) for page in PAGES])
                  for name, setting in (("base pages", "off"), ("superpages", "default"))],
                 list(PAGES))]


def store_misses(d):
    series = []
    for name, setting in (("base pages", "off"), ("superpages", "default")):
        for what in ("misses", "walker"):
            series.append(Series(f"{name}, {'by the walker' if what == 'walker' else what}",
                                 [d.count(what, "objects", "short", setting, page)
                                  for page in PAGES]))
    return [Plot("objects-misses", "Object store: misses of the TLB", "", "misses", series,
                 list(PAGES))]


LEAST = 10000       # additional misses that it takes to compute the cost of one

# The runs of the TLB reduction test.  A small TLB still holds all superpages of the default policy,
# so "small" permits those of 64 KiB and 256 KiB only.
REDUCED = {"SF": SF, "SF+LP": ("short", "small"), "LF+LP": ("long", "small")}


def reduced(d, how):
    """(additional misses, additional cycles) for each number of entries in the TLB"""
    found = sorted(((key.dtlb, row) for key, row in d.rows.items()
                    if key[:4] == ("objects", "16K", *how) and key.cpus == 1),
                   key=lambda pair: pair[0])
    if not found:
        return []
    full = found[-1][1]
    return [(row["misses"] - full["misses"], row["cycles"] - full["cycles"]) for _, row in found]


def slope(points):
    """The slope of the line that fits the points best.  None if there are hardly any additional
    misses: then the slope would show what else differs between the runs."""
    if max((x for x, _ in points), default=0) < LEAST:
        return None
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / \
        sum((x - mean_x) ** 2 for x, _ in points)


def costs(d):
    return {name: slope(reduced(d, how)) for name, how in REDUCED.items()}


NO_SLOPE = f"""Where the smaller TLB causes fewer than {LEAST:,} additional misses, we give no cost.
In the last two rows only superpages of 64 KiB and 256 KiB are permitted: even the smallest TLB of
this test holds all those of the default policy."""


def reduction_table(d):
    ours = costs(d)
    return [Table(["kernel", "cycles for a miss, thesis", "here"],
                  [[name, f(COST[name], 2), f(ours[name], 2)] for name in KERNELS], (2,), NO_SLOPE)]


def breakdown(d):
    ours, rows = costs(d), []
    for name, theirs in (("SF", (99.53, 19, "19", "<1")), ("SF+LP", (34.94, 61, "21", "40")),
                         ("LF+LP", (34.88, 80, "28", "52"))):
        row = d.row("objects", *REDUCED[name]) or {}
        rows.append([name, p(theirs[0]), p(percent(row.get("walker"), row.get("misses"))),
                     f"{theirs[1]}", f(ours[name], 0), f"{theirs[2]} + {theirs[3]}"])
    return [Table(["kernel", "misses by the walker, thesis", "here", "cycles for a miss, thesis",
                   "here", "walker + software, thesis"], rows, (2, 4), NO_SLOPE)]


def reduction_plot(d):
    return [Plot("reduction", "What fewer entries in the TLB add",
                 "additional misses", "additional cycles", [line(name, reduced(d, how))
                                                            for name, how in REDUCED.items()])]


def effective(apart, cost):
    """Equation 6.1: the part of the time that a program does not spend on misses, if there are
    @apart cycles between two of them and each takes @cost"""
    return apart / (apart + cost)


def effectiveness(d):
    xs = [50 * 2 ** (i / 4) for i in range(30)]
    series = [Series(f"{name}, {cost:.0f} cycles, thesis",
                     [(x, effective(x, cost)) for x in xs], False) for name, cost in COST.items()]
    series += [line(f"{name}, {cost:.0f} cycles, here" if cost else f"{name}, here",
                    [(x, effective(x, cost)) for x in xs] if cost else [])
               for name, cost in costs(d).items()]
    return [Plot("effectiveness", "TLB effectiveness (equation 6.1)", "cycles between misses",
                 "effectiveness", series, log_x=True)]


def store_effectiveness(d):
    rows = []
    for name, how in KERNELS.items():
        row = d.row("objects", *how) or {}
        apart = ratio(row.get("cycles"), row.get("misses"))
        rows.append([name, n(row.get("cycles")), n(row.get("misses")), f(apart, 0),
                     f(apart and effective(apart, COST[name]))])
    return [Table(["kernel", "cycles, here", "misses, here", "cycles between misses, here",
                   "effectiveness, here"], rows, (1, 2, 3, 4))]


def fault_addresses(d):
    return [Plot(f"faults-{name}", f"Page faults on the heap of {name}", "page fault",
                 "MiB above the lowest",
                 [Series(label, [(x, y / 1024) for x, y in d.points_of(
                     "fault", f"{name}.faults", *how)])
                  for label, how in (("base pages", NONE), ("superpages", ("none", "default")))],
                 line=False) for name in ("objects", "mcf")]


def flow_cycles(d):
    rows = []
    for name, cycles, misses in (("SF", 167011979645, 767849589), ("SF+LP", 154402232842, 402959)):
        row = d.row("mcf", *KERNELS[name]) or {}
        rows.append([name, n(cycles / misses), n(row.get("cycles")), n(row.get("misses")),
                     n(ratio(row.get("cycles"), row.get("misses")))])
    return [Table(["kernel", "cycles for a miss, thesis", "cycles, here", "misses, here",
                   "cycles for a miss, here"], rows, (2, 3, 4),
                  "The thesis has 167,011,979,645 and 154,402,232,842 cycles, 767,849,589 and "
                  "402,959 misses.  These cycles give a speed-up of 1.082; its table of speed-ups "
                  "says 1.125.")]


def others(d, theirs, head):
    """What superpages of others do for SPEC's programs, and ours for our workloads"""
    return [Table(["program", head, "thesis, LF+LP", "our workload", "LF+LP, here"],
                  [[name, f(values[0]) or "no number", f(values[1]) or "", SPEC[name] or "",
                    f(d.speedup(SPEC[name], LF, LF_LP)) if SPEC[name] else ""]
                   for name, values in theirs.items()], (4,))]


def navarro(d):
    return others(d, {
        "gzip": (1.000, .995), "vpr": (1.300, 1.032), "gcc": (1.012, .986), "mcf": (1.707, 1.125),
        "crafty": (1.083, 1.000), "parser": (1.081, 1.009), "eon": (1.000, 1.002),
        "perl": (1.031, .984), "gap": (1.068, 1.007), "vortex": (1.125, .960),
        "bzip2": (1.082, 1.016), "twolf": (1.137, .996)}, "Navarro, Itanium 1, FreeBSD")


def winwood(d):
    return others(d, {
        "gzip": (1.123, None), "vpr": (1.167, None), "gcc": (1.092, None), "mcf": (1.094, None),
        "crafty": (1.152, None), "parser": (1.163, None), "eon": (1.120, None),
        "perl": (None, None), "gap": (1.059, None), "vortex": (1.222, None),
        "bzip2": (1.143, None), "twolf": (1.124, None)}, "Winwood and others, IA-32")


def fhourstones(d):
    rows = []
    for name, misses, share, walker in (("SF", 636254917, .15, 99.81),
                                        ("SF+LP", 240, 0, 78.33)):
        row = d.row("connect4", *KERNELS[name]) or {}
        rows.append([name, n(misses), n(row.get("misses")), p(share),
                     p(percent(row.get("misses"), row.get("references"))), p(walker),
                     p(percent(row.get("walker"), row.get("misses")))])
    return [Table(["kernel", "misses, thesis", "here", "of references, thesis", "here",
                   "by the walker, thesis", "here"], rows, (2, 4, 6)),
            Table(["", "thesis", "here"],
                  [["speed-up, SF+LP over SF", "1.015", f(d.speedup("connect4", SF, SF_LP))]],
                  (2,))]


def large_file(d):
    rows, served = [], []
    for name, how in (KERNELS | {"none": NONE, "LF": LF}).items():
        row = d.row("compile.large", *how) or {}
        missed, walker = row.get("misses"), row.get("walker")
        hit = percent(missed, row.get("references"))
        rows.append([name, n(missed), p(None if hit is None else 100 - hit),
                     p(percent(walker, missed)), n(ratio(row.get("cycles"), missed or None)),
                     f(d.speedup("compile.large", SF, how))])
        served.append((walker, less(missed, walker)))
    return [Plot("compile-large", "Misses of tcc, while it compiles SQLite as one file", "",
                 "misses", [Series(label, [pair[i] for pair in served])
                            for i, label in enumerate(("by the walker", "by software"))],
                 [row[0] for row in rows]),
            Table(["kernel", "misses, here", "TLB hits", "served by the walker",
                   "cycles between misses", "speed-up over SF"], rows, (1, 2, 3, 4, 5))]


def hello(d):
    times = int(d.sizes.get("compile", 1))
    found = {name: d.row("compile", *KERNELS[name]) or {} for name in ("SF", "SF+LP")}
    ours = {}
    for name, row in found.items():
        missed, walker = (ratio(row.get(what), times) for what in ("misses", "walker"))
        software = less(missed, walker)
        cycles = [None if software is None else count * cost
                  for count, cost in ((software, 61), (walker, 18))]
        ours[name] = [missed, walker, *cycles, None if software is None else sum(cycles),
                      ratio(row.get("cycles"), times)]
    theirs = {"SF": (5711, 5554, 9577, 99972, 100929, None),
              "SF+LP": (2127, 378, 106689, 31482, 138171, None)}
    rows = [[what] + [cell for name in ours for cell in
                      (n(theirs[name][i]) or "no number", n(ours[name][i]))]
            for i, what in enumerate(("misses", "served by the walker", "software, 61 cycles each",
                                      "walker, 18 cycles each", "both",
                                      "all cycles of a compilation"))]
    return [Table(["", "SF, thesis", "here", "SF+LP, thesis", "here"], rows, (2, 4),
                  "The thesis's cycles for SF add up to 109,549, where it prints 100,929.  Its 378 "
                  "inserts by the walker, 18 cycles each, take 6,804 cycles, where it prints "
                  "31,482.")]


def nas_superpages(d):
    return [Plot("nas-superpages", "NAS-like kernels: speed-up over the short format", "",
                 "speed-up", [Series(name, [d.speedup(w, SF, how) for w in NAS.values() if w])
                              for name, how in (("LF", LF), ("SF+LP", SF_LP), ("LF+LP", LF_LP))],
                 [w for w in NAS.values() if w])]


NAS_EFFICIENCY = {
    "bt.A": (.981, 1.000, .981), "bt.B": (.977, .943, .927), "bt.C": (.975, 1.000, .957),
    "cg.A": (.998, 1, 1), "cg.B": (.998, 1, 1), "cg.C": (.996, 1, 1), "lu.A": (.981, 1, 1),
    "lu.B": (.980, 1, 1), "lu.C": (.965, 1, 1), "sp.A": (.983, 1, 1), "sp.B": (.962, 1, 1),
    "sp.C": (.934, 1, 1)}


def nas_efficiency(d):
    rows = [[f"{name}, thesis", *(f(v) for v in values)] for name, values in NAS_EFFICIENCY.items()]
    table = Table(["kernel of NAS", "SF", "SF+LP", "LF+LP"], rows)
    ours = []
    for name in (w for w in NAS.values() if w):
        cells = []
        for kernel, how in KERNELS.items():
            row = d.row(name, *how) or {}
            apart = ratio(row.get("cycles"), row.get("misses"))
            cells.append(f(apart and effective(apart, COST[kernel])))
        ours.append([name + ", here", *cells])
    return [table, Table(table.head, ours, (1, 2, 3))]


NAS_ORDERS = {
    "bt.A": (40, 4, 6, 5, 1), "bt.B": (67, 25, 26, 29, 12, 1),
    "bt.C": (294, 125, 116, 120, 98, 56, 10), "cg.A": (47, 9, 10, 10, 1),
    "cg.B": (71, 28, 29, 34, 18, 2), "cg.C": (300, 129, 121, 125, 102, 62, 10),
    "lu.A": (56, 16, 18, 17, 6), "lu.B": (84, 36, 35, 41, 25, 7),
    "lu.C": (314, 138, 129, 131, 108, 74, 12), "sp.A": (63, 20, 22, 23, 7),
    "sp.B": (91, 41, 39, 45, 31, 8), "sp.C": (328, 143, 134, 134, 112, 80, 13)}


def nas_orders(d):
    orders = (2, 4, 6, 8, 10, 12, 14)
    rows = [[name] + [n(v) for v in values] + [""] * (7 - len(values))
            for name, values in NAS_ORDERS.items()]
    ours = []
    for name in (w for w in NAS.values() if w):
        sizes = dict(d.superpages(name, *LF_LP) or [])
        known = d.count("anon_kb", name, *LF_LP)
        ours.append([name] + [n(sizes.get(16 << order, 0) // (16 << order)) if known else None
                              for order in orders])
    head = [f"order {o} ({size_name(16 << o)})" for o in orders]
    return [Table(["thesis", *head], rows),
            Table(["here", *head], ours, tuple(range(1, 8)),
                  "We looked at the memory every 100 ms, and show the moment when most of it was "
                  "resident.  A run shorter than 100 ms has no pages.")]


def lu_stalls(d):
    rows = []
    for name, theirs, column in (
            ("L1D_DCURECIR", (225388161352, 242224154417), "stall_order"),
            ("L2BPRESS", (332504678771, 439962001684), "stall_queue"),
            ("L1D_TLB", (3119659, 18863), "stall_dtlb"),
            ("L1D_HPW", (46051582991, 16563), "stall_walk")):
        rows.append([name, n(theirs[0]), n(d.count(column, "lu", *SF)), n(theirs[1]),
                     n(d.count(column, "lu", *SF_LP))])
    return [Table(["event", "SF, thesis", "here", "SF+LP, thesis", "here"], rows, (2, 4))]


def nas_small(d):
    base = ("short", "off", "16K")
    return [Plot("nas-4k", "NAS-like kernels with base pages of 4K: speed-up over 16K", "",
                 "speed-up", [Series(name, [d.speedup(w, base, ("short", setting, "4K"))
                                            for w in NAS.values() if w])
                              for name, setting in (("4K", "off"), ("4K+LP", "default"))],
                 [w for w in NAS.values() if w])]


SWITCHES_DIFFER = """lmbench subtracts what the pipes and the sums cost in a single process.  Our
workload does not."""

# --- appendix B ----------------------------------------------------------------------------------

# Table B.3, µs by KiB, format, and number of processes
SWITCHES = {
    0: {"none": (1.666, 1.684, 1.798, 1.798, 1.880, 3.404, 3.838),
        "short": (1.628, 1.682, 1.924, 1.800, 2.112, 3.144, 3.524),
        "long": (1.704, 1.704, 1.938, 1.856, 1.902, 2.122, 2.486)},
    4: {"none": (2.102, 2.160, 2.396, 2.424, 2.858, 4.460, 5.226),
        "short": (2.094, 2.162, 2.402, 2.434, 2.820, 4.232, 4.884),
        "long": (2.066, 2.108, 2.332, 2.380, 2.540, 3.038, 4.442)},
    8: {"none": (2.372, 2.424, 2.736, 2.866, 3.362, 5.012, 5.852),
        "short": (2.386, 2.426, 2.748, 2.876, 3.312, 4.642, 5.402),
        "long": (2.340, 2.384, 2.648, 2.774, 3.022, 3.470, 4.644)},
    16: {"none": (2.910, 3.044, 3.464, 3.770, 4.456, 6.370, 7.762),
         "short": (2.938, 3.046, 3.496, 3.802, 4.246, 5.996, 6.898),
         "long": (2.820, 2.956, 3.314, 3.644, 4.026, 5.090, 6.380)},
    32: {"none": (3.958, 4.300, 5.478, 5.750, 6.442, 8.896, 12.910),
         "short": (3.984, 4.314, 5.502, 6.006, 6.170, 8.100, 12.310),
         "long": (3.890, 4.208, 5.354, 5.700, 5.870, 7.566, 11.960)},
    64: {"none": (6.318, 8.486, 9.478, 9.960, 10.534, 19.598, 59.092),
         "short": (6.204, 8.458, 9.470, 9.634, 9.988, 23.494, 57.580),
         "long": (6.316, 8.364, 9.412, 9.412, 9.884, 20.464, 54.512)},
}


def micros(d, part, workload, how):
    """µs for an operation in a part, or None"""
    return ratio(d.part(part, workload, *how), MHZ)


BESIDE = [f"{name}, {whose}" for name in FORMATS for whose in ("thesis", "here")]


def beside(theirs, ours):
    """The cells of a row: for each format theirs and ours"""
    return [cell for a, b in zip(theirs, ours) for cell in (a if a is None else f(a), f(b))]


def lmbench_calls(d):
    rows = []
    # lmbench's null I/O is the mean of a read and a write.
    null_io = [mean([micros(d, part, "calls", how) for part in ("read", "write")])
               for how in FORMATS.values()]
    for name, part, theirs in (
            ("null call", "null", (.035, .035, .035)), ("null I/O", "", (.251, .251, .259)),
            ("stat", "stat", (1.162, 1.190, 1.187)), ("fstat", "fstat", (.316, .319, .316)),
            ("open and close", "open", (2.683, 2.701, 2.723)),
            ("signal install", "sigaction", (.319, .319, .305)),
            ("signal handle", "signal", (1.810, 1.812, 1.878)),
            ("fork", "fork", (72.3, 68.6, 71.9)),
            ("execve", "exec", (299.0, 290.2, 297.7)), ("mmap", "mmap", (193.6, 169.6, 214.6)),
            ("protection fault", "protection", (.645, .597, .610)),
            ("page fault", "pagefault", (1.00, 0.00, 1.00))):
        ours = [micros(d, part, "calls", how) for how in FORMATS.values()]
        rows.append([name, *beside(theirs, ours if part else null_io)])
    return [Table(["µs", *BESIDE], rows, (2, 4, 6))]


def lmbench_bandwidths(d):
    rows = []
    for name, part, theirs in (
            ("pipe", "pipe", (4069, 4056, 4009)),
            ("file reread", "file", (1661.6, 1661.2, 1661.6)),
            ("mmap reread", "mmapfile", (801.5, 806.8, 804.3)),
            ("bcopy (libc)", "copy", (720.8, 726.5, 723.8)),
            ("memory read", "readmem", (801.3, 806.9, 804.3)),
            ("memory write", "writemem", (672.7, 675.6, 673.1))):
        ours = [ratio(65536, micros(d, part, "calls", how)) for how in FORMATS.values()]
        rows.append([name, *(cell for a, b in zip(theirs, ours) for cell in (n(a), n(b)))])
    return [Table(["MB/s", *BESIDE], rows, (2, 4, 6))]


def lmbench_switches(d):
    rows = []
    for kib, theirs in SWITCHES.items():
        for i, processes in enumerate(programs.PROCESSES):
            ours = [micros(d, f"switch.{processes}.{kib}", "switches", how)
                    for how in FORMATS.values()]
            rows.append([f"{kib}K, {processes} processes",
                         *beside([theirs[name][i] for name in FORMATS], ours)])
    return [Table(["µs", *BESIDE], rows, (2, 4, 6))]


CHAPTERS = {
    "Chapter 4: the long format of the VHPT": [
        Entry("Table 4.1", "Page sizes of the Itanium 2",
              shows="the table lists a property of the processor, and the simulator's is the same"),
        Entry("Figure 4.1", "The program that stresses the walker", sparse,
              "The workload sparse, without superpages: it writes to 512 pages, 32 MiB and a page "
              "from one to the next, and the table shows all loops but the first.",
              "The figure shows the program.  Its numbers are in the text of section 4.3.1: in 3 "
              "loops, about 1,024 inserts with the long format; in 100,000 loops, 4.42 s and "
              "2.80 s.  The thesis had a hash table of 4 MiB."),
        Entry("Table 4.2", "TLB misses and walker inserts in a walk of 1 GiB", linear,
              "The workload walk, without superpages.",
              "The thesis counted the rest of the system, too."),
        Entry("Figure 4.2", "Cycles for a miss in a walk of 1 GiB", linear_time,
              "The workload walk, without superpages: all cycles from the first page to the last.  "
              "The workload each, which times each load.  The first page of each 32 MiB is the "
              "first of its leaf page table.",
              TIME_DIFFERS + "  The thesis plots each of the 65,536 misses; we plot the mean and "
              "the longest of each MiB, with what it takes to read the clock.  The thesis prints "
              "no numbers for single misses, but says that with the short format the first miss "
              "of each 32 MiB takes about as long as a miss without a walker.  Its time of the "
              "long format is that of the whole run."),
        Entry("Figure 4.3", "An extract of figure 4.2c", linear_extract,
              "The workload each, without superpages.  The plot shows 64 successive pages in the "
              "middle of the walk.  The table has means of all pages; four pages have their "
              "entries of the long format in the same line of the cache.  We subtract what it "
              "takes to read the clock.",
              "The thesis plots the long format, and prints no numbers.  Every fourth of its "
              "misses takes longer, because the handler then accesses another line.  We show the "
              "other formats, too."),
        Entry("Table 4.3", "Cycles for which a walk of 1 GiB waits", linear_stalls,
              "The workload walk, without superpages.  The simulator's model attributes each "
              "cycle to a cause.",
              "The model does not recirculate loads, so L1D_DCURECIR counts fences only."),
        Entry("Figure 4.4", "The counters of bubbles", shows="it is a diagram"),
        Entry("Figure 4.5", "Processes on the same 10 pages", contend,
              "The workload contend, without superpages.",
              "The thesis prints no numbers.  There the short format slows down at 64 processes.  "
              "Nobody has published which entry an Itanium replaces.  In the simulator all "
              "accesses miss, in each format, once there are more pages than entries.  Our counts "
              "include those of the kernel, which switches from process to process."),
        Entry("Figure 4.6", "SPEC CINT2000: speed-up by the walker", spec_walker,
              "The workloads of a similar kind, without superpages.", SPEC_DIFFERS + "  For the "
              "long format we show the thesis's values with a hash table of 4 MiB, as ours."),
        Entry("Table 4.4", "vpr",
              missing="no workload places and routes as vpr does"),
        Entry("Table 4.5", "lmbench: latencies", lmbench,
              "The parts exec, fork and mmap of the workload calls, without superpages.",
              TIME_DIFFERS + "  Our mmap is of a file of 1 MiB.  The thesis does not say how large "
              "the file of lmbench was."),
        Entry("Table 4.6", "lmbench: reading a mapped file", mmap_read,
              "The workload mmapread, without superpages.  The counts are of the whole program.",
              "lmbench reads 8 MiB again and again.  Our workload reads 1 MiB, in words instead "
              "of bytes."),
        Entry("Figure 4.7", "lmbench: context switches", switches,
              "The workload switches, without superpages, with the smallest and the largest of its "
              "six sizes.  Table B.3 has the numbers for all of them.", SWITCHES_DIFFER),
        Entry("Figure 4.8", "AIM-7", missing="Debian has no AIM-7, and none of the workloads is "
              "like it"),
        Entry("Table 4.7", "Compilation of a kernel",
              lambda d: build(d, [BUILD[i] for i in (0, 1, 3)]),
              BUILD_RAN, BUILD_DIFFERS),
        Entry("Table 4.8", "SPECweb99", server,
              "The workload server: processes that answer requests.",
              "SPECweb99 counts the connections that an Apache server can serve fast enough.  We "
              "count how many requests are answered in the same time."),
        Entry("Figure 4.9", "NAS: speed-up by the walker", nas_walker,
              "The workloads cg, lu and sp, without superpages.", NAS_DIFFERS + "  The thesis "
              "prints no numbers.",
              partly="one class, and no bt"),
        Entry("Figure 4.10", "A NUMA system", shows="it is a drawing"),
    ],
    "Chapter 6: superpages": [
        Entry("Figure 6.1", "Matrix transposition", shows="it is a drawing"),
        Entry("Figure 6.2", "Pseudo-code of it", shows="it is a program"),
        Entry("Figure 6.3", "Matrix transposition: time by size", matrix,
              "The workloads matrix and columns.  Their time is that of the transposition alone.",
              "The thesis prints no numbers.  It plots MB/s."),
        Entry("Table 6.1", "Matrix transposition: TLB hit rates", matrix_hits,
              "The workload matrix: the transpositions alone, of all sizes together.",
              "Without a walker, each of our misses "
              "counts twice, because the handler's access to the page table misses, too.  With "
              "superpages hardly a miss is left.  Most of those are misses of the kernel, or of "
              "the program's text and stack."),
        Entry("Figure 6.4", "Tlbcover", cover, "The workload tlbcover, with base pages of 16K.",
              "HP has not published the program.  We wrote ours by its description.  We count "
              "only while it transforms the table, and not while it fills it."),
        Entry("Figure 6.5", "Tlbcover: instructions between cache misses", cover_cache,
              "The workload tlbcover, with base pages of 16K.",
              "The thesis measured a Montecito, and the simulator models a Madison.  The thesis "
              "prints no numbers.  With superpages it has almost twice as many instructions "
              "between misses of L2."),
        Entry("Figure 6.6", "Tlbcover with base pages of 4K",
              lambda d: [cover_plot(d, "tlbcover-4k", ["4K", "16K"])],
              "The workload tlbcover, with base pages of 4K and 16K.",
              "The thesis prints no numbers.  With superpages, its 4K pages are as fast as 16K "
              "pages."),
        Entry("Table 6.2", "Tlbcover: speed-up by superpages", cover_speedup,
              "The workload tlbcover, with base pages of 4K and 16K.", TIME_DIFFERS),
        Entry("Figure 6.7", "Tlbcover with base pages of 64K",
              lambda d: [cover_plot(d, "tlbcover-64k", ["16K", "64K"])],
              "The workload tlbcover, with base pages of 16K and 64K.",
              "The thesis prints no numbers.  With superpages, its 64K pages are not faster than "
              "16K pages."),
        Entry("Figure 6.8", "SPEC CINT2000: speed-up by superpages", spec_superpages,
              "The workloads of a similar kind, with the default policy.", SPEC_DIFFERS),
        Entry("Figure 6.9", "vortex: base pages of other sizes", store_time,
              "The workload objects, an object store.",
              "The thesis prints no numbers.  " + SPEC_DIFFERS),
        Entry("Figure 6.10", "vortex: misses", store_misses,
              "The workload objects, an object store.", "The thesis prints no numbers."),
        Entry("Table 6.3", "Average cost of a TLB miss", reduction_table,
              "The workload objects, with 48 to 128 entries in the TLB, in steps of 8.  The cost "
              "of a miss is the slope of time over misses, by linear regression.",
              "The thesis pins entries of the TLB.  The simulator makes the TLB smaller."),
        Entry("Table 6.4", "Costs of walker and software", breakdown,
              "The runs of table 6.3.",
              "The thesis did not measure the two parts.  It divides the mean in proportion to the "
              "misses, as if each kind cost the same.  Only the means can be compared."),
        Entry("Figure 6.11", "TLB reduction test", reduction_plot, "The runs of table 6.3.",
              "The thesis prints only the slopes, in table 6.3."),
        Entry("Figure 6.12", "TLB effectiveness for costs of a miss", effectiveness,
              "We compute it from the costs in table 6.3, the thesis's and ours.",
              "The equation is the same."),
        Entry("Figure 6.13", "vortex: TLB effectiveness", store_effectiveness,
              "The workload objects, with the thesis's costs of a miss.",
              "The thesis has an effectiveness of 0.97 with SF.  SF+LP would have to have 1,972 "
              "cycles between misses to reach that."),
        Entry("Table 6.5", "vortex: hit rates",
              lambda d: [shares(d, "objects", {"SF": (99.65, 99.53), "SF+LP": (99.75, 34.95),
                                               "LF+LP": (99.75, 34.88)}, {})],
              "The workload objects, an object store.", SPEC_DIFFERS),
        Entry("Figure 6.14", "vortex and mcf: addresses of page faults", fault_addresses,
              "The workloads objects.faults and mcf.faults, without a walker.  They run the "
              "programs with perf_events, which samples every page fault.  The plots show at most "
              "400 of them.",
              "The thesis has no superpages here.  It shows the first of three processes, and "
              "every fault for which the kernel allocates memory.  Our programs are smaller than "
              "in the other runs.  " + SPEC_DIFFERS),
        Entry("Table 6.6", "vortex: pages by order",
              lambda d: [by_order(d, "objects", {0: 4872, 2: 3374, 4: 545, 6: 11})],
              "The workload objects, in the short format.", SPEC_DIFFERS),
        Entry("Table 6.7", "mcf: cycles for a miss", flow_cycles,
              "The workload mcf, a network-flow program.", SPEC_DIFFERS),
        Entry("Table 6.8", "mcf: hit rates",
              lambda d: [shares(d, "mcf", {"SF": (97.21, 93.42), "SF+LP": (100, .22),
                                           "LF+LP": (100, .09)}, {})],
              "The workload mcf, a network-flow program.", SPEC_DIFFERS),
        Entry("Table 6.9", "mcf: pages by order",
              lambda d: [by_order(d, "mcf", {0: 5497, 2: 1028, 4: 96, 6: 39, 8: 17, 10: 9})],
              "The workload mcf, in the short format.", SPEC_DIFFERS),
        Entry("Table 6.10", "SPEC: speed-up by Navarro's superpages", navarro,
              "The workloads of a similar kind, in the long format.", SPEC_DIFFERS),
        Entry("Table 6.11", "Fhourstones", fhourstones,
              "The workload connect4, a search of the same kind.",
              "Our board has 4 rows, and as many columns as the workload's size.  The table has "
              "2^24 entries.  Navarro has a speed-up of 1.360 with 95.65 % fewer misses.  The "
              "thesis says that its 635 million misses of 19 cycles take about 6 s; they take "
              "8 s."),
        Entry("Table 6.12", "SPEC: speed-up by Winwood's superpages", winwood,
              "The workloads of a similar kind, in the long format.", SPEC_DIFFERS),
        Entry("Figure 6.15", "AIM-7 with superpages", missing="Debian has no AIM-7, and none of "
              "the workloads is like it"),
        Entry("Table 6.13", "Compilation of a kernel with superpages", lambda d: build(d, BUILD),
              BUILD_RAN, BUILD_DIFFERS),
        Entry("Figure 6.16", "gcc compiling a large file of the kernel", large_file,
              "The workload compile.large: tcc compiles SQLite's sources, which are a single file.",
              "The thesis prints no numbers.  " + COMPILER_DIFFERS),
        Entry("Table 6.14", "gcc compiling “hello, world”", hello,
              "The workload compile, which compiles the program several times.  The numbers are "
              "the mean, and contain what the shell does to start a process.", COMPILER_DIFFERS),
        Entry("Figure 6.17", "NAS: speed-up by superpages", nas_superpages,
              "The workloads cg, lu and sp, with the default policy.",
              NAS_DIFFERS + "  The thesis prints no numbers.",
              partly="one class, and no bt"),
        Entry("Table 6.15", "NAS: TLB efficiency", nas_efficiency,
              "The workloads cg, lu and sp, with equation 6.1 and the thesis's costs of a miss.",
              NAS_DIFFERS),
        Entry("Table 6.16", "NAS: pages by order", nas_orders,
              "The workloads cg, lu and sp, in the long format.", NAS_DIFFERS),
        Entry("Table 6.17", "lu: cycles for which it waits", lu_stalls, "The workload lu.",
              NAS_DIFFERS + "  The model does not recirculate loads, so L1D_DCURECIR counts fences "
              "only."),
        Entry("Figure 6.18", "NAS with base pages of 4K", nas_small,
              "The workloads cg, lu and sp.", NAS_DIFFERS + "  The thesis prints no numbers."),
    ],
    "Appendix B: lmbench": [
        Entry("Table B.1", "Calls and processes", lmbench_calls,
              "The workload calls, without superpages.", TIME_DIFFERS + "  The thesis rounds its "
              "page faults to 1 µs.  We leave out its kernel with larger page-table entries, which "
              "we do not have."),
        Entry("Table B.2", "Bandwidths", lmbench_bandwidths,
              "The workload calls, without superpages: blocks of 64 KiB, a file of 1 MiB, and "
              "memory of 16 MiB.", TIME_DIFFERS + "  We do not measure the other bandwidths of "
              "lmbench.  Some of them need a network, which the simulated machine does not have.",
              partly="six of the bandwidths"),
        Entry("Table B.3", "Context switches", lmbench_switches,
              "The workload switches, without superpages.", SWITCHES_DIFFER),
    ],
}
