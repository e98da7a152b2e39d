#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compare what the documents quote of the benchmarks with what was recorded.

QUOTES has every passage of a document that quotes the bench, with the names of
figures in the place of numbers and of bars.  How many digits a number has behind the
point is for the document to say; as rounded to those it must be what results.txt and
chase.txt have.  With --update the numbers and bars in the documents are changed to what
was recorded.  With --test every digit of every passage is changed, one at a time, and
every bar is made shorter, to see that it is noticed.

The exit status is 1 if anything differs."""

import argparse
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
RECORD = os.path.join(HERE, "results.txt")
CHASE = os.path.join(HERE, "chase.txt")

README = "README"
COVER = "tools/series/manifest.toml"
ADMIN = "Documentation/admin-guide/mm/superpage.rst"
BENEFIT = "Documentation/admin-guide/mm/superpage_benefit.rst"
VHPT = "Documentation/ia64/vhpt.rst"

NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
BAR = "#+"
CYCLES_A_MARK = 8       # of a bar
CHASED = (4096, 8192, 16384, 32768, 65536)      # KiB


def costs(*rows, orders=("0", "all", "eager")):
    """A table of what is multiplied by superpages: none permitted, by default, eager"""
    return "".join("\n" + text + "".join(f" {{cost-on.{which}.{region}.ratio}}"
                                         for which in orders)
                   for text, region in rows)


# A figure is named RUN.ORDERS.REGION.WHAT.  RUN: tlb, cost-KERNEL, a mode of vhpt=, a value
# of vhpt_rid=, fill-VALUE or chase.  ORDERS: those that were permitted, or none where there are
# no superpages.  REGION: as bench.c or chase.c has it.  WHAT: as results.txt has it, or see
# figures().
QUOTES = {
    README: ["""
    transpose 289 MiB, by rows
        DTLB misses {tlb.0.row.misses} {tlb.all.row.misses}
        page faults {tlb.0.row.faults} {tlb.all.row.faults}
    the same by columns
        DTLB misses {tlb.0.col.misses} {tlb.all.col.misses}
    read each page of 1 GiB
        DTLB misses {tlb.0.walk.misses} {tlb.all.walk.misses}
        inserted by the walker {tlb.0.walk.walker} {tlb.all.walk.walker}
""", costs(
        ("fork, exec, exit and wait", "fork"),
        ("mmap and munmap of 256 KiB", "mmap"),
        ("the same, with a write to each page", "touch"),
        ("page fault", "fault"),
        ("mmap of 1 TiB, one page touched", "reserve"),
        ("1 GiB: populate", "populate"),
        ("mprotect, both ways", "mprotect"),
        ("fork", "fork_big"),
        ("write after fork", "write_after_fork"),
        ("munmap", "munmap")), """
populating 1 GiB takes {cost-on.all.populate.ratio} of
the instructions, and a write to each page of it after fork() {cost-on.all.write_after_fork.ratio}.
""", """
executes up to {cost-on.all.fork.more} % more instructions; mapping
1 TiB to use a page of it takes {cost-on.all.reserve.more} % more.  A fork of a process that
uses 1 GiB takes {cost-on.all.fork_big.more} % more.
""", "".join(f"""
    {kib >> 10} MiB without {{chase.0.pointer.{kib}.cycles_each}} {{chase.0.pointer.{kib}.bar}}
        with {{chase.all.pointer.{kib}.cycles_each}} {{chase.all.pointer.{kib}.bar}}
""" for kib in CHASED)],
    COVER: [costs(
        ("fork() with 1 GiB", "fork_big"),
        ("write to 1 GiB after fork()", "write_after_fork"),
        ("mprotect() of 1 GiB, both ways", "mprotect"),
        ("mmap and munmap of 256 KiB", "mmap"),
        ("fork, exec, exit and wait", "fork"),
        ("munmap() of 1 GiB", "munmap"),
        ("mmap, write to and munmap of 256 KiB", "touch"),
        ("populate 1 GiB", "populate"),
        ("page fault", "fault"),
        ("mmap() of 1 TiB, one page touched", "reserve")), """
  transpose 289 MiB, by rows {tlb.0.row.misses} {tlb.all.row.misses}
  the same by columns {tlb.0.col.misses} {tlb.all.col.misses}
  read each page of 1 GiB {tlb.0.walk.misses} {tlb.all.walk.misses}
""", """
  read each page of 1 GiB {short.0.walk.each} {long.0.walk.each} {none.0.walk.each}
  512 pages, 32 MiB apart, 100 times
      {short.0.sparse.100.each} {long.0.sparse.100.each} {none.0.sparse.100.each}
  10 pages by 64 processes in turn
      {short.0.contend.64.each} {long.0.contend.64.each} {none.0.contend.64.each}
"""],
    ADMIN: ["""
1 GiB, a word of each page, once {short.0.walk.each} {long.0.walk.each} {none.0.walk.each}
matrix transposition {short.0.row.each} {long.0.row.each} {none.0.row.each}
512 pages, each 32 MiB from the next, once
    {short.0.sparse.1.each} {long.0.sparse.1.each} {none.0.sparse.1.each}
the same 100 times {short.0.sparse.100.each} {long.0.sparse.100.each} {none.0.sparse.100.each}
10 pages by 64 processes in turn
    {short.0.contend.64.each} {long.0.contend.64.each} {none.0.contend.64.each}
""", """
fork, exec, exit, wait
    {short.all.fork.thousand} {long.all.fork.thousand} {none.all.fork.thousand}
mmap of 16 pages, touch, munmap
    {short.all.touch.thousand} {long.all.touch.thousand} {none.all.touch.thousand}
mprotect of 1 GiB to read only
    {short.all.mprotect_ro.thousand} {long.all.mprotect_ro.thousand}
    {none.all.mprotect_ro.thousand}
munmap of 1 GiB {short.all.munmap.thousand} {long.all.munmap.thousand} {none.all.munmap.thousand}
""", """
With superpages the matrix has {short.all.row.misses} misses with ``vhpt=short``,
{long.all.row.misses} with ``long`` and {none.all.row.misses} with ``none``, of
{short.0.row.misses}: where
"""],
    BENEFIT: ["""
matrix of 289 MiB transposed: DTLB misses {tlb.0.row.misses} {tlb.all.row.misses}
the same: page faults {tlb.0.row.faults} {tlb.all.row.faults}
one word of each page of 1 GiB: DTLB misses {tlb.0.walk.misses} {tlb.all.walk.misses}
""", """
To populate 1 GiB takes {cost-on.all.populate.ratio} of the instructions that Linux 6.1 needs,
and a write to each page of it after ``fork()`` {cost-on.all.write_after_fork.ratio}.
""", """
as often with superpages as without: {tlb.all.sparse.100.misses} times against
{tlb.0.sparse.100.misses} in 100 rounds.
""", costs(
        ("fork, exec, exit and wait", "fork"),
        ("mmap and munmap of 256 KiB", "mmap"),
        ("the same, with a write to each page", "touch"),
        ("mmap of 1 TiB, one page touched", "reserve"),
        ("fork with 1 GiB", "fork_big"),
        ("munmap of 1 GiB", "munmap"), orders=("0", "all"))],
    VHPT: ["""
For 64 it executes 493 bundles instead of 38: {fill.added} instructions more for each
superpage of 1 MiB, in a walk of 1 GiB.
""", """
linear walk of 1 GiB: DTLB misses        short        {short.0.walk.misses}       65,619
\\                                        long         {long.0.walk.misses}       65,619
linear walk of 1 GiB: walker inserts     short        {short.0.walk.walker}       65,570
\\                                        long         {long.0.walk.walker}            19
512 pages, 32 MiB and a page apart,      short        {short.0.sparse.3.walker}           0
3 loops: walker inserts                  long         {long.0.sparse.3.walker}        about 1,024
matrix: % of misses served by walker     short        {short.0.row.share}        99.73
\\                                        long         {long.0.row.share}        99.93
the same with superpages                 short        {short.all.row.share}     56.10
\\                                        long         {long.all.row.share}     19.71
""", """
With superpages {short.all.row.misses} misses remain of {short.0.row.misses} in the short format,
and {long.all.row.misses} in the long one.
""", """
processes  short             long              none
=========  ================  ================  =======
""" + "".join(f"""
{n} {{short.0.contend.{n}.misses}}, {{short.0.contend.{n}.share}} %
    {{long.0.contend.{n}.misses}}, {{long.0.contend.{n}.share}} % {{none.0.contend.{n}.misses}}
""" for n in (1, 2, 4, 8, 11, 16, 32, 64, 128)), """
64 of these processes with ``vhpt_rid=linear`` fill {linear.0.contend.64.filled} entries,
{linear.0.contend.64.replaced} of them in place of another page's
""", """
scrambled, they fill {scrambled.0.contend.64.filled}, {scrambled.0.contend.64.replaced} of them
in place of another's.
"""],
}


# --- results.txt -------------------------------------------------------------

def load(path=RECORD):
    """The kernels, {name: hash}, and the results, {run: {orders: {region: {what: number}}}}"""
    kernels, results = {}, {}
    if not os.path.exists(path):
        sys.exit(f"documents: error: no {os.path.relpath(path, TOP)}; 'run --record"
                 f"{' chase' if path == CHASE else ''}' writes it")
    with open(path) as f:
        for words in (line.split() for line in f if line.strip() and not line.startswith("#")):
            if words[0] == "kernel":
                kernels[words[1]] = words[2]
                continue
            run, orders, region = words[:3]
            counts = {name: int(n) for name, n in (word.split("=") for word in words[3:])}
            results.setdefault(run, {}).setdefault(orders, {})[region] = counts
    return kernels, results


def load_all():
    """The results of both records"""
    return load(RECORD)[1] | load(CHASE)[1]


def save(kernels, results, path=RECORD):
    with open(path, "w") as f:
        f.write("# SPDX-License-Identifier: GPL-2.0\n#\n"
                "# What the simulator has counted: run, orders permitted, region, counts.\n"
                "# tools/testing/bench/run --record writes this, documents.py reads it.\n")
        for name, digest in kernels.items():
            f.write(f"kernel {name} {digest}\n")
        for run, one in results.items():
            for orders, regions in one.items():
                for region, counts in regions.items():
                    f.write(" ".join([run, orders, region] +
                                     [f"{name}={n}" for name, n in counts.items()]) + "\n")


def figures(results):
    """All that a document may quote, by name."""
    result = {}
    for run, one in results.items():
        for orders, regions in one.items():
            for region, c in regions.items():
                name = f"{run}.{orders}.{region}"
                result |= {f"{name}.{what}": n for what, n in c.items()}
                if run == "chase":
                    each = c["cycles"] / c["ops"]
                    result[name + ".cycles_each"] = each
                    result[name + ".bar"] = "#" * max(round(each / CYCLES_A_MARK), 1)
                    continue
                # instructions for one operation or access, also in thousands
                result[name + ".each"] = c["instructions"] / c["ops"]
                result[name + ".thousand"] = c["instructions"] / c["ops"] / 1000
                # how many % of the DTLB misses the walker served
                result[name + ".share"] = 100 * c["walker"] / max(c["misses"], 1)
            if "mprotect_ro" in regions:
                result[f"{run}.{orders}.mprotect.each"] = \
                    sum(regions[n]["instructions"] for n in ("mprotect_ro", "mprotect_rw"))
    # instructions beside the kernel without the series
    for name in [n for n in result if re.match(r"cost-.*\.each$", n)]:
        pristine = "cost-pristine.none." + name.split(".", 2)[2]
        ratio = result[name] / result[pristine]
        result[name.removesuffix("each") + "ratio"] = ratio
        result[name.removesuffix("each") + "more"] = 100 * ratio - 100      # in %
    # instructions that vhpt_fill=all adds for a superpage of 64 base pages
    result["fill.added"] = 64 * (result["fill-all.1M.walk.each"] -
                                 result["fill-first.1M.walk.each"])
    return result


# --- the documents -----------------------------------------------------------

def read(document):
    with open(os.path.join(TOP, document)) as f:
        return f.read()


def parse(quote):
    """The names of the figures in a quote, and a pattern with a group for each"""
    parts = re.split(r"\{([^}]*)\}", quote.strip())     # every other one is a name
    words = [r"\s+".join(map(re.escape, re.split(r"\s+", part))) for part in parts[::2]]
    pattern = words[0]
    for name, following in zip(parts[1::2], words[1:]):
        pattern += f"({BAR if name.endswith('.bar') else NUMBER})" + following
    return parts[1::2], pattern


def differences(document, text, values):
    """What is wrong in text: [(what, start and end of the number, what it should be), ...]"""
    result = []
    for quote in QUOTES[document]:
        names, pattern = parse(quote)
        found = list(re.finditer(pattern, text))
        if len(found) != 1:
            result.append((f"is {len(found)} times in it, should be once:\n{quote.strip()}",
                           None, None))
            continue
        for i, name in enumerate(names, 1):
            old = found[0][i]
            if name not in values:
                result.append((f"{name}, which it quotes, is no figure", None, None))
                continue
            new = values[name]
            if not isinstance(new, str):
                new = f"{new:,.{len(old.partition('.')[2])}f}"
            if new != old:
                line = text.count("\n", 0, found[0].start(i)) + 1
                result.append((f"line {line}: {old} should be {new} ({name})",
                               found[0].span(i), new))
    return result


def replace(text, found):
    """The text with the right numbers.  What follows in a table stays where it is."""
    for _, (start, end), new in sorted((d for d in found if d[1]), key=lambda d: d[1],
                                       reverse=True):
        before, after = text[:start], text[end:]
        if new.startswith("#"):
            text = before + new + after
            continue
        more = len(new) - (end - start)
        gap = re.match(r"[^\n]*?(?= {3})( +)", after)
        if before.endswith(" " * max(more + 2, 2)):     # keep the right edge
            before = before[:-more] if more > 0 else before + " " * -more
        elif gap and len(gap[1]) > more + 1:            # the next column begins where it did
            after = after[:gap.start(1)] + " " * (len(gap[1]) - more) + after[gap.end():]
        text = before + new + after
    return text


def test(values):
    """Change each digit of each quoted passage, and each bar: it must be noticed."""
    changed = missed = bars = 0
    for document, quotes in QUOTES.items():
        text = read(document)
        for quote in quotes:
            passage = re.search(parse(quote)[1], text)
            for i in (i for i in range(*passage.span()) if text[i].isdigit()):
                changed += 1
                other = text[:i] + str((int(text[i]) + 1) % 10) + text[i + 1:]
                if not differences(document, other, values):
                    missed += 1
                    print(f"{document}: not noticed: digit {text[i]} of {text[i - 9:i + 9]!r}")
            for bar in re.finditer(BAR, passage[0]):
                bars += 1
                end = passage.start() + bar.end()
                if not differences(document, text[:end - 1] + text[end:], values):
                    missed += 1
                    print(f"{document}: not noticed: a shorter {bar[0]}")
    print(f"documents: {changed} digits and {bars} bars changed, {missed} of them not noticed")
    return missed or not changed or not bars


def main():
    parser = argparse.ArgumentParser(
        prog="documents.py", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="write the recorded numbers")
    parser.add_argument("--test", action="store_true", help="see that changes are noticed")
    args = parser.parse_args()
    values = figures(load_all())
    wrong = 0
    for document in QUOTES:
        text = read(document)
        found = differences(document, text, values)
        if args.update and found:
            text = replace(text, found)
            with open(os.path.join(TOP, document), "w") as f:
                f.write(text)
            found = differences(document, text, values)
        for what, _, _ in found:
            print(f"{document}: {what}")
        wrong += len(found)
    print(f"documents: {wrong} differences from "
          f"{' and '.join(os.path.relpath(path, TOP) for path in (RECORD, CHASE))}")
    if wrong:
        return 1
    return 1 if args.test and test(values) else 0


if __name__ == "__main__":
    sys.exit(main())
