#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The console: console.py SIMULATOR PROGRAM, with PROGRAM from platform/echo.s.

Through a pipe, at the end of input, and on a terminal: raw mode, the escape
keys, and the terminal's state afterwards.
"""

import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time

from check import check, finish

ARGUMENTS = [sys.argv[1], '-m', '64M', '-nographic', '-bare', sys.argv[2]]


def read_until(fd, text, seconds=20):
    got = b''
    end = time.monotonic() + seconds
    while text not in got and time.monotonic() < end:
        if select.select([fd], [], [], 0.2)[0]:
            try:
                more = os.read(fd, 4096)
            except OSError:
                break
            if not more:
                break
            got += more
    return got


def pipes():
    done = subprocess.run(ARGUMENTS, input=b'ab\r\n\x01x\x03q', capture_output=True, timeout=120)
    check(done.returncode == 9, 'status through a pipe: %d' % done.returncode)
    # no key is an escape in a pipe, and nothing is translated
    check(done.stdout.startswith(b'ready\n[61][62][0d][0a][01][78][03]'), repr(done.stdout))
    many = bytes(i % 64 + 128 for i in range(300))
    done = subprocess.run(ARGUMENTS, input=many + b'q', capture_output=True, timeout=120)
    check(done.stdout == b'ready\n' + b''.join(b'[%02x]' % c for c in many), 'long input')
    for null in (subprocess.DEVNULL, 'closed'):
        done = subprocess.run(ARGUMENTS + ['-icount', '3000000'], timeout=120, capture_output=True,
                              stdin=subprocess.DEVNULL if null != 'closed' else None,
                              preexec_fn=(lambda: os.close(0)) if null == 'closed' else None)
        check(done.returncode == 4 and done.stdout == b'ready\n', 'no input: %s' % done)


class Terminal:
    """The simulator on a terminal of its own."""

    def __init__(self):
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.execv(ARGUMENTS[0], ARGUMENTS)
        self.saved = None

    def end(self):
        got = read_until(self.fd, b'no such text', 1)
        status = os.waitpid(self.pid, 0)[1]
        os.close(self.fd)
        return got, status


def terminal():
    t = Terminal()
    check(b'ready' in read_until(t.fd, b'ready'), 'ready on a terminal')
    flags = termios.tcgetattr(t.fd)
    check(not flags[3] & (termios.ICANON | termios.ECHO | termios.ISIG), 'raw mode')
    os.write(t.fd, b'a\r\x03\x1a\x01\x01')
    got = read_until(t.fd, b'[01]')
    check(b'[61][0d][03][1a][01]' in got, repr(got))
    os.write(t.fd, b'\x01h')
    check(b'C-a x' in read_until(t.fd, b'send C-a'), 'help')
    os.write(t.fd, b'\x01b')
    check(b'[00]' in read_until(t.fd, b'[00]'), 'break')
    os.write(t.fd, b'\x01x')
    got, status = t.end()
    check(b'terminated' in got, repr(got))
    check(os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0, 'C-a x: status %#x' % status)


def restored():
    """What the terminal is like after each way to end."""
    for how in ('q', 'x', signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        master, slave = pty.openpty()
        before = termios.tcgetattr(slave)
        p = subprocess.Popen(ARGUMENTS, stdin=slave, stdout=slave, stderr=slave)
        read_until(master, b'ready')
        check(termios.tcgetattr(slave) != before, '%s: terminal changed' % how)
        if how == 'q':
            os.write(master, b'q')
        elif how == 'x':
            os.write(master, b'\x01x')
        else:
            p.send_signal(how)
        status = p.wait(20)
        check(termios.tcgetattr(slave) == before, '%s: terminal restored' % how)
        expected = {'q': 9, 'x': 0}.get(how, -how if isinstance(how, int) else None)
        check(status == expected, '%s: status %d' % (how, status))
        os.close(master)
        os.close(slave)


pipes()
terminal()
restored()
finish()
