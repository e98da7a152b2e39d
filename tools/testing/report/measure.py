# SPDX-License-Identifier: GPL-2.0
"""Run measurements in the simulator, several at the same time, and none twice.

A measurement is one run of the simulator.  Equal inputs give equal runs, so its result depends
only on the kernel, the simulator, the initramfs, the command line and the simulator's options.
The cache keeps the result by a hash of these.  It keeps what the simulator counted and what the
console showed, and not the numbers that the report takes from them: a report that wants other
numbers need not repeat the run."""

import concurrent.futures
import dataclasses
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time


class Failed(Exception):
    """A measurement failed; the text says which and how."""


@dataclasses.dataclass(frozen=True)
class Measurement:
    """One run.  @name is for messages only, and does not affect the result."""
    name: str
    kernel: str
    initramfs: str
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
        command = ["counts and console", *m.command(self.hash_of(self.simulator), "")]
        command[command.index("-kernel") + 1] = self.hash_of(m.kernel)
        command[command.index("-initrd") + 1] = self.hash_of(m.initramfs)
        return hashlib.sha256(json.dumps(command).encode()).hexdigest()[:24]

    def path(self, m):
        """The path of the result, whether or not it exists."""
        return os.path.join(self.folder, self.key(m) + ".json")

    def get(self, m):
        """The result, or None."""
        try:
            with open(self.path(m), encoding="utf-8") as f:
                return json.load(f)
        except FileNotFoundError:
            return None

    def put(self, m, result):
        """Keep a result.  Readers never see an incomplete one."""
        with tempfile.NamedTemporaryFile("w", dir=self.folder, delete=False,
                                         encoding="utf-8") as f:
            json.dump(result, f)
        os.replace(f.name, self.path(m))


def run_one(cache, m, keep):
    """Run the simulator once.  @keep selects what to keep of -stats."""
    with tempfile.TemporaryDirectory() as tmp:
        stats = os.path.join(tmp, "stats.json")
        begin = time.monotonic()
        done = subprocess.run(m.command(cache.simulator, stats), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", check=False)
        console = done.stdout.replace("\r", "")
        if "\nsuperpage.result: exit=0\n" not in console + "\n":
            said = [line for line in console.splitlines() if line.strip()] or ["nothing"]
            raise Failed(f"{m.name}: the run failed: {said[-1]}")
        with open(stats, encoding="utf-8") as f:
            kept = keep(json.load(f))
    return {"stats": kept, "console": console, "seconds": time.monotonic() - begin}


def result_of(m, found, extract):
    """What @extract takes from the counts and the console"""
    result = extract(found["stats"], found["console"])
    if result is None:
        raise Failed(f"{m.name}: the run has no result")
    return result


def minutes(seconds):
    """A time as in 1m05s"""
    return f"{int(seconds) // 60}m{int(seconds) % 60:02d}s"


class Progress:
    """Tells the user how many runs are done, and how long the others will take."""

    def __init__(self, total, jobs, out=sys.stderr):
        self.total, self.jobs, self.out = total, jobs, out
        self.done = self.cached = 0
        self.seconds = []
        self.begin = time.monotonic()

    def left(self):
        """An estimate in seconds, from the mean of the runs so far; None if there was none."""
        if not self.seconds:
            return None
        mean = sum(self.seconds) / len(self.seconds)
        return mean * (self.total - self.done) / self.jobs

    def tell(self, name, seconds):
        """One more is done.  It took @seconds; None says that it was in the cache."""
        self.done += 1
        if seconds is None:
            self.cached += 1
            return
        self.seconds.append(seconds)
        print(f"report: {self.done} of {self.total} ({self.cached} from the cache) in "
              f"{minutes(time.monotonic() - self.begin)}, about {minutes(self.left())} left: "
              f"{name}", file=self.out, flush=True)


def run_all(cache, measurements, keep, extract, jobs, out=sys.stderr):
    """Run the measurements that are not in the cache, @jobs at the same time.  @keep selects what
    to keep of -stats, and @extract takes the result from that and from the console.

    Returns the results by measurement, and messages about those that failed.  A failure is not
    kept, so that the next call tries it again."""
    progress = Progress(len(measurements), jobs, out)
    results, failures, todo = {}, [], {}
    for m in measurements:
        found = cache.get(m)
        if found is not None:
            try:
                results[m] = result_of(m, found, extract)
            except Failed as problem:
                failures.append(str(problem))
            progress.tell(m.name, None)
        else:
            # Several measurements with the same inputs need only one run.
            todo.setdefault(cache.key(m), []).append(m)

    def work(same):
        found = run_one(cache, same[0], keep)
        result = result_of(same[0], found, extract)
        cache.put(same[0], found)
        return same, found["seconds"], result

    pool = concurrent.futures.ThreadPoolExecutor(jobs)
    try:
        futures = [pool.submit(work, same) for same in todo.values()]
        for future in concurrent.futures.as_completed(futures):
            try:
                same, seconds, result = future.result()
            except (Failed, OSError) as problem:
                failures.append(str(problem))
                progress.done += 1
                print(f"report: {problem}", file=out, flush=True)
                continue
            for i, m in enumerate(same):
                results[m] = result
                progress.tell(m.name, None if i else seconds)
    finally:
        pool.shutdown(cancel_futures=True)
    return results, failures
