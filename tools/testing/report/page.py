#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Write the report's page, index.html, from what "run" has measured.  The numbers of its tables
and plots are also written as CSV, into the folder csv beside it.

The page loads no scripts, fonts or pictures.  It says which measurements are missing."""

import argparse
import csv
import html
import os
import re
import shutil
import sys

from data import (MHZ, Data, Key, Missing, Plot, Series, Table, f, line, n, p, percent, ratio,
                  size_name)
import plots
import thesis

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
OUT = os.path.join(TOP, "build/report")
SLOWER = 0.5        # per cent; the top of the page names what is slower by more

STATES = ("measured", "measured in part", "not in this run", "not measured", "nothing")

# What the page asks of the speed-ups by superpages, with the default policy: at least so much.
BOUNDS = (
    ("mcf", "", 1.20, lambda d: d.speedup("mcf", thesis.SF, thesis.SF_LP)),
    ("objects", "", 1.00, lambda d: d.speedup("objects", thesis.SF, thesis.SF_LP)),
    ("tlbcover", ", a table of 512 MiB, base pages of 16K", 1.09, lambda d: cover(d, "16K")),
    ("tlbcover", ", a table of 512 MiB, base pages of 4K", 1.45, lambda d: cover(d, "4K")),
    ("build", "", 1.00, lambda d: d.speedup("build", thesis.SF, thesis.SF_LP)))

STYLE = """
body { font: 16px/1.45 sans-serif; color: #000; background: #fff; margin: 0 auto; padding: 0 12px;
  max-width: 62em; overflow-wrap: anywhere; }
h1 { font-size: 1.5em; } h2 { font-size: 1.25em; border-bottom: 2px solid; margin-top: 2em; }
h3 { font-size: 1.05em; margin-top: 1.8em; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.85em; margin: 0.5em 0; }
th, td { border: 1px solid #888; padding: 2px 6px; text-align: right; overflow-wrap: normal; }
th { font-weight: normal; background: #eee; } th.ours, td.ours { font-weight: bold; }
th:first-child, td:first-child { text-align: left; }
td.missing { font-weight: normal; font-style: italic; }
figure { margin: 1em 0; max-width: 34em; } figure svg { display: block; width: 100%; height: auto; }
.status { font-style: italic; } .mark { border-left: 6px solid; padding-left: 8px; }
dt { font-weight: bold; } dd { margin: 0 0 0.3em 1em; }
@media print {
  body { font-size: 10pt; max-width: none; } .wide { overflow: visible; }
  table { font-size: 7.5pt; } th, td { padding: 1px 3px; }
  figure, tr, h3 { break-inside: avoid; } h2, h3 { break-after: avoid; }
  figure { max-width: 12cm; }
}
"""


def text(value):
    """@value for HTML, with all white space as single blanks"""
    return html.escape(" ".join(str(value).split()))


def slug(value):
    return re.sub(r"[^a-z0-9.]+", "-", value.lower()).strip("-")


class Page:
    """The body of the page, and the files beside it."""

    def __init__(self, folder):
        self.folder, self.parts, self.contents = folder, [], []
        # No files of an older page may stay.
        shutil.rmtree(os.path.join(folder, "csv"), ignore_errors=True)
        os.makedirs(os.path.join(folder, "csv"))

    def add(self, *parts):
        self.parts += parts

    def head(self, level, title):
        if level == 2:
            self.contents.append(title)
        self.add(f'<h{level} id="{slug(title)}">{text(title)}</h{level}>')

    def numbers(self, name, rows):
        """Write a file of numbers; return a link to it"""
        path = f"csv/{name}.csv"
        with open(os.path.join(self.folder, path), "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(rows)
        return f'<a href="{path}">numbers</a>'

    def table(self, name, table):
        """Add a table, in which missing measurements are called that"""
        def cell(i, value, tag):
            ours = i in table.ours
            kind = ' class="missing"' if value is None else ' class="ours"' if ours else ""
            return f"<{tag}{kind}>{'not measured' if value is None else text(value)}</{tag}>"

        self.add('<div class="wide"><table><thead><tr>' +
                 "".join(cell(i, v, "th") for i, v in enumerate(table.head)) +
                 "</tr></thead><tbody>" +
                 "\n".join("<tr>" + "".join(cell(i, v, "td") for i, v in enumerate(row)) + "</tr>"
                           for row in table.rows) + "</tbody></table></div>")
        link = self.numbers(name, [table.head] + [[getattr(v, "value", v) for v in row]
                                                  for row in table.rows])
        self.add(f"<p>{text(table.note)} {link}</p>")

    def plot(self, plot):
        """Add a plot, or a line that there is nothing to draw"""
        svg = plots.draw(plot)
        if not svg:
            self.add(f'<p class="status">No plot “{text(plot.title)}”: not measured.</p>')
            return
        rows = [["series", "x", "y"]]
        for series in plot.drawn():
            points = series.points if plot.groups is None else zip(plot.groups, series.points)
            rows += [[series.label, x, y] for x, y in points if y is not None]
        absent = [series.label for series in plot.series if series not in plot.drawn()]
        # The check of the page compares the plots with these files.
        link = self.numbers("plot-" + plot.name, rows)
        self.add(f'<figure id="{plot.name}">{svg}<figcaption>{text(plot.title)}; {link}.' +
                 (f" Not measured: {text(', '.join(absent))}." if absent else "") +
                 "</figcaption></figure>")

    def blocks(self, name, blocks):
        """Add tables and plots"""
        for i, block in enumerate(blocks):
            if isinstance(block, Plot):
                self.plot(block)
            else:
                self.table(f"{name}-{i + 1}" if i else name, block)

    def write(self, title, intro):
        """Write the page; return its path"""
        contents = "".join(f'<li><a href="#{slug(t)}">{text(t)}</a></li>' for t in self.contents)
        path = os.path.join(self.folder, "index.html")
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write("<!DOCTYPE html>\n<!-- SPDX-License-Identifier: GPL-2.0 -->\n"
                       '<html lang="en"><head><meta charset="utf-8">'
                       '<meta name="viewport" content="width=device-width, initial-scale=1">'
                       '<link rel="icon" href="data:,">'
                       f"<title>{text(title)}</title><style>{STYLE}</style></head><body>"
                       f"<h1>{text(title)}</h1>" + "\n".join(intro) +
                       f"<ul>{contents}</ul>" + "\n".join(self.parts) + "</body></html>\n")
        os.replace(path + ".new", path)
        return path


# --- the thesis ----------------------------------------------------------------------------------

def state_of(blocks):
    """Whether our measurements are complete, some of them, or none"""
    cells = [cell for block in blocks for cell in block.cells() if cell != ""]
    if not any(cell is not None for cell in cells):
        return "not in this run"
    return "measured" if None not in cells else "measured in part"


def add_entry(page, entry, d):
    """Add one figure or table; return its state"""
    page.head(3, f"{entry.number}: {entry.title}")
    if entry.shows:
        page.add(f'<p class="status">Nothing to measure: {text(entry.shows)}.</p>')
        return "nothing"
    if entry.missing:
        page.add(f'<p class="status">Not measured: {text(entry.missing)}.</p>')
        return "not measured"
    blocks = entry.show(d)
    state = state_of(blocks)
    if state == "measured" and entry.partly:
        state = "measured in part"
    why = {"measured": "Measured.",
           "measured in part": f"Measured in part: {entry.partly}." if entry.partly else
           "Measured in part.  The rest was not run this time, or the text "
           "below says why it is missing.", "not in this run": "Not measured in this run."}[state]
    page.add(f'<p class="status">{why}</p>')
    page.blocks(slug(entry.number), blocks)
    sizes = ", ".join(f"{name} {size}" for name, size in d.sizes.items()
                      if re.search(rf"\b{re.escape(name)}\b(?!\.\w)", entry.ran))
    page.add(f"<dl><dt>What was run</dt><dd>{text(entry.ran)}" +
             (f"  Sizes here: {text(sizes)}." if sizes else "") + "</dd>"
             f"<dt>How it differs from the thesis</dt><dd>{text(entry.differs)}</dd></dl>")
    return state


def add_thesis(page, d):
    """Add the thesis's figures and tables; return [(entry, state)]"""
    states = []
    for chapter, entries in thesis.CHAPTERS.items():
        page.head(2, chapter)
        states += [(entry, add_entry(page, entry, d)) for entry in entries]
    return states


# --- our own -------------------------------------------------------------------------------------

def cover(d, page):
    """The speed-up of tlbcover with its largest table"""
    return d.part_speedup("transform.512", "tlbcover", ("short", "off", page),
                          ("short", "default", page))


def loss(d, key):
    """How many % slower a run is than the same without superpages, or None"""
    gain = d.speedup(key.workload, (key.vhpt, "off", key.page), (key.vhpt, key.setting, key.page),
                     dtlb=key.dtlb, cpus=key.cpus)
    return gain and 100 / gain - 100


def name_of(key):
    """A run in words"""
    return f"{key.workload}, {key.page}, {key.vhpt}" + \
        (f", {key.cpus} processors" if key.cpus != 1 else "")


def compared(d):
    """[(% slower, where)] of the runs with the default policy that have one without superpages to
    be compared with, the worst first, and the number of those that have none"""
    # misscost measures both by itself.
    keys = [key for key in d.rows if key.setting == "default" and key.workload != "misscost"]
    found = [(loss(d, key), name_of(key)) for key in keys]
    pairs = sorted(((much, where) for much, where in found if much is not None), reverse=True)
    return pairs, len(found) - len(pairs)


def bounds(d):
    """A table of what was asked, and whether it is met"""
    rows = []
    for workload, more, asked, measured in BOUNDS:
        here = measured(d)
        size = d.sizes.get(workload)
        if size and size != str(thesis.programs.WORKLOADS[workload][2]):
            more += f" (of size {size}; this was asked of the full size)"
        rows.append([f"speed-up of {workload}{more}", f"at least {asked:.2f}", f(here),
                     None if here is None else "yes" if here >= asked else "NO"])
    pairs, _ = compared(d)
    worst = pairs[0][0] if pairs else None
    rows.append(["slowdown of each workload, in each format and with each base page",
                 f"at most {SLOWER} %", None if worst is None else p(max(worst, 0)),
                 None if worst is None else "yes" if worst <= SLOWER else "NO"])
    return Table(["superpages, default policy", "asked", "here", "met"], rows, (2, 3))


def add_workloads(page, d):
    """Add a table for each workload that was run"""
    page.head(2, "Workloads")
    page.add("<p>The numbers are of the whole program, user and kernel.  The speed-up compares a "
             "run with <i>off</i>, the run without superpages that has the same base page and "
             "format.  A ! marks a run that is slower by more than 0.5 %.  <i>In the kernel</i> is "
             "the part of the cycles at privilege level 0; with several processors, of the cycles "
             "of all of them.  Misses are those of the data TLB.  "
             "The page-table walker serves some of them, and software serves the others.  Without "
             "a walker, the handlers themselves miss, too.  We looked at the memory every 100 ms.  "
             "<i>Resident</i> and <i>superpages</i> are of all processes of the workload, at the "
             "moment when most was resident, and 0 if they ended before the first look.</p>")
    for workload in dict.fromkeys(key.workload for key in d.rows):
        page.head(3, f"{workload}, size {d.sizes[workload]}")
        rows = []
        for key, row in d.rows.items():
            # The TLB reduction test has a section of its own.
            if key.workload != workload or not Key(*key[:5], 1).usual() or key.setting == "small":
                continue
            much = loss(d, key)
            sizes = d.superpages(workload, key.vhpt, key.setting, key.page, cpus=key.cpus)
            sizes = " ".join(f"{size_name(kb)}:{percent(kb_of, row['anon_kb'] or None) or 0:.0f}%"
                             for kb, kb_of in sizes if kb_of)
            mark = "!" if much is not None and much > SLOWER else ""
            # Those in the kernel are added up over the processors, and the others are not.
            rows.append([f"{key.page} {key.vhpt} {key.setting}" +
                         (f", {key.cpus} processors" if key.cpus != 1 else ""),
                         mark, f(100 / (much + 100)) if much is not None else "no off",
                         n(row["cycles"] / 1000),
                         p(percent(row["kernel"], row["cycles"] * key.cpus), 1),
                         n(row["misses"]), n(row["walker"]), n(row["misses"] - row["walker"]),
                         n(row["faults"]), f(row["peak_kb"] / 1024, 1), f(row["rss_kb"] / 1024, 1),
                         sizes or "none"])
        page.table("workload-" + workload,
                   Table(["run", "!", "speed-up", "kcycles", "in the kernel", "misses",
                          "by the walker", "other", "page faults", "peak MiB", "resident MiB",
                          "superpages"], rows))


def add_latency(page, d):
    """Add latency curves over growing arrays"""
    page.head(2, "Latency of memory")
    page.add("<p>Each plot shows what a load takes from arrays of growing size.  <i>stride</i> "
             "reads one word of each KiB.  <i>random</i> jumps without waiting for the word that "
             "it has loaded.  <i>chained</i> computes the next address from the word that it has "
             "loaded.  <i>pointer</i> follows a ring of pointers.  On an Itanium 2 of 1.3 GHz with "
             "3 MiB of L3, others measured 2 cycles in L1D, 6 to 10 in L2, 20 to 35 in L3, and "
             "160 ns more in memory.  The article “Memory benchmarks: the forgotten TLB” measured "
             "a 64-bit PC with .NET: a load went from 110 ns to 185 ns when the page tables no "
             "longer fitted the cache.  Our arrays are too small to show that.</p>")
    kinds = ("stride", "random", "chained", "pointer")
    for kind in kinds:
        sizes = sorted(int(name.split(".")[1]) for name in d.parts_of(kind))
        page.plot(Plot("latency-" + kind, f"{kind}: base pages of 16K, short format", "KiB",
                       "cycles for a load",
                       [line({"off": "base pages", "default": "superpages"}[setting],
                             [(kib, d.part(f"{kind}.{kib}", kind, "short", setting))
                              for kib in sizes]) for setting in ("off", "default")], log_x=True))


def miss_cost(d, vhpt, page="16K"):
    """Cycles for a miss in a base page, and in a superpage of four, as measured"""
    return [d.part(f"miss.{pages}", "misscost", vhpt, "default", page) for pages in (1, 4)]


def predicted(d, vhpt, row):
    """Cycles that the misses of a run take, or None"""
    base, large = miss_cost(d, vhpt)
    # The walker of the long format finds superpages, too.
    software = {"short": large, "long": miss_cost(d, "none")[0], "none": base}[vhpt]
    walker = 0 if vhpt == "none" else base
    if walker is None or software is None:
        return None
    return walker * row["walker"] + software * (row["misses"] - row["walker"])


def add_costs(page, d):
    """Add the estimate of the LWN article, the waiting time, and what superpages gain"""
    page.head(2, "What misses cost")
    page.add("<p>The article “Huge pages part 5” (LWN, 2010) predicts what large pages can gain "
             "at most: the number of misses times the cost of one, as a part of all cycles.  The "
             "first table has the costs that tlbmiss-cost measured for this report.  With the "
             "short format, we take that in base pages for a miss that the walker serves, and that "
             "in superpages, which its walker does not find, for one that software serves.  With "
             "the long format, we take that without a walker for one that software serves.</p>")
    page.table("miss-costs", Table(
        ["base pages, format", "cycles for a miss in a base page", "in a superpage of four"],
        [[f"{size} {vhpt}", *(f(v, 1) for v in miss_cost(d, vhpt, size))]
         for size in thesis.PAGES for vhpt in thesis.FORMATS], (1, 2)))
    page.add("<p><i>Waited</i> is the part of the cycles for which the model's "
             "processor waited for the walker or the TLB.  <i>Gained</i> is what superpages saved. "
             " They can gain more than predicted, because they also save page faults.  They can "
             "gain less, because some misses remain, and because an access that no longer waits "
             "for the TLB may still wait for memory.</p>")
    rows, estimates, won, names = [], [], [], []
    for workload in dict.fromkeys(key.workload for key in d.rows):
        for vhpt in thesis.FORMATS:
            off, on = d.row(workload, vhpt), d.row(workload, vhpt, "default")
            if off is None:
                continue
            cost = percent(predicted(d, vhpt, off), off["cycles"])
            waited = off["stall_walk"] + off["stall_dtlb"]
            saved = on and percent(off["cycles"] - on["cycles"], off["cycles"])
            rows.append([f"{workload}, {vhpt}", n(off["misses"]),
                         n(off["misses"] and off["cycles"] / off["misses"]), p(cost),
                         p(percent(waited, off["cycles"])), p(saved)])
            if vhpt == "short":
                names.append(workload)
                estimates.append(cost)
                won.append(saved)
    page.table("costs", Table(["workload, base pages of 16K", "misses", "cycles between misses",
                               "predicted", "waited", "gained"], rows, (1, 2, 3, 4, 5)))
    page.plot(Plot("costs", "Base pages of 16K, short format: predicted and gained", "",
                   "% of cycles", [Series("predicted", estimates), Series("gained", won)], names))


def add_pristine(page, d):
    """Add what the kernel costs where no superpages are permitted, and what it costs with them"""
    page.head(2, "Beside the pristine kernel")
    page.add("<p>All other speed-ups on this page compare superpages with the same kernel and "
             "<i>off</i>, where no size is permitted.  This table compares both with Linux without "
             "the series: base pages of 16K, short format.  More than 1 is slower.</p>")
    rows = []
    for workload in ("calls", "switches", "server"):
        for part in d.parts_of(workload):
            pristine, off, on = (d.part(part, workload, "short", setting)
                                 for setting in ("pristine", "off", "default"))
            rows.append([f"{workload}, {part}", n(pristine), f(ratio(off, pristine)),
                         f(ratio(on, pristine))])
        pristine, off, on = (d.count("cycles", workload, "short", setting)
                             for setting in ("pristine", "off", "default"))
        rows.append([f"{workload}, all of it", n(pristine), f(ratio(off, pristine)),
                     f(ratio(on, pristine))])
    page.table("pristine", Table(["workload, part", "cycles, pristine", "off", "superpages"], rows,
                                 (1, 2, 3)))


def add_processors(page, d):
    """Add what superpages do with several processors"""
    page.head(2, "Four processors")
    page.add("<p>Base pages of 16K, short format.  The cycles are those from start to end.</p>")
    rows = []
    for workload in dict.fromkeys(key.workload for key in d.rows if key.cpus == 4):
        one, four = (d.count("cycles", workload, cpus=cpus) for cpus in (1, 4))
        rows.append([workload, n(one), n(four),
                     *(f(d.speedup(workload, thesis.SF, thesis.SF_LP, cpus=cpus))
                       for cpus in (1, 4))])
    page.table("processors", Table(["workload", "cycles, one processor", "four", "speed-up by "
                                    "superpages, one processor", "four"],
                                   rows or [["", *[None] * 4]], (1, 2, 3, 4)))


def add_calls(page, d):
    """Add what superpages do to system calls, context switches and STREAM's kernels"""
    page.head(2, "Calls and bandwidths")
    page.add("<p>This table shows what superpages do to the workloads calls and switches.  The "
             "tables of appendix B compare the same workloads with lmbench, without "
             "superpages.</p>")
    rows = []
    for workload in ("calls", "switches"):
        for part in d.parts_of(workload):
            off, on = (thesis.micros(d, part, workload, how) for how in (thesis.SF, thesis.SF_LP))
            rows.append([part, f(off), f(on), f(ratio(on, off))])
    page.table("calls", Table(["call", "µs, base pages", "µs, superpages", "base pages = 1"], rows,
                              (1, 2, 3)))
    rows = []
    for part in ("copy", "scale", "add", "triad"):
        speeds = [d.part(part, "stream", *how) for how in (thesis.SF, thesis.SF_LP)]
        rows.append([part] + [f(v and MHZ / v, 0) for v in speeds])
    page.add("<p>STREAM's kernels, in MB/s (10<sup>6</sup> bytes a second):</p>")
    page.table("stream", Table(["kernel", "base pages", "superpages"], rows, (1, 2)))


def intro(d, states):
    """The top of the page"""
    by_state = {}
    for entry, state in states:
        by_state.setdefault(state, []).append(entry.number)
    count = {state: len(by_state.get(state, ())) for state in STATES}
    found = [f'<p id="summary"><b>{count["measured"] + count["measured in part"]} of '
             f'{len(states) - count["nothing"]} figures and tables measured</b>, '
             f'{count["measured in part"]} of these in part.  {count["nothing"]} more show a '
             f'program, '
             "a diagram or a property of the processor.  All of them are listed below.</p>"]
    if d.failures:
        items = "".join(f"<li>{text(what)}</li>" for what in d.failures)
        found.append(f'<div class="mark" id="failures"><p><b>Problems: {len(d.failures)}</b>.  '
                     "What failed is not on this page; where outputs differ, some result is wrong:"
                     f"</p><ul>{items}</ul></div>")
    for state, what in (("not measured", "Not measured, for reasons given below"),
                        ("not in this run", "Not measured in this run")):
        if count[state]:
            found.append(f'<p class="absent">{what}: {text(", ".join(by_state[state]))}.</p>')
    pairs, alone = compared(d)
    bad = [(much, where) for much, where in pairs if much > SLOWER]
    if bad:
        items = "".join(f"<li>! {text(where)}: {much:.1f} % slower</li>" for much, where in bad)
        found.append('<div class="mark"><p><b>Superpages make these slower by more than 0.5 %</b>, '
                     f"with the default policy:</p><ul>{items}</ul></div>")
    elif pairs:
        found.append(f"<p>Superpages make none of {len(pairs)} runs with the default policy slower "
                     "by more than 0.5 %.</p>")
    if alone:
        found.append(f"<p>{alone} runs with the default policy have no run without superpages to "
                     "be compared with.</p>")
    sets = [list(dict.fromkeys(key[i] for key in d.rows if key.usual())) for i in range(4)]
    found.append(f"<p>{len(d.rows)} runs of {len(sets[0])} workloads, with base pages of "
                 f"{', '.join(sets[1])}; VHPT {', '.join(sets[2])}; superpages "
                 f"{', '.join(sets[3])}.  We ran them in the simulator ia64sim with -timing "
                 "madison, its model of an Itanium 2 of 1.5 GHz, which begins with each workload: "
                 "all caches are cold then.  None of our numbers is from a "
                 "real machine.  The thesis measured on one.  Columns and lines named “here” have "
                 "our numbers, those named “thesis” the thesis's.</p>")
    wanted = {"base pages of": (("4K", "16K", "64K"), sets[1]),
              "the VHPT": (("short", "long", "none"), sets[2]),
              "superpages": (("off", "eager", "default"), sets[3])}
    absent = [f"{what} {name}" for what, (all_of, some) in wanted.items() for name in all_of
              if name not in some]
    if absent:
        found.append(f'<p class="status">Not in this run: {text(", ".join(absent))}.</p>')
    found.append("<dl>" + "".join(f"<dt>{text(what)}</dt><dd>{text(value)}</dd>"
                                  for what, value in d.about.items()) + "</dl>")
    return found


def write(folder):
    """Write the page from the measurements in @folder; return its path"""
    d = Data(folder)
    if not d.rows:
        raise Missing(f"no measurements in {folder}; tools/testing/report/run makes them")
    page = Page(folder)
    page.head(2, "What was asked")
    page.table("bounds", bounds(d))
    states = add_thesis(page, d)
    add_workloads(page, d)
    add_latency(page, d)
    add_costs(page, d)
    add_calls(page, d)
    add_pristine(page, d)
    add_processors(page, d)
    return page.write("Superpages: the evaluation", intro(d, states))


def main():
    parser = argparse.ArgumentParser(prog="page.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=OUT, help="the folder that has the "
                        "measurements, and gets the page (build/report)")
    try:
        print(write(parser.parse_args().folder))
    except Missing as problem:
        sys.exit(f"page.py: error: {problem}")


if __name__ == "__main__":
    main()
