#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Test measure.py, with a script in place of the simulator, and page.py, with invented numbers."""

import collections
import csv
import io
import os
import re
import stat
import tempfile
import threading
import unittest

import data
import made_up
import measure
import page
import thesis
from thesis import programs

SIMULATOR = """#!/bin/sh
# The content of the initramfs says how the run ends; each run adds a line to the file runs.
echo run >>$(dirname "$0")/runs
for last; do :; done
while [ "$1" != -initrd ]; do shift; done
echo '{"count": '$(cat "$2" | wc -c)'}' >"$last"
case $(cat "$2") in
good*)	printf 'booted\\r\\n\\r\\nsuperpage.result: exit=0\\r\\n' ;;
warn*)	printf '[ 1.0] WARNING: CPU: 0\\r\\n\\r\\nsuperpage.result: exit=0\\r\\n' ;;
hangs*)	exec sleep 60 ;;
bad*)	printf 'booted\\r\\n\\r\\nsuperpage.result: exit=3\\r\\n' ;;
empty*)	printf 'booted\\r\\n\\r\\nsuperpage.result: exit=0\\r\\n'; echo '{}' >"$last" ;;
esac
"""


def keep(stats):
    """Keep one count of -stats"""
    return stats.get("count")


def extract(count, console):
    """Take a result from a run"""
    return {"count": count, "booted": "booted" in console} if count else None


class TestMeasure(unittest.TestCase):
    """Each test has a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.simulator = self.write("simulator", SIMULATOR)
        os.chmod(self.simulator, stat.S_IRWXU)
        self.kernel = self.write("kernel", "a kernel")
        self.said = io.StringIO()

    def write(self, name, text):
        """Write a file; return its path"""
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="ascii") as f:
            f.write(text)
        return path

    def one(self, text="good", extract=extract, **more):
        """A measurement whose initramfs has this text"""
        path = self.write("initramfs-" + text, text)
        return measure.Measurement("of " + text, self.kernel, path, more.pop("keep", keep),
                                   extract, **more)

    def cache(self):
        """The cache as a new process would open it"""
        return measure.Cache(os.path.join(self.folder, "cache"), self.simulator)

    def run_all(self, *measurements, jobs=2, limit=60):
        """Results, and the messages of failures"""
        results, failures = measure.run_all(self.cache(), measurements, jobs, self.said, limit)
        return results, [str(problem) for problem in failures.values()]

    def runs(self):
        """How often the simulator was run"""
        path = os.path.join(self.folder, "runs")
        if not os.path.exists(path):
            return 0
        with open(path, encoding="ascii") as f:
            return len(f.readlines())

    def test_result(self):
        """The result is made from the counts and the console"""
        one = self.one()
        results, failures = self.run_all(one)
        self.assertEqual(results, {one: {"count": 4, "booted": True}})
        self.assertFalse(failures)
        self.assertIn("1 of 1 (0 from the cache)", self.said.getvalue())

    def test_not_twice(self):
        """The second time the result is in the cache, wherever the input files are"""
        self.run_all(self.one())
        os.rename(self.kernel, self.kernel + "2")
        self.kernel += "2"
        one = self.one()
        self.assertEqual(self.run_all(one)[0][one]["count"], 4)
        self.assertEqual(self.runs(), 1)

    def test_another_extract(self):
        """Another result of the same run needs no other run"""
        self.run_all(self.one())
        one = self.one(extract=lambda count, console: console.split()[0])
        results, _ = self.run_all(one)
        self.assertEqual(results, {one: "booted"})
        self.assertEqual(self.runs(), 1)

    def test_same_at_once(self):
        """Two measurements that differ only in their names need one run"""
        one, two = self.one(), self.one()
        two = measure.dataclasses.replace(two, name="another")
        results, _ = self.run_all(one, two)
        self.assertEqual(len(results), 2)
        self.assertEqual(self.runs(), 1)

    def test_inputs(self):
        """The key depends on each input"""
        base = self.one()
        for other in (self.one("good too"), self.one(append="x"), self.one(memory="1G"),
                      self.one(cpus=4), self.one(options=("-timing", "madison"))):
            self.assertNotEqual(self.cache().key(base), self.cache().key(other))
        key = self.cache().key(base)
        self.write("kernel", "another kernel")
        self.assertNotEqual(key, self.cache().key(base))
        key = self.cache().key(base)
        self.write("simulator", SIMULATOR + "# newer\n")
        self.assertNotEqual(key, self.cache().key(base))
        other = self.one(keep=lambda stats: stats)
        self.assertNotEqual(self.cache().key(base), self.cache().key(other))

    def test_frozen(self):
        """A copy keeps its name and content when a build replaces the file"""
        folder = os.path.join(self.folder, "inputs")
        copy = measure.freeze(self.kernel, folder)
        self.assertEqual(copy, measure.freeze(self.kernel, folder))
        self.write("kernel", "another kernel")
        with open(copy, encoding="ascii") as f:
            self.assertEqual(f.read(), "a kernel")
        self.assertNotEqual(copy, measure.freeze(self.kernel, folder))
        self.assertEqual(len(os.listdir(folder)), 2)

    def test_damaged(self):
        """A file of the cache that is no result counts for nothing"""
        one = self.one()
        for runs, text in enumerate(("{", "{}", "7"), 2):
            self.run_all(one)
            with open(self.cache().path(one), "w", encoding="ascii") as f:
                f.write(text)
            self.assertFalse(self.run_all(one)[1])
            self.assertEqual(self.runs(), runs)

    def test_complaint(self):
        """A run fails if the kernel complains, though its program ends well"""
        self.assertEqual(self.run_all(self.one("warn"))[1],
                         ["of warn: the kernel complained: [ 1.0] WARNING: CPU: 0"])
        one = self.one("warn")
        _, failures = measure.run_all(self.cache(), [one], 1, self.said)
        self.assertIn("superpage.result: exit=0", failures[one].console)
        self.assertFalse(measure.COMPLAINT.search(
            "x\n[ 0.1] WARNING: workqueue cpumask: online intersect > possible intersect\ny"))

    def test_hung(self):
        """A run that does not end fails"""
        self.assertEqual(self.run_all(self.one("hangs"), limit=0.5)[1],
                         ["of hangs: the run did not end in 0.5 seconds"])

    def test_odd_output(self):
        """Output that cannot be understood fails the run, and no other"""
        def fussy(count, _console):
            return int("x" if count > 4 else count)
        good, odd = (self.one(text, fussy) for text in ("good", "good too"))
        results, failures = self.run_all(odd, good)
        self.assertEqual(results, {good: 4})
        self.assertRegex(failures[0], "^of good too: odd output: invalid literal")

    def test_failure(self):
        """A failure is told and not kept, and the other runs go on"""
        good, bad = self.one(), self.one("bad")
        for runs in (2, 3):
            results, failures = self.run_all(bad, good, jobs=1)
            self.assertEqual(list(results), [good])
            self.assertEqual(failures, ["of bad: the run failed: booted; superpage.result: exit=3"])
            self.assertEqual(self.runs(), runs)

    def test_no_result(self):
        """A run ends well, but has no result"""
        self.assertEqual(self.run_all(self.one("empty"))[1], ["of empty: the run has no result"])

    def test_dead(self):
        """The simulator prints nothing, or cannot be started"""
        self.assertEqual(self.run_all(self.one("x"))[1], ["of x: the run failed: nothing"])
        os.chmod(self.simulator, stat.S_IRUSR)
        self.assertEqual(len(self.run_all(self.one())[1]), 1)

    def test_time_left(self):
        """The time left is computed from the runs of the same workload, or else of all, and from
        how many run at a time"""
        def named(name):
            return measure.Measurement(name, "", "", keep, extract)
        progress = measure.Progress([named(f"a {i}") for i in range(5)] + [named("b"), named("c")],
                                    2, self.said)
        self.assertIsNone(progress.left())
        progress.tell("a 0", 100, True)
        progress.tell("a 1", 60)
        progress.tell("b", 20)
        progress.tell("a 2", None)
        self.assertEqual(progress.left(), (2 * 80 + 60) / 2)
        self.assertIn("report: 4 of 7 (1 from the cache)", self.said.getvalue())
        self.assertIn("about 1m50s left: a 2", self.said.getvalue())

    def test_every_minute(self):
        """While nothing ends, a line says what is running"""
        progress = measure.Progress([], 1, self.said)
        progress.start("one")
        threading.Timer(0.3, progress.ended.set).start()
        progress.every_minute(0.05)
        self.assertIn(": running one\n", self.said.getvalue())


CONSOLE = """
[    0.5] region 7 of something
part walk ops=5 cycles=70
part walk ops=1 cycles=7
part cover ops=3 cycles=2 region=2
point fault x=3 y=4
measured faults=12 peak_kb=3 rss_kb=2 anon_kb=1 Superpages64kB=64
0123 /tmp/out
"""


def a_region(number, misses):
    """A region of -stats"""
    return {"cycles": 9, "number": number, "instructions": {"all": 5, "loads": 1, "stores": 1},
            "tlb": {"data": {"misses": misses, "walker_inserts": {"all": 1},
                             "software_inserts": {"all": 0}}}}


class TestCounts(unittest.TestCase):
    """What programs.py takes from the console"""

    def counts(self, console):
        regions = [a_region(1, 1), a_region(2, 20), a_region(1, 300)]
        return programs.counts_of(programs.regions_of({"regions": regions}), console)

    def test_lines(self):
        counts = self.counts(CONSOLE)
        self.assertEqual(counts["misses"], 321)
        self.assertEqual(counts["parts"]["walk"], {"ops": 6, "cycles": 77, "counts": {}})
        self.assertEqual(counts["parts"]["cover"]["ops"], 3)
        self.assertEqual(counts["parts"]["cover"]["counts"]["misses"], 20)
        self.assertEqual(counts["points"], {"fault": [(3, 4)]})
        self.assertEqual((counts["faults"], counts["superpages"], counts["sum"]),
                         (12, {"64": 64}, "0123"))

    def test_damaged(self):
        """A message of the kernel in the midst of a line makes it invalid"""
        for field in ("ops=1 cy", "x=3", "faults=12 pe", "cycles=70", "cycles=2 re"):
            with self.assertRaises(ValueError):
                self.counts(CONSOLE.replace(field, field[:-1] + "[ 3.1] a = message"))
        self.assertIsNone(self.counts(CONSOLE.replace("measured", "[ 3.1]")))

    def test_two_regions(self):
        """A part is one region"""
        with self.assertRaises(ValueError):
            self.counts(CONSOLE + "part cover ops=3 cycles=2 region=2\n")

    def test_no_region(self):
        """A part has a region that is not in -stats"""
        with self.assertRaises(KeyError):
            self.counts(CONSOLE.replace("region=2", "region=3"))


class TestFiles(unittest.TestCase):
    """What programs.py puts into a guest"""

    def test_compiler(self):
        """The compiler and its folder, and not the folder that has both"""
        with tempfile.TemporaryDirectory() as folder:
            names = ["cc", "host", "mcf", "tcc"]
            for name in names:
                os.mkdir(os.path.join(folder, name))
            self.assertEqual(programs.files_of("compile", [folder]),
                             [os.path.join(folder, name) for name in ("cc", "tcc")])


class TestRun(unittest.TestCase):
    """What "run" runs, and what it takes from it"""
    run_ = made_up.run

    def count(self, **more):
        """How many runs each workload has"""
        found = collections.Counter()
        for name in programs.WORKLOADS:
            for page_size in self.run_.PAGE_SIZES:
                for mode in programs.MODES:
                    for setting in self.run_.SETTINGS:
                        found[name] += len(list(self.run_.variants(
                            name, page_size, mode, setting, more.get("quick", False))))
        return found

    def test_variants(self):
        """All settings for most workloads, and more or fewer for some"""
        found = self.count()
        self.assertEqual(found["lua"], 3 * 3 * 3)
        self.assertEqual(found["each"], 3)
        self.assertEqual(found["objects.faults"], 2)
        self.assertEqual(found["server"], 27 + 1 + 2)
        self.assertEqual(found["objects"], 27 + 10 + 2 * 11)
        self.assertEqual(self.count(quick=True)["objects"], 27)
        self.assertEqual(list(self.run_.variants("server", "16K", "short", "off", False)),
                         [(128, 1), (128, 4)])

    def test_reduced(self):
        """The reduction test has 11 sizes of the TLB"""
        sizes = [n for n, _ in self.run_.variants("objects", "16K", "long", "small", False)]
        self.assertEqual(sorted(sizes), list(range(48, 129, 8)))

    def test_different(self):
        """A run whose output differs is named"""
        rows, results = [], {}
        for name, output in (("lua a", "1"), ("lua b", "1"), ("lua c", "2"), ("mcf a", "3")):
            m = measure.Measurement(name, "", "", keep, extract)
            rows.append(((name.split()[0], 7), m))
            results[m] = {"sum": output}
        self.assertEqual(list(self.run_.different(rows, results)), [
            "lua, size 7: the output is not the same in all runs: 2 agree, and not lua c"])


class TestPage(unittest.TestCase):
    """Each test has a page of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        made_up.write(self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def keep(self, wanted):
        """Remove the measurements that are not wanted"""
        for name in ("measurements.csv", "parts.csv", "points.csv"):
            with open(self.path(name), encoding="ascii", newline="") as f:
                rows = list(csv.DictReader(f))
            with open(self.path(name), "w", encoding="ascii", newline="") as f:
                writer = csv.DictWriter(f, rows[0])
                writer.writeheader()
                writer.writerows(row for row in rows
                                 if wanted({"page_size": "16K", "workload": ""} | row))

    def html(self):
        """The page"""
        with open(page.write(self.folder), encoding="utf-8") as f:
            return f.read()

    def section(self, text, head):
        """What the page says about one figure, table or workload"""
        return re.search(rf"<h3[^>]*>{head}[:,].*?(?=<h[23])", text, flags=re.DOTALL)[0]

    def test_complete(self):
        """The page lists each figure and table of both chapters and the appendix once"""
        numbers = [entry.number for entries in thesis.CHAPTERS.values() for entry in entries]
        there = [f"{kind} {chapter}.{i}" for kind, chapter, last in (
            ("Figure", 4, 10), ("Table", 4, 8), ("Figure", 6, 18), ("Table", 6, 17),
            ("Table", "B", 3))
            for i in range(1, last + 1)]
        self.assertEqual(sorted(numbers), sorted(there))
        text = self.html()
        for number in there:
            self.assertEqual(len(re.findall(f">{number}:", text)), 1, number)

    def test_order(self):
        """Figures are in order, and so are tables"""
        for entries in thesis.CHAPTERS.values():
            for kind in ("Figure", "Table"):
                found = [int(entry.number.split(".")[1]) for entry in entries
                         if entry.number.startswith(kind)]
                self.assertEqual(found, sorted(found))

    def test_says_why(self):
        """An entry with measurements says how they differ, and any other why it has none"""
        for entries in thesis.CHAPTERS.values():
            for entry in entries:
                has = (bool(entry.show and entry.ran and entry.differs), bool(entry.missing),
                       bool(entry.shows))
                self.assertEqual(sum(has), 1, entry.number)

    def test_partly(self):
        """What does not show all of a figure is not called measured"""
        text = self.section(self.html(), "Figure 6.17")
        self.has("Measured in part: one class, and no bt.", text)

    def test_sizes(self):
        """The sizes of this report's workloads are at each figure and table"""
        self.has("Sizes here: matrix 1, columns 1.", self.section(self.html(), "Figure 6.3"))
        self.has("Sizes here: mcf.faults 1, objects.faults 1.",
                 self.section(self.html(), "Figure 6.14"))

    def test_null_io(self):
        """It is the mean of a read and a write"""
        d = data.Data(self.folder)
        cycles = sum(d.part(part, "calls") for part in ("read", "write")) / 2
        self.assertIn(f"{cycles / 1500:.3f}",
                      self.bound(self.section(self.html(), "Table B.1"), "null I/O"))

    def test_summary(self):
        """The top says how many are measured, and what is missing"""
        text = self.html()
        text = text[:text.index("<h2")]
        entries = [entry for entries in thesis.CHAPTERS.values() for entry in entries]
        self.assertIn(f"<b>{sum(bool(entry.show) for entry in entries)} of "
                      f"{sum(not entry.shows for entry in entries)} figures and tables measured"
                      "</b>", text)
        self.assertIn("for reasons given below: Table 4.4, Figure 4.8,", text)
        self.assertNotIn("Not measured in this run: ", text)
        self.assertIn("invented", text)

    def test_few_rows(self):
        """The page says what was not run, at the top and at each entry"""
        self.keep(lambda row: row["page_size"] == "16K" and row["workload"] != "lu")
        text = self.html()
        self.assertIn("Not in this run: base pages of 4K, base pages of 64K.", text)
        self.assertRegex(text, "Not measured in this run: [^<]*Table 6.17")
        self.assertIn("Not measured in this run.", self.section(text, "Table 6.17"))
        self.assertIn("Measured in part", self.section(text, "Table 6.2"))
        self.assertIn("not measured</td>", self.section(text, "Table 6.2"))
        self.assertNotIn("not measured</td>", self.section(text, "Table 6.5"))

    def test_other_page_size(self):
        """With base pages of 64K alone, the page does not take them for 16K"""
        self.keep(lambda row: row["page_size"] == "64K")
        text = self.html()
        self.assertIn("No plot “stride: base pages of 16K", text)
        self.assertIn("Not measured in this run.", self.section(text, "Table 6.7"))

    def has(self, what, where):
        """Whether a part of the page has this text.  A failure does not print the page."""
        self.assertTrue(what in where, f"no {what}")

    def test_slower(self):
        """The top names the workloads that are slower, with a mark, the worst first"""
        text = self.html()
        top = text[:text.index("<h2")]
        self.assertEqual(len(re.findall("<li>! lua, [0-9]+K, (?:short|long|none): ", top)), 9)
        much = [float(x) for x in re.findall(r"<li>! .*?: ([0-9.]+) % slower", top)]
        self.assertEqual(much, sorted(much, reverse=True))
        self.keep(lambda row: row["workload"] in ("mcf", "server"))
        self.has("Superpages make none of 19 runs with the default policy slower", self.html())

    def test_all_compared(self):
        """With a complete report, nothing is left alone"""
        self.assertFalse("have no run without superpages" in self.html())

    def test_nothing_compared(self):
        """Runs that have nothing to be compared with are not called fast"""
        self.keep(lambda row: row.get("setting") == "default" and row["workload"] == "mcf")
        text = self.html()
        self.assertFalse("Superpages make none" in text)
        self.has("9 runs with the default policy have no run without superpages to be compared",
                 text)

    def bound(self, text, what):
        """The cells of a row of the table of bounds"""
        return re.findall("<td[^>]*>([^<]*)</td>", re.search(rf"<tr><td>{what}.*?</tr>", text)[0])

    def test_bounds(self):
        """The top says of each bound whether it is met"""
        text = self.html()
        self.assertEqual(self.bound(text, "speed-up of mcf")[1:], ["at least 1.20", "1.003", "NO"])
        self.assertEqual(self.bound(text, "speed-up of objects")[3], "yes")
        self.assertEqual(self.bound(text, "slowdown")[3], "NO")
        self.keep(lambda row: row["workload"] == "mcf")
        text = self.html()
        self.assertEqual(self.bound(text, "speed-up of objects")[2:], ["not measured"] * 2)
        self.assertEqual(self.bound(text, "slowdown")[1:], ["at most 0.5 %", "0.00 %", "yes"])

    def test_failures(self):
        """What failed is at the top"""
        text = self.html()
        self.has("invented 16K short off: the run failed: &lt;nothing&gt;",
                 text[:text.index("<h2")])

    def test_files_of_numbers(self):
        """The files have numbers that a program can read"""
        self.html()
        with open(self.path("csv/table-6.7.csv"), encoding="utf-8", newline="") as f:
            first = list(csv.reader(f))[1]
        self.assertEqual(int(first[2]), data.Data(self.folder).count("cycles", "mcf"))
        with open(self.path("csv/table-6.5.csv"), encoding="utf-8", newline="") as f:
            self.assertEqual(list(csv.reader(f))[1][:2], ["SF", "99.65"])

    def test_largest(self):
        """Run 11 of table 6.2 is that with the largest table, as ours"""
        text = self.section(self.html(), "Table 6.2")
        self.assertEqual(self.bound(text, "11")[1:4], ["1.45", "1.09", "512 MiB"])
        self.assertEqual(self.bound(text, "1<")[1:4], ["1.00", "1.00", ""])

    def test_processors(self):
        """With four processors the kernel's share is that of all of them"""
        row = data.Data(self.folder).row("server", cpus=4)
        kernel = 100 * row["kernel"] / row["cycles"] / 4
        self.assertRegex(self.section(self.html(), "server"),
                         rf"16K short off, 4 processors</td>.*?>{kernel:.1f} %<")

    def test_numbers(self):
        """The page shows the numbers of the measurements"""
        d = data.Data(self.folder)
        row = d.row("mcf")
        text = self.html()
        self.assertIn(f">{row['cycles'] / row['misses']:,.0f}</td>",
                      self.section(text, "Table 6.7"))
        for name, how in thesis.FORMATS.items():
            hit, third = (d.part(f"each.{part}", "each", *how) for part in ("hit", "line.3"))
            self.assertRegex(self.section(text, "Figure 4.3"),
                             rf">{name}</td>(<td[^>]*>[^<]*</td>){{2}}<td[^>]*>{third - hit:.1f}<")
        self.assertIn(f">{d.part('switch.96.4', 'switches') / 1500:.3f}</td>",
                      self.section(text, "Table B.3"))
        kernel = 100 * row["kernel"] / row["cycles"]
        self.assertIn(f">{kernel:.1f} %</td>", self.section(text, "mcf"))
        gain = d.speedup("mcf", thesis.SF, thesis.SF_LP)
        self.assertAlmostEqual(gain, row["cycles"] / d.row("mcf", "short", "default")["cycles"])
        self.assertIn(f">{gain:.3f}</td>", self.section(text, "Figure 6.8"))

    def test_slope(self):
        """The slope of a known line, and none where the misses hardly differ"""
        self.assertAlmostEqual(thesis.slope([(0, 5), (10000, 50005), (30000, 150005)]), 5)
        self.assertIsNone(thesis.slope([(0, 0), (7, 1000)]))
        self.assertIsNone(thesis.slope([]))
        # 0.9 of the misses cost 19 cycles, and the others 61.
        self.assertAlmostEqual(thesis.costs(data.Data(self.folder))["SF"], 23.2, places=3)

    def test_old_files(self):
        """The files of an older page are removed"""
        self.html()
        self.assertTrue(os.path.exists(self.path("csv/plot-reduction.csv")))
        self.keep(lambda row: row["workload"] != "objects")
        self.html()
        self.assertFalse(os.path.exists(self.path("csv/plot-reduction.csv")))

    def test_alone(self):
        """The page has no script, and loads nothing"""
        text = self.html()
        self.assertNotIn("<script", text)
        self.assertFalse(re.findall(r'(?:src|href)="(?!#|csv/|data:,)[^"]*"', text))
        for name in re.findall(r'href="(csv/[^"]*)"', text):
            self.assertTrue(os.path.getsize(self.path(name)), name)

    def test_title(self):
        """A title may have characters that mean something in HTML"""
        series = [data.Series("line", [(1, 2), (2, 3)])]
        svg = page.plots.draw(data.Plot("name", '<a> & "b"', "", "y", series))
        self.has('aria-label="&lt;a&gt; &amp; &quot;b&quot;"', svg)

    def test_names(self):
        """No name occurs twice, or a plot would use the marker of another"""
        names = re.findall(r'\bid="([^"]*)"', self.html())
        self.assertEqual(len(names), len(set(names)))

    def test_nothing(self):
        """Without any measurement there is no page"""
        self.keep(lambda row: False)
        with self.assertRaisesRegex(data.Missing, "no measurements in"):
            page.write(self.folder)


if __name__ == "__main__":
    unittest.main()
