#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""pack.py [-c COMMAND]... BUSYBOX-FOLDER [FILE|FOLDER...] - write the guest's initramfs,
a cpio archive of the newc format, to standard output.  Each COMMAND is a file for /usr/bin.

Why not the kernel's gen_init_cpio: it takes each file's time from the disk, and
would have to be dug out of the kernel's source first.  Why not cpio: it packs
what lies in a folder, where only root can make device nodes."""

import os
import stat
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

FOLDERS = ("bin dev dev/pts dev/shm etc mnt proc root run sbin sys tests tmp"
           " usr usr/bin usr/sbin").split()

# What init and a shell need if the kernel cannot mount devtmpfs.
NODES = {
    "dev/console": (0o600, 5, 1),
    "dev/full": (0o666, 1, 7),
    "dev/kmsg": (0o600, 1, 11),
    "dev/null": (0o666, 1, 3),
    "dev/ptmx": (0o666, 5, 2),
    "dev/random": (0o666, 1, 8),
    "dev/tty": (0o666, 5, 0),
    "dev/ttyS0": (0o600, 4, 64),
    "dev/ttyS1": (0o600, 4, 65),
    "dev/urandom": (0o666, 1, 9),
    "dev/zero": (0o666, 1, 5),
}

TEXTS = {
    "etc/group": "root:x:0:\nnogroup:x:65534:\n",
    "etc/passwd": "root:x:0:0:root:/root:/bin/sh\n"
                  "nobody:x:65534:65534:nobody:/:/bin/false\n",
}

EM_NAMES = {3: "x86", 22: "s390", 40: "ARM", 50: "IA-64", 62: "x86-64",
            183: "AArch64", 243: "RISC-V"}
PT_INTERP = 3


def die(text):
    sys.exit("rootfs: error: " + text)


def elf_info(data):
    """(machine, has an interpreter) of an ELF file, or None"""
    if len(data) < 64 or data[:4] != b"\x7fELF":
        return None
    order = "<" if data[5] == 1 else ">"
    machine, = struct.unpack_from(order + "H", data, 18)
    if data[4] != 2:
        return machine, False
    phoff, = struct.unpack_from(order + "Q", data, 32)
    phentsize, phnum = struct.unpack_from(order + "HH", data, 54)
    types = [struct.unpack_from(order + "I", data, phoff + i * phentsize)[0]
             for i in range(phnum) if phoff + i * phentsize + 4 <= len(data)]
    return machine, PT_INTERP in types


class Image:
    def __init__(self):
        self.entries = {}
        self.machine = None

    def add(self, name, mode, data=b"", rdev=(0, 0)):
        if name in self.entries:
            die(f"/{name} is there twice: give the files different names")
        self.entries[name] = (mode, data, rdev)

    def add_file(self, path, name):
        """a regular file, executable or not as it is on the disk"""
        with open(path, "rb") as f:
            data = f.read()
        elf = elf_info(data)
        if elf:
            machine, dynamic = elf
            if self.machine is None:
                self.machine = machine
            if machine != self.machine:
                die(f"{path} is a program for {machine_name(machine)}, the guest"
                    f" is {machine_name(self.machine)}: compile it with CROSS_COMPILE")
            if dynamic:
                die(f"{path} wants shared libraries, the guest has none:"
                    " link it with -static")
        mode = 0o755 if os.stat(path).st_mode & 0o111 else 0o644
        self.add(name, stat.S_IFREG | mode, data)

    def add_tree(self, path, name):
        self.add(name, stat.S_IFDIR | 0o755)
        for entry in sorted(os.listdir(path)):
            below, inside = os.path.join(path, entry), name + "/" + entry
            if os.path.islink(below):
                self.add(inside, stat.S_IFLNK | 0o777, os.fsencode(os.readlink(below)))
            elif os.path.isdir(below):
                self.add_tree(below, inside)
            elif os.path.isfile(below):
                self.add_file(below, inside)
            else:
                die(f"{below} is neither a file nor a folder")

    def add_argument(self, path):
        name = "tests/" + os.path.basename(os.path.abspath(path))
        if os.path.isdir(path):
            self.add_tree(path, name)
        elif not os.path.isfile(path):
            die(f"no file or folder {path}")
        elif not os.access(path, os.X_OK):
            die(f"{path} is not executable: chmod +x it, or put data into a folder")
        else:
            self.add_file(path, name)

    def write(self, out):
        # A folder comes before what is in it, as its name is shorter.
        for number, (name, entry) in enumerate(sorted(self.entries.items()), 1):
            mode, data, rdev = entry
            out.write(newc(number, os.fsencode(name), mode, data, rdev))
        end = newc(0, b"TRAILER!!!", 0, b"", (0, 0))
        out.write(end)


def machine_name(machine):
    return EM_NAMES.get(machine, f"ELF machine {machine}")


def newc(inode, name, mode, data, rdev):
    """one archive member: root's, of the year 1970, with one link"""
    fields = (inode, mode, 0, 0, 1, 0, len(data), 0, 0, *rdev, len(name) + 1, 0)
    member = b"070701" + b"".join(b"%08X" % f for f in fields) + name + b"\0"
    member += bytes(-len(member) % 4)
    return member + data + bytes(-len(data) % 4)


def main():
    args = sys.argv[1:]
    commands = []
    while len(args) > 1 and args[0] == "-c":
        commands.append(args[1])
        args = args[2:]
    if not args:
        die("no busybox named; use: pack.py [-c COMMAND]... BUSYBOX-FOLDER [FILE|FOLDER...]")
    busybox = args[0]
    image = Image()
    for name in FOLDERS:
        mode = {"root": 0o700, "tmp": 0o1777}.get(name, 0o755)
        image.add(name, stat.S_IFDIR | mode)
    for name, (mode, *rdev) in NODES.items():
        image.add(name, stat.S_IFCHR | mode, rdev=rdev)
    for name, text in TEXTS.items():
        image.add(name, stat.S_IFREG | 0o644, text.encode())
    image.add("etc/mtab", stat.S_IFLNK | 0o777, b"/proc/mounts")
    image.add_file(os.path.join(busybox, "busybox"), "bin/busybox")
    image.add_file(os.path.join(HERE, "init"), "init")
    with open(os.path.join(busybox, "busybox.links"), encoding="ascii") as f:
        for line in f:
            image.add(line.strip().lstrip("/"), stat.S_IFLNK | 0o777, b"/bin/busybox")
    for command in commands:
        image.add_file(command, "usr/bin/" + os.path.basename(command))
    for path in args[1:]:
        image.add_argument(path)
    image.write(sys.stdout.buffer)


try:
    main()
except OSError as e:
    die(f"{e.filename}: {e.strerror}")
