#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Test measure.py, with a simulator that is a script."""

import io
import os
import stat
import tempfile
import unittest

import measure

SIMULATOR = """#!/bin/sh
# The initramfs says what becomes of it; each run leaves a line.
echo run >>$(dirname "$0")/runs
for last; do :; done
while [ "$1" != -initrd ]; do shift; done
echo '{"count": '$(cat "$2" | wc -c)'}' >"$last"
case $(cat "$2") in
good*)	printf 'booted\\r\\n\\r\\nsuperpage.result: exit=0\\r\\n' ;;
bad*)	printf 'booted\\r\\n\\r\\nsuperpage.result: exit=3\\r\\n' ;;
empty*)	printf 'booted\\r\\n\\r\\nsuperpage.result: exit=0\\r\\n'; echo '{}' >"$last" ;;
esac
"""


def keep(stats):
    """A part of it"""
    return stats.get("count")


def extract(count, console):
    """What the report would use"""
    return {"count": count, "booted": "booted" in console} if count else None


class TestMeasure(unittest.TestCase):
    """Each has a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.simulator = self.write("simulator", SIMULATOR)
        os.chmod(self.simulator, stat.S_IRWXU)
        self.kernel = self.write("kernel", "a kernel")
        self.said = io.StringIO()

    def write(self, name, text):
        """A file; its path"""
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="ascii") as f:
            f.write(text)
        return path

    def one(self, text="good", **more):
        """A measurement with such an initramfs"""
        path = self.write("initramfs-" + text, text)
        return measure.Measurement("of " + text, self.kernel, path, **more)

    def cache(self):
        """As a new process would have it"""
        return measure.Cache(os.path.join(self.folder, "cache"), self.simulator)

    def run_all(self, *measurements, jobs=2):
        """Results and failures"""
        return measure.run_all(self.cache(), measurements, keep, extract, jobs, self.said)

    def runs(self):
        """How often the simulator was run"""
        path = os.path.join(self.folder, "runs")
        if not os.path.exists(path):
            return 0
        with open(path, encoding="ascii") as f:
            return len(f.readlines())

    def test_result(self):
        """What stats and the console have"""
        one = self.one()
        results, failures = self.run_all(one)
        self.assertEqual(results, {one: {"count": 4, "booted": True}})
        self.assertFalse(failures)
        self.assertIn("1 of 1 (0 from the cache)", self.said.getvalue())

    def test_not_twice(self):
        """The second time it is in the cache, wherever the files are"""
        self.run_all(self.one())
        os.rename(self.kernel, self.kernel + "2")
        self.kernel += "2"
        one = self.one()
        self.assertEqual(self.run_all(one)[0][one]["count"], 4)
        self.assertEqual(self.runs(), 1)

    def test_another_extract(self):
        """What else a run tells needs no other run"""
        one = self.one()
        self.run_all(one)
        results, _ = measure.run_all(self.cache(), [one], keep,
                                     lambda count, console: console.split()[0], 1, self.said)
        self.assertEqual(results, {one: "booted"})
        self.assertEqual(self.runs(), 1)

    def test_same_at_once(self):
        """Two names of one measurement"""
        one, two = self.one(), self.one()
        two = measure.dataclasses.replace(two, name="another")
        results, _ = self.run_all(one, two)
        self.assertEqual(len(results), 2)
        self.assertEqual(self.runs(), 1)

    def test_inputs(self):
        """Each input counts"""
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

    def test_failure(self):
        """It is told, not kept, and the others go on"""
        good, bad = self.one(), self.one("bad")
        for runs in (2, 3):
            results, failures = self.run_all(bad, good, jobs=1)
            self.assertEqual(list(results), [good])
            self.assertEqual(failures, ["of bad: it did not end well: superpage.result: exit=3"])
            self.assertEqual(self.runs(), runs)

    def test_no_result(self):
        """A run that ends well, and brings nothing"""
        self.assertEqual(self.run_all(self.one("empty"))[1], ["of empty: it has no result"])

    def test_dead(self):
        """A simulator that says nothing, and one that is not there"""
        self.assertEqual(self.run_all(self.one("x"))[1], ["of x: it did not end well: nothing"])
        os.chmod(self.simulator, stat.S_IRUSR)
        self.assertEqual(len(self.run_all(self.one())[1]), 1)

    def test_time_left(self):
        """By the mean of what was run, and how many run side by side"""
        progress = measure.Progress(10, 2, self.said)
        self.assertIsNone(progress.left())
        progress.tell("one", None)
        progress.tell("two", 60)
        progress.tell("three", 120)
        self.assertEqual(progress.left(), 90 * 7 / 2)
        self.assertIn("about 5m15s left: three", self.said.getvalue())


if __name__ == "__main__":
    unittest.main()
