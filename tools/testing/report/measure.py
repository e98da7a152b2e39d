# SPDX-License-Identifier: GPL-2.0
"""Run measurements in the simulator, several at the same time, and none twice.

A measurement is one run of the simulator.  Equal inputs give equal runs, so its result depends
only on the kernel, the simulator, the initramfs, the command line and the simulator's options.
The cache keeps the result by a hash of these, and of the text of the function that selects what is
kept.  It keeps what the simulator counted and what the console showed, and not the numbers that the
report takes from them: a report that wants other numbers need not repeat the run."""

import collections
import concurrent.futures
import dataclasses
import hashlib
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import typing


LIMIT = 3600        # seconds; a run that takes longer hangs
# Complaints of the kernel, as in ../run-selftests.  What it says of nodes does not matter.
COMPLAINT = re.compile(r"^(?!.*WARNING: workqueue cpumask: online intersect).*(?:BUG[: ]|WARNING:|"
                       r"Oops|Bad (?:page|rss|swap)|lockup|blocked for more|Unable to handle).*$",
                       re.MULTILINE)


class Failed(Exception):
    """A measurement failed; the text says which and how.  @console is what the guest printed."""

    def __init__(self, text, console=""):
        super().__init__(text)
        self.console = console


@dataclasses.dataclass(frozen=True)
class Measurement:
    """One run.  @name is for messages and for the estimate of the time left.  Its first word is
    the workload.  It does not affect the result.  @keep selects what the cache keeps of -stats,
    and @extract takes the result from that and from the console."""
    name: str
    kernel: str
    initramfs: str
    keep: typing.Callable
    extract: typing.Callable
    append: str = ""
    memory: str = "4G"
    cpus: int = 1
    options: tuple = ()

    def command(self, simulator, stats):
        """The simulator's arguments."""
        return [simulator, "-nographic", "-m", self.memory, "-smp", str(self.cpus),
                "-kernel", self.kernel, "-initrd", self.initramfs, "-append", self.append,
                *self.options, "-stats", stats]


class Cache:
    """A folder with a file of JSON for each result, named by its key."""

    def __init__(self, folder, simulator):
        os.makedirs(folder, exist_ok=True)
        self.folder = folder
        self.simulator = simulator
        self.hashes = {}
        self.lock = threading.Lock()

    def hash_of(self, path):
        """SHA-256 of a file, which is computed once."""
        with self.lock:
            if path not in self.hashes:
                with open(path, "rb") as f:
                    self.hashes[path] = hashlib.file_digest(f, "sha256").hexdigest()
            return self.hashes[path]

    def key(self, m):
        """A hash of all that the result depends on: of files, the content and not the path."""
        command = [inspect.getsource(m.keep), *m.command(self.hash_of(self.simulator), "")]
        command[command.index("-kernel") + 1] = self.hash_of(m.kernel)
        command[command.index("-initrd") + 1] = self.hash_of(m.initramfs)
        return hashlib.sha256(json.dumps(command).encode()).hexdigest()[:24]

    def path(self, m):
        """The path of the result, whether or not it exists."""
        return os.path.join(self.folder, self.key(m) + ".json")

    def get(self, m):
        """The result; None if there is none that can be read."""
        try:
            with open(self.path(m), encoding="utf-8") as f:
                found = json.load(f)
        except (FileNotFoundError, ValueError):
            return None
        return found if isinstance(found, dict) and \
            {"stats", "console", "seconds"} <= found.keys() else None

    def put(self, m, result):
        """Keep a result.  Readers never see an incomplete one."""
        with tempfile.NamedTemporaryFile("w", dir=self.folder, delete=False,
                                         encoding="utf-8") as f:
            json.dump(result, f)
        os.replace(f.name, self.path(m))


def freeze(path, folder):
    """Copy a file into @folder; return the copy's path.  A build may replace the file while
    measurements run for hours, and the cache takes its hash only once."""
    os.makedirs(folder, exist_ok=True)
    handle, copy = tempfile.mkstemp(dir=folder)
    os.close(handle)
    shutil.copy(path, copy)
    with open(copy, "rb") as f:
        named = os.path.join(folder, hashlib.file_digest(f, "sha256").hexdigest()[:24])
    os.replace(copy, named)
    return named


def last_words(console):
    """What says best why a run failed: the last lines of the program, or else of the kernel"""
    said = [line.strip() for line in console.splitlines() if line.strip()]
    if "superpage.result: " in console:
        return "; ".join([line for line in said if not line.startswith("[")][-2:])
    return (said or ["nothing"])[-1]


def run_one(cache, m, limit):
    """Run the simulator once, for @limit seconds at most."""
    with tempfile.TemporaryDirectory() as tmp:
        stats = os.path.join(tmp, "stats.json")
        begin = time.monotonic()
        try:
            done = subprocess.run(m.command(cache.simulator, stats), stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  errors="replace", check=False, timeout=limit)
        except subprocess.TimeoutExpired as problem:
            raise Failed(f"{m.name}: the run did not end in {limit} seconds",
                         (problem.stdout or b"").decode(errors="replace")) from problem
        console = done.stdout.replace("\r", "")
        complaint = COMPLAINT.search(console)
        if complaint:
            raise Failed(f"{m.name}: the kernel complained: {complaint[0].strip()}", console)
        if "\nsuperpage.result: exit=0\n" not in console + "\n":
            raise Failed(f"{m.name}: the run failed: {last_words(console)}", console)
        try:
            with open(stats, encoding="utf-8") as f:
                kept = m.keep(json.load(f))
        except (ValueError, KeyError) as problem:
            raise Failed(f"{m.name}: odd counts: {problem!r}", console) from problem
    return {"stats": kept, "console": console, "seconds": time.monotonic() - begin}


def result_of(m, found):
    """Take the result from what the cache keeps of a run."""
    try:
        result = m.extract(found["stats"], found["console"])
    except (ValueError, KeyError) as problem:
        raise Failed(f"{m.name}: odd output: {problem}", found["console"]) from problem
    if result is None:
        raise Failed(f"{m.name}: the run has no result", found["console"])
    return result


def minutes(seconds):
    """A time as in 1m05s"""
    return f"{int(seconds) // 60}m{int(seconds) % 60:02d}s"


class Progress:
    """Tells the user how many runs are done, and how long the others will take: after each run, and
    every minute."""

    def __init__(self, measurements, jobs, out=sys.stderr):
        self.total, self.jobs, self.out = len(measurements), jobs, out
        self.done = self.cached = 0
        self.waiting = collections.Counter(m.name.split()[0] for m in measurements)
        self.seconds = {}       # [s] that runs of a workload took, now or earlier
        self.running = set()    # names
        self.begin = time.monotonic()
        self.lock = threading.Lock()
        self.ended = threading.Event()

    def left(self):
        """An estimate in seconds, from the mean of each workload's runs so far, or of all runs if
        the workload has none; None if there was none at all."""
        known = [s for some in self.seconds.values() for s in some]
        if not known:
            return None
        result = 0
        for workload, count in self.waiting.items():
            some = self.seconds.get(workload, known)
            result += count * sum(some) / len(some)
        return result / self.jobs

    def say(self, what):
        """Print one line"""
        left = self.left()
        print(f"report: {self.done} of {self.total} ({self.cached} from the cache) in "
              f"{minutes(time.monotonic() - self.begin)}" +
              ("" if left is None else f", about {minutes(left)} left") + f": {what}",
              file=self.out, flush=True)

    def every_minute(self, interval=60):
        """Say what is running, until all have ended"""
        while not self.ended.wait(interval):
            with self.lock:
                self.say("running " + ", ".join(sorted(self.running)))

    def start(self, name):
        """A run begins"""
        with self.lock:
            self.running.add(name)

    def tell(self, name, seconds, cached=False):
        """One more is done.  It took @seconds, maybe earlier; None if it failed."""
        with self.lock:
            workload = name.split()[0]
            self.done += 1
            self.cached += cached
            self.waiting[workload] -= 1
            self.running.discard(name)
            if seconds is not None:
                self.seconds.setdefault(workload, []).append(seconds)
            if not cached:
                self.say(name)


def run_all(cache, measurements, jobs, out=sys.stderr, limit=LIMIT):
    """Run the measurements that are not in the cache, @jobs at the same time.

    Returns the results by measurement, and by measurement the exceptions of those that failed.  A
    failure is not kept, so that the next call tries it again."""
    progress = Progress(measurements, jobs, out)
    results, failures, todo = {}, {}, {}
    for m in measurements:
        found = cache.get(m)
        if found is not None:
            try:
                results[m] = result_of(m, found)
            except Failed as problem:
                failures[m] = problem
            progress.tell(m.name, found["seconds"], True)
        else:
            # Several measurements with the same inputs need only one run.
            todo.setdefault(cache.key(m), []).append(m)

    def work(same):
        progress.start(same[0].name)
        found = run_one(cache, same[0], limit)
        result = result_of(same[0], found)
        cache.put(same[0], found)
        return found["seconds"], result

    pool = concurrent.futures.ThreadPoolExecutor(jobs)
    threading.Thread(target=progress.every_minute, daemon=True).start()
    try:
        futures = {pool.submit(work, same): same for same in todo.values()}
        for future in concurrent.futures.as_completed(futures):
            same = futures[future]
            try:
                seconds, result = future.result()
            except (Failed, OSError) as problem:
                print(f"report: {problem}", file=out, flush=True)
                for m in same:
                    failures[m] = problem
                    progress.tell(m.name, None)
                continue
            for i, m in enumerate(same):
                results[m] = result
                progress.tell(m.name, seconds, bool(i))
    finally:
        progress.ended.set()
        pool.shutdown(cancel_futures=True)
    return results, failures
