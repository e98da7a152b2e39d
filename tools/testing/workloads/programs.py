# SPDX-License-Identifier: GPL-2.0
"""The workloads that "run" and the report measure, and how a guest runs one of them."""

import functools
import hashlib
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))

# For each workload: the command that prepares its input, the command that "measure" runs, the full
# size and the small size.  The commands have {} in place of the size.  With full sizes most of them
# access many times as much memory as the TLB reaches.
ZSTD_IN = "datagen -g{}M >/tmp/in"
# What is compressed must come back.
ZSTD_BACK = "; zstd -q -d --long=27 -c </tmp/out | cmp - /tmp/in"
# The compiler tcc.  Its object files must be those that a tcc on another machine made; see
# build_tcc() in "build".
TCC = "tcc -nostdinc -Icc/include -c -o /tmp/o/"
COMPILED = "; cd /tmp/o; for o in ./*; do grep -qxF \"$(sha256sum $o)\" /tests/cc/sums; done; " \
    "cat ./* >/tmp/out"
OTHERS = {
    "mcf": ("", "measure mcf {}", 12000, 6000),
    "lua": ("", "measure lua tables.lua {}", 40000, 40000),
    "sqlite": ("", "measure sql {}", 20000, 20000),
    "zstd": (ZSTD_IN, "measure zstd -q -3 --long=27 -c /tmp/in" + ZSTD_BACK, 4, 4),
    "unzstd": (ZSTD_IN + "; zstd -q -3 --long=27 -o /tmp/in.zst /tmp/in",
               "measure zstd -q -d --long=27 -c /tmp/in.zst; cmp /tmp/in /tmp/out", 4, 4),
    # The size is in KiB.  zstd cannot know the length of a pipe, so it allocates full tables.
    "zstd19": ("datagen -g{}K >/tmp/in", "cat /tmp/in | measure zstd -q -19 --long=27 -c" +
               ZSTD_BACK, 100, 50),
    "bzip2": (ZSTD_IN, "measure bzip2 -9 -c /tmp/in; bzip2 -d </tmp/out | cmp - /tmp/in", 1, 1),
    "bunzip2": (ZSTD_IN + "; bzip2 -9 -k /tmp/in",
                "measure bzip2 -d -c /tmp/in.bz2; cmp /tmp/in /tmp/out", 1, 1),
    # The size is how often it compiles a small program.
    "compile": ("mkdir /tmp/o", "measure sh -c 'set -e; for i in $(seq {}); do " + TCC +
                "hello.c.o cc/hello.c; done'" + COMPILED, 20, 5),
    # The size is the number of files, one process for each, as make starts them.
    "build": ("mkdir /tmp/o", "measure sh -c 'set -e; for f in $(ls cc/src | grep c$ | "
              "head -n {}); do " + TCC + "$f.o cc/src/$f; done'" + COMPILED, 17, 4),
    # The size is the number of SQLite's files in the one that it compiles; "build" makes these two.
    "compile.large": ("mkdir /tmp/o", "measure " + TCC + "sqlite.{0}.c.o cc/sqlite.{0}.c" +
                      COMPILED, 103, 10),
    "mcf.faults": ("", "measure faults mcf {}", 6000, 2000),
}
# The programs of micro/.  Their standard output must be the same in all runs.  On standard error
# they say how long their parts took.
MICRO = {
    "tlbcover": ("", "measure tlbcover 1 {} 50", 512, 8),
    "stride": ("", "measure chase stride 64 {} 100000 1024", 65536, 8192),
    "random": ("", "measure chase random 64 {} 100000", 65536, 8192),
    "chained": ("", "measure chase chained 64 {} 100000", 65536, 8192),
    "pointer": ("", "measure chase pointer 64 {} 100000", 65536, 8192),
    "stream": ("", "measure stream {} 2", 16, 4),
    "calls": ("", "measure calls {}", 150, 100),
    "mmapread": ("", "measure calls {} mmapfile", 1000, 400),
    "cg": ("", "measure cg {} 11 15", 75000, 7000),
    "lu": ("", "measure lu {} 5", 40, 24),
    "sp": ("", "measure sp {} 5", 40, 24),
    "connect4": ("", "measure connect4 {} 24", 6, 5),
    "objects": ("", "measure objects {} 50000", 100000, 10000),
    "server": ("", "measure server {} 2000", 32, 16),
    "each": ("", "measure each {}", 1024, 64),
    "objects.faults": ("", "measure faults objects {} 100000", 10000, 2000),
}
# Table B.3 of the thesis: numbers of processes, and how many KiB each of them sums up.
PROCESSES = (2, 4, 8, 16, 32, 64, 96)
SUMMED_UP = (0, 4, 8, 16, 32, 64)
MICRO["switches"] = ("", "measure calls {} " + " ".join(
    f"switch.{p}.{kib}" for kib in SUMMED_UP for p in PROCESSES), 64, 64)
# What the thesis measures in section 4.3 and with a matrix, also programs of micro/.
BENCH = {
    "walk": ("", "measure walk {}", 1024, 64),
    "sparse": ("", "measure sparse {}", 1000, 100),
    "contend": ("", "measure contend {}", 128, 32),
    "matrix": ("", "measure matrix row {}", 2000, 1000),
    "columns": ("", "measure matrix col {}", 2000, 1000),
}
# What a miss costs, in base pages and in superpages of four, by tlbmiss-cost, which only the report
# builds: its page predicts with that what superpages can gain.  The size is the number of pages.
BENCH["misscost"] = ("", "measure sh -c 'set -e -o pipefail; "
                     "kb=$(grep -m 1 ^KernelPageSize /proc/self/smaps | tr -cd 0-9); "
                     "base=$(tlbmiss-cost -p {0} -q | tr -d .); "
                     "large=$(tlbmiss-cost -p {0} -q -s $((kb * 4))K | tr -d .); "
                     "echo part miss.1 ops=10 cycles=$base >&2; "
                     "echo part miss.4 ops=10 cycles=$large >&2; echo right'", 512, 512)
WORKLOADS = OTHERS | MICRO | BENCH
SETTINGS = {"off": "superpage_orders=0", "eager": "sysctl.vm.superpage_eager=1", "default": ""}
MODES = ("short", "long", "none")


class Failed(Exception):
    """A workload failed, or something that it needs; the text says which."""


def output_of(*command):
    """The last line that a command prints."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise Failed(f"{command[0]} failed")
    return done.stdout.strip().split("\n")[-1]


@functools.cache
def micro_folder():
    """Build the programs of micro/; return the folder that has them."""
    return output_of(os.path.join(HERE, "micro/build"))


def folders(names):
    """Build the programs of these workloads; return the folders that have them."""
    result = [micro_folder()]
    if any(name in OTHERS for name in names):
        result.append(output_of(os.path.join(HERE, "build")))
    return result


# The Itanium adds to a product without rounding it.  So of sums with 14 digits, which must be the
# same in all runs, ten must be those of this machine.
LONG_SUM, SHORT_SUM = r"(\.[0-9]{9})[0-9]{4}e", r"\1e"


@functools.cache
def known_sum(name, size):
    """The SHA-256 of what a program of micro/ must print, with SHORT_SUM, which is what it prints
    on this machine; None for other workloads.  "each" locks much memory here, and it and those of
    BENCH check what they read themselves."""
    if name not in MICRO or name == "each":
        return None
    command = MICRO[name][1].format(size).split()
    command = command[2:] if command[1] == "faults" else command[1:]
    program = os.path.join(micro_folder(), "host", command[0])
    done = subprocess.run([program] + command[1:], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=False)
    if done.returncode:
        die(f"{name}: {program} fails on this machine")
    return hashlib.sha256(re.sub(LONG_SUM, SHORT_SUM, done.stdout).encode()).hexdigest()


def script_of(name, size):
    """The script that the guest runs.  It fails if the workload's output is wrong."""
    prepare, command, *_ = WORKLOADS[name]
    known = known_sum(name, size)
    return ("#!/bin/sh\nset -e\n" + prepare.format(size) + "\n" +
            command.format(size).replace("measure", "measure /tmp/out") + "\n" +
            (f"sed -E 's/{LONG_SUM}/{SHORT_SUM}/' /tmp/out >/tmp/short\n"
             f"echo '{known}  /tmp/short' | sha256sum -c\n" if known else "") +
            "sha256sum /tmp/out\n")


def files_of(name, programs):
    """The files that a workload needs in the guest, from the folders @programs."""
    prepare, command, *_ = WORKLOADS[name]
    found = []
    for word in sorted(set(re.findall(r"\w[\w.-]*", prepare + " " + command))):
        for folder in programs:
            if os.path.exists(os.path.join(folder, word)):
                found.append(os.path.join(folder, word))
                break
    return found + ([os.path.join(HERE, "tables.lua")] if name == "lua" else [])


def regions_of(stats):
    """The sum of all regions of -stats, and those of the parts that a workload has begun, by
    their numbers: "measure" begins number 1, and goes on with a new region of the same number
    after each look at the memory.  The report's cache knows its results by the text of this
    function, too."""
    def sum_of(trees):
        """Add up the numbers with the same keys in nested dictionaries."""
        result = {}
        for tree in trees:
            for name, value in tree.items():
                if isinstance(value, dict):
                    result[name] = sum_of([result.get(name, {}), value])
                elif isinstance(value, int):
                    result[name] = result.get(name, 0) + value
        return result
    parts = {}
    for region in stats["regions"]:
        parts.setdefault(str(region["number"]), []).append(region)
    return {"all": sum_of(stats["regions"]),
            "parts": {nr: sum_of(some) for nr, some in parts.items() if nr != "1"}}


def fields_of(line, first, *wanted):
    """{name: value} of a line with words NAME=VALUE from the word @first on; it has @wanted."""
    words = line.split()[first:]
    if not all(re.fullmatch(r"\w+=\d+", word) for word in words):
        raise ValueError(f"not all words are NAME=NUMBER: {line}")
    fields = {name: int(value) for name, value in (word.split("=") for word in words)}
    if not set(wanted) <= set(fields):
        raise ValueError(f"no {' or '.join(wanted)}: {line}")
    return fields


def counts_in(region):
    """The counts of the simulator in a region, or in the sum of several"""
    data, executed = region["tlb"]["data"], region["instructions"]
    return {"instructions": executed["all"], "cycles": region["cycles"],
            "references": executed["loads"] + executed["stores"], "misses": data["misses"],
            "walker": data["walker_inserts"]["all"],
            "software": data["software_inserts"]["all"],
            # Without a model of time the simulator does not print these.
            "kernel": region.get("level_cycles", {}).get("cpl0", 0),
            "stalls": region.get("stalls", {}), "events": region.get("events", {})}


def counts_of(regions, console):
    """The counts of the simulator in @regions, and of "measure" on the console; None if the
    workload failed.  Raises ValueError if a line of the workload is damaged, as by a message of
    the kernel in its midst, and KeyError if a part has no region in @regions."""
    if not regions["all"]:
        return None
    counts = counts_in(regions["all"]) | {"superpages": {}, "parts": {}, "points": {}}
    for line in console.splitlines():
        words = line.split()
        if words[:1] == ["measured"]:
            for field, value in fields_of(line, 1).items():
                if field.startswith("Superpages"):
                    counts["superpages"][field[10:-2]] = value
                else:
                    counts[field] = value
        elif words[:1] == ["part"]:
            fields = fields_of(line, 2, "ops", "cycles")
            part = counts["parts"].setdefault(words[1], {"ops": 0, "cycles": 0, "counts": {}})
            for field in ("ops", "cycles"):
                part[field] += fields[field]
            if part["counts"]:
                raise ValueError(f"a second region: {line}")
            if "region" in fields:
                part["counts"] = counts_in(regions["parts"][str(fields["region"])])
        elif words[:1] == ["point"]:
            fields = fields_of(line, 2, "x", "y")
            counts["points"].setdefault(words[1], []).append((fields["x"], fields["y"]))
        elif words[1:] == ["/tmp/out"]:
            counts["sum"] = words[0]
    if "sum" not in counts or "faults" not in counts or not counts["instructions"]:
        return None
    return counts


def boot(name, size, kernel, programs, tmp, *, memory="4G", cpus=1, append="", options=""):
    """Run one workload in a guest of its own; return the counts.  The console's output is in
    tmp/console, even if the workload fails."""
    script = os.path.join(tmp, "workload")
    with open(script, "w", encoding="ascii") as f:
        f.write(script_of(name, size))
    os.chmod(script, 0o755)
    stats = os.path.join(tmp, "stats.json")
    guest = [os.path.join(TOP, "tools/testing/guest"), "-k", kernel, "-m", memory,
             "-c", str(cpus), "-a", append, "-o", "-stats " + stats]
    if options:
        guest += ["-o", options]
    for f in files_of(name, programs) + [script]:
        guest += ["-f", f]
    done = subprocess.run(guest + ["workload"], stdout=subprocess.PIPE, text=True,
                          errors="replace", check=False)
    with open(os.path.join(tmp, "console"), "w", encoding="utf-8") as f:
        f.write(done.stdout)
    if done.returncode:
        raise Failed(f"{name}: failed with status {done.returncode}")
    try:
        with open(stats, encoding="ascii") as f:
            counts = counts_of(regions_of(json.load(f)), done.stdout)
    except (ValueError, KeyError) as problem:
        raise Failed(f"{name}: {problem}") from problem
    if not counts:
        raise Failed(f"{name}: no result")
    return counts


def compiler():
    """Set CROSS_COMPILE, so that the guests need not look for the compiler."""
    if not os.environ.get("CROSS_COMPILE"):
        os.environ["CROSS_COMPILE"] = output_of(os.path.join(TOP, "tools/toolchain/build"))


def die(text):
    """Print one line and exit."""
    sys.exit("workloads: error: " + text)
