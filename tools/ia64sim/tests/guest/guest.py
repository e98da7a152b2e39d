# SPDX-License-Identifier: GPL-2.0
"""What the scripts of this folder share: where the project's tools and the
cache are, compiling many programs, and running them in the simulated guest."""

import concurrent.futures
import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS = os.environ.get("SUPERPAGE_TOOLS") or os.path.abspath(HERE + "/../../..")
CACHE = os.environ.get("IA64_SUPERPAGE_CACHE") or os.path.join(
    os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "ia64-superpage")
NAME = os.path.basename(sys.argv[0])
START = time.monotonic()

# Sum of the sizes of a batch's programs: the archive and its unpacked files
# are both in the guest's memory for a while.
BATCH_BYTES = 250 << 20

ENDED = re.compile(r"^run-all: (\S+) (exit|signal|timeout)=(\d+)$")


def elapsed():
    seconds = int(time.monotonic() - START)
    return f"{seconds // 60}m{seconds % 60:02d}s"


def say(text):
    print(f"{elapsed():>7} {text}", flush=True)


def die(text):
    sys.exit(f"{NAME}: error: {text}")


def output_of(*command, **more):
    """what a command prints, without the last newline"""
    try:
        run = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True,
                             stdin=subprocess.DEVNULL, **more)
    except FileNotFoundError:
        die(f"no {command[0]} here; SUPERPAGE_TOOLS names the project's tools folder")
    except subprocess.CalledProcessError as e:
        die(f"{' '.join(command)} failed with status {e.returncode}")
    return run.stdout.strip()


def compiler():
    prefix = os.environ.get("CROSS_COMPILE") or output_of(TOOLS + "/toolchain/build")
    if not shutil.which(prefix + "gcc"):
        die(f"no compiler {prefix}gcc: CROSS_COMPILE is what tools/toolchain/build prints")
    return prefix


def source(package):
    return output_of(TOOLS + "/toolchain/fetch-source", package)


def identity(prefix):
    """what the compiler and its C library are, wherever they stand"""
    libc = output_of(prefix + "gcc", "-print-file-name=libc.a")
    with open(libc, "rb") as f:
        return output_of(prefix + "gcc", "--version") + hashlib.sha256(f.read()).hexdigest()


def key_of(*texts):
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:12]


def lock(name):
    """one process at a time works in a folder of the cache; until the end"""
    os.makedirs(CACHE + "/lock", exist_ok=True)
    handle = open(f"{CACHE}/lock/{name}", "w", encoding="ascii")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say(f"waiting for another run that works in {name}")
        fcntl.flock(handle, fcntl.LOCK_EX)
    return handle


def unpack(tarball, folder, *members, strip=1):
    """once, so that a stopped run leaves nothing that looks complete"""
    if os.path.isdir(folder):
        return
    shutil.rmtree(folder + ".tmp", ignore_errors=True)
    os.makedirs(folder + ".tmp")
    say(f"unpacking {os.path.basename(tarball)}")
    output_of("tar", "-C", folder + ".tmp", f"--strip-components={strip}", "-xf", tarball,
              *members)
    os.rename(folder + ".tmp", folder)


def in_parallel(function, items, jobs, what):
    """results of function for each item in order, with a line now and then"""
    results = []
    last = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for n, result in enumerate(pool.map(function, items), 1):
            results.append(result)
            if time.monotonic() - last >= 30:
                last = time.monotonic()
                say(f"{what}: {n} of {len(items)}")
    return results


class Known:
    """a file of what does not pass, in lines "NAME [OPTIONS] RESULT REASON": OPTIONS is
    a list with commas of _ for blanks, or *; RESULT is all that is seen of the
    failure, so that another way to fail is not taken for it"""

    def __init__(self, path, options):
        self.name = os.path.basename(path)
        self.entries = {}
        self.used = set()
        with open(path, encoding="utf-8") as f:
            for number, line in enumerate(f, 1):
                line = line.split("#", 1)[0].strip()
                if not line:
                    continue
                fields = line.split(None, 3 if options else 2)
                if len(fields) != (4 if options else 3):
                    die(f"{path}:{number}: not NAME{' OPTIONS' * options} RESULT REASON")
                *name, result, reason = fields
                name, opts = name if options else (name[0], "*")
                for option in opts.replace("_", " ").split(","):
                    if (name, option) in self.entries:
                        die(f"{path}:{number}: {name} {option} is there twice")
                    self.entries[name, option] = (result, reason)

    def judge(self, name, result, option="*"):
        """(verdict, text) of what a program did: RESULT, or PASS"""
        key = (name, option) if (name, option) in self.entries else (name, "*")
        if key not in self.entries:
            return ("PASS", "") if result == "PASS" else ("FAIL", result)
        self.used.add(key)
        expected, reason = self.entries[key]
        if result != expected:
            return "FAIL", f"{result}, and {self.name} has {expected}: {reason}"
        return "KNOWN", f"{result} -- {reason}"

    def unused(self):
        """lines for programs that are not there"""
        return [f"{name} {option}: in {self.name}, but no such program"
                for name, option in self.entries if (name, option) not in self.used]


def sample_of(items, count):
    """count of them, evenly spread, the same ones each time"""
    if not count or count >= len(items):
        return items
    return [items[i * len(items) // count] for i in range(count)]


class Guest:
    """the simulator with a kernel and a root file system"""

    def __init__(self, args, prefix, work):
        self.sim, self.kernel, self.memory = args.sim, args.kernel, args.memory
        self.timing = args.timing
        self.host_timeout = args.host_timeout
        self.work = work
        if not self.sim:
            out = os.path.dirname(TOOLS) + "/build/ia64sim"
            output_of("make", "-s", "-C", TOOLS + "/ia64sim", f"-j{args.jobs}", "O=" + out)
            self.sim = out + "/ia64sim"
        if not self.kernel:
            self.kernel = output_of(TOOLS + "/kernel/build", "vmlinux").split("\n")[-1]
        for path in (self.sim, self.kernel):
            if not os.path.exists(path):
                die(f"no {path}")
        self.busybox = output_of(TOOLS + "/testing/rootfs/build-busybox", prefix)
        self.runner = work + "/run-all"
        output_of(prefix + "gcc", "-std=c11", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra",
                  "-Werror", "-static", "-s", "-o", self.runner, HERE + "/run-all.c")

    def boot(self, programs, seconds, lines, log):
        """one boot; {name: (how, number, output lines)} of what ended, and
        what ended the guest itself or None"""
        folder = self.work + "/programs"
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        for name, path in programs:
            os.link(path, f"{folder}/{name}")
        # Not compressed: unpacking that much would be most of the guest's work.
        image = self.work + "/root.cpio"
        with open(image, "wb") as f:
            subprocess.run([TOOLS + "/testing/rootfs/pack.py", self.busybox, self.runner,
                            folder], stdout=f, check=True)
        command = [self.sim, "-m", self.memory, "-smp", "1", "-nographic",
                   "-timing", self.timing, "-kernel", self.kernel, "-initrd", image, "-append",
                   "console=ttyS0 quiet superpage.run="
                   f'"run-all {seconds} {lines} programs"']
        died = None
        with open(log, "wb") as f:
            try:
                rc = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=f, check=False,
                                    stderr=subprocess.STDOUT,
                                    timeout=self.host_timeout).returncode
            except subprocess.TimeoutExpired:
                died = f"no end after {self.host_timeout} s"
        os.unlink(image)
        with open(log, encoding="utf-8", errors="replace", newline="\n") as f:
            text = f.read().replace("\r", "")
        results, output = {}, []
        for line in text.split("\n"):
            ended = ENDED.match(line)
            if ended:
                results[ended[1]] = (ended[2], int(ended[3]), output)
                output = []
            elif line.startswith("| "):
                output.append(line[2:])
        if not died and rc:
            died = f"simulator ended with status {rc}"
        elif not died and "\nrun-all: end\n" not in text:
            died = "the guest ended early"
        return results, died

    def run(self, programs, seconds, lines, per_batch, what):
        """all programs (name, path), in as many boots as it takes.  The
        program during which a guest died has the result ("died", 0, [why])."""
        results = {}
        todo = sorted(programs)
        boots = 0
        while todo:
            batch, size = [], 0
            for program in todo[:per_batch]:
                size += os.path.getsize(program[1])
                if batch and size > BATCH_BYTES:
                    break
                batch.append(program)
            boots += 1
            log = f"{self.work}/boot-{what.replace(' ', '')}-{boots}.log"
            ended, died = self.boot(batch, seconds, lines, log)
            results.update(ended)
            left = [p for p in batch if p[0] not in ended]
            if left:
                results[left[0][0]] = ("died", 0, [f"{died}; see {log}"])
                say(f"{what}: the guest died in {left[0][0]}: {died}; see {log}")
            elif died:
                # Everything had ended well, the guest has not: nobody's
                # result, but nothing to pass over.
                results["(end of boot)"] = ("died", 0, [f"{died}; see {log}"])
            todo = left[1:] + todo[len(batch):]
            say(f"{what}: {len(results)} of {len(programs)} ran")
        return results


def add_arguments(parser):
    parser.add_argument("--sim", help="the simulator; without it, it is built")
    parser.add_argument("--kernel", help="the guest's kernel; without it, it is built")
    parser.add_argument("-m", "--memory", default="1G", help="the guest's RAM (%(default)s)")
    parser.add_argument("--timing", default="none", metavar="MODEL",
                        help="what takes how long, as the simulator has it (%(default)s)")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count(),
                        help="compilers at a time (%(default)s)")
    parser.add_argument("-o", "--out", help="folder for the results and the guest's logs")
    parser.add_argument("--sample", type=int, metavar="N",
                        help="only N programs, evenly spread over all")
    parser.add_argument("--batch", type=int, default=150,
                        help="programs in a boot at most (%(default)s)")
    parser.add_argument("--host-timeout", type=int, default=3600, metavar="SECONDS",
                        help="the host's time for one boot (%(default)s)")
