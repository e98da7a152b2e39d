#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The GDB stub: gdb.py SIMULATOR PROGRAM GDB KERNEL, with PROGRAM from platform/gdb.s.

Speaks the protocol itself; and lets GDB say what it sees of PROGRAM and of the
start of KERNEL.  Where there is no such GDB or KERNEL that is skipped, and said so.
"""

import atexit
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import time

import check as counts
from check import CROSS_COMPILE, check, finish, skip

IP, PSR, CFM, PR, BR0, AR0 = 331, 332, 333, 330, 320, 334
BSP, BSPSTORE, RSC = AR0 + 17, AR0 + 18, AR0 + 16

simulator, program, gdb, kernel = sys.argv[1:5]
symbols = {}


def free_port():
    with socket.socket() as s:
        s.bind(('127.0.0.1', 0))
        return s.getsockname()[1]


def start(port, *more):
    p = subprocess.Popen([simulator, '-m', '64M', '-bare', program, '-gdb', str(port), *more],
                         stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL)
    atexit.register(p.kill)     # also when a check ends this program
    return p


class Remote:
    """The client's side of the protocol."""

    def __init__(self, port):
        for _ in range(100):
            try:
                self.s = socket.create_connection(('127.0.0.1', port), 30)
                break
            except ConnectionRefusedError:
                time.sleep(0.05)
        self.ack = True
        self.buffer = b''

    def byte(self):
        if not self.buffer:
            self.buffer = self.s.recv(65536)
            if not self.buffer:
                raise EOFError
        c, self.buffer = self.buffer[:1], self.buffer[1:]
        return c

    def send(self, text, checksum=None):
        body = text.encode()
        total = sum(body) % 256 if checksum is None else checksum
        self.s.sendall(b'$' + body + b'#%02x' % total)

    def receive(self):
        while self.byte() != b'$':
            pass
        body = b''
        while True:
            c = self.byte()
            if c == b'#':
                break
            body += c
        total = int(self.byte() + self.byte(), 16)
        check(total == sum(body) % 256, 'checksum of %r' % body)
        if self.ack:
            self.s.sendall(b'+')
        return body.decode()

    def ask(self, text):
        self.send(text)
        return self.receive()

    def register(self, n):
        return struct.unpack('<Q', bytes.fromhex(self.ask('p%x' % n))[:8])[0]

    def word(self, address):
        return struct.unpack('<Q', bytes.fromhex(self.ask('m%x,8' % address)))[0]

    def set_register(self, n, value):
        return self.ask('P%x=%s' % (n, struct.pack('<Q', value).hex()))

    def at(self):
        return self.register(IP) | self.register(PSR) >> 41 & 3


def read_symbols():
    nm = CROSS_COMPILE + 'nm'
    text = subprocess.run([nm, program], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        address, _, name = line.split()
        symbols[name] = int(address, 16)


def rse_add(address, n):
    """The backing store address n registers on."""
    slots = (address >> 3 & 63) + n
    if n < 0:
        slots -= 62
    return address + (n + int(slots / 63)) * 8


def conversation():
    port = free_port()
    p = start(port, '-S')
    r = Remote(port)
    check('PacketSize' in r.ask('qSupported:swbreak+'), 'qSupported')
    # a packet with a wrong sum is asked for again
    r.send('?', 0)
    c = r.byte()
    check(c == b'-' or (c == b'+' and r.byte() == b'-'), 'wrong checksum')
    check(r.ask('?').startswith('T05'), '?')
    check(r.ask('QStartNoAckMode') == 'OK', 'QStartNoAckMode')
    r.ack = False
    check(r.ask('vMustReplyEmpty') == '', 'unknown packet')
    check(r.ask('qfThreadInfo') == 'm1' and r.ask('qsThreadInfo') == 'l', 'threads')
    check(r.ask('T1') == 'OK' and r.ask('T2') != 'OK', 'thread 2 is not there')
    check(r.ask('Hg1') == 'OK', 'Hg1')
    check(len(r.ask('g')) == 2 * (128 * 8 + 128 * 16 + (462 - 256) * 8), 'length of g')
    check(r.at() == symbols['_start'], 'at _start')

    # single instructions, slot by slot
    r.ask('s')
    check(r.at() == symbols['_start'] + 1, 'slot 1')
    check('thread:1' in r.ask('vCont;s:1;c'), 'vCont')
    check(r.at() == symbols['_start'] + 16, 'next bundle, behind movl')
    check(r.register(4) == 0x1122334455667788, 'movl')

    # breakpoints
    check(r.ask('Z0,%x,4' % symbols['inner']) == 'OK', 'Z0')
    check(r.ask('c').startswith('T05'), 'breakpoint')
    check(r.at() == symbols['inner'], 'at inner')
    check(r.register(BR0 + 4) == 0x1122334455667788, 'b4')

    # the register stack, by its backing store: inner's only argument, and its callers
    end, size = r.register(BSP), r.register(CFM) & 127
    check(size == 1, 'frame of inner at its entry')
    check(r.word(rse_add(end, -1)) == 0x3001, 'in0 of inner')
    frame = rse_add(end, -1)
    middle = rse_add(frame, -4)
    check(r.word(rse_add(middle, 3)) == 0x4444, "middle's r35")
    check(r.word(rse_add(middle, 0)) == 0x3000, "middle's r32")
    outer = rse_add(middle, -5)
    check(r.word(rse_add(outer, 4)) == 0x3333, "outer's r36")
    check([r.word(rse_add(outer, i)) for i in (0, 1)] == [0x1000, 0x2000], "outer's arguments")
    # writing there is writing the register
    check(r.ask('M%x,8:%s' % (rse_add(end, -1), struct.pack('<Q', 0x55).hex())) == 'OK', 'M')
    for _ in range(2):
        r.ask('s')
    check(r.register(8) == 0xaa, 'r8 from the changed in0')

    # memory
    check(r.word(symbols['word']) == 0x0123456789abcdef, 'word')
    check(r.ask('M%x,3:aabbcc' % symbols['word']) == 'OK', 'M')
    check(r.word(symbols['word']) == 0x0123456789ccbbaa, 'word after M')
    check(r.ask('m%x,8' % 0x3fffffff0000000).startswith('E'), 'no memory there')
    check(r.ask('m%x,20' % (64 * 2**20 - 16)) == '00' * 16, 'the end of RAM')

    # registers
    check(r.set_register(9, 0xfeedface12345678) == 'OK', 'P')
    check(r.register(9) == 0xfeedface12345678, 'r9')
    check(r.set_register(0, 1) != 'OK', 'r0')
    check(r.set_register(AR0 + 32, 77) == 'OK' and r.register(AR0 + 32) == 77, 'ar.ccv')
    check(r.register(PR) & 1 == 1, 'p0')
    one = bytes.fromhex(r.ask('p%x' % (128 + 1)))
    check(one == struct.pack('<QQ', 1 << 63, 0xffff), 'f1')

    # to the loop, and out of it by an interrupt
    check(r.ask('z0,%x,4' % symbols['inner']) == 'OK', 'z0')
    r.ask('Z1,%x,4' % (symbols['loop'] + 0x11))
    check(r.ask('vCont;c').startswith('T05'), 'breakpoint in slot 1')
    check(r.at() == symbols['loop'] + 0x11, 'there')
    count = r.register(8)
    check(r.ask('c').startswith('T05') and r.register(8) == count + 1, 'once around')
    r.ask('z1,%x,4' % (symbols['loop'] + 0x11))
    r.send('c')
    time.sleep(0.3)
    r.s.sendall(b'\x03')
    check(r.receive().startswith('T02'), 'interrupt')
    check(r.register(8) > count + 1000, 'it ran')
    # ip is a register
    r.set_register(IP, symbols['_start'])
    r.set_register(PSR, 1 << 44 | 1 << 41)
    check(r.at() == symbols['_start'] + 1, 'ip and slot set')

    # leaving lets it run; another can come
    check(r.ask('D') == 'OK', 'D')
    r.s.close()
    r = Remote(port)
    check(r.ask('?').startswith('T05'), 'a second time')
    r.send('k')
    check(p.wait(20) == 0, 'k')


def dropped():
    """A debugger that vanishes does no harm."""
    port = free_port()
    p = start(port, '-S', '-icount', '1000000')
    r = Remote(port)
    r.s.sendall(b'$m123')
    r.s.close()
    check(p.wait(30) == 4, 'goes on without')


# What is not understood is answered with nothing, what has no sense with an error.
GARBAGE = {
    '': '', 'm': 'E22', 'm,': '', 'mfffffffffffffff8,ffffffff': 'E14', 'M': 'E22', 'M0': 'E22',
    'M0,ffff:': 'E22', 'M0,2:aa': 'E22', 'M0,ffffffffffffffff:': 'E22', 'p': '00' * 8,
    'pffffff': 'E22', 'p100000001': 'E22', 'P': 'E22', 'Pffff=1': 'E22', 'G12': 'E22', 'Z': '',
    'Z0': '', 'Z0,': 'E22', 'Z9,1,1': '', 'z0,1,1': 'OK', 'H': 'E22', 'Hg': 'E22', 'Hgzz': 'E22',
    'Hc-1': 'OK', 'T': 'E22', 'q': '', 'Q': '', 'v': '', 'qThreadInfo': '', 'X' * 20000: '',
}


def garbage():
    port = free_port()
    p = start(port, '-S', '-icount', '1000000')
    r = Remote(port)
    check(r.ask('QStartNoAckMode') == 'OK', 'QStartNoAckMode')
    r.ack = False
    registers = r.ask('g')
    for text, reply in GARBAGE.items():
        check(r.ask(text) == reply, '%.20s: not answered with "%s"' % (text, reply))
    check(r.ask('g') == registers, 'garbage changes no register')
    check(r.word(symbols['word']) == 0x0123456789abcdef, 'garbage changes no memory')
    replies = [r.ask('Z0,%x,4' % (i * 16 + 0x500000)) for i in range(100)]
    full = replies.count('E28')
    check(0 < full < 100 and replies == ['OK'] * (100 - full) + ['E28'] * full, 'breakpoints')
    r.send('c')
    check(p.wait(60) in (0, 4), 'ends')


def with_gdb():
    before = counts.failed
    port = free_port()
    p = start(port, '-S')
    text = subprocess.run(
        [gdb, '-nx', '-batch', program, '-ex', 'target remote 127.0.0.1:%d' % port,
         '-ex', 'break inner', '-ex', 'continue', '-ex', 'info registers r4 r32 b4',
         '-ex', 'x/gx &word', '-ex', 'x/i $pc', '-ex', 'stepi', '-ex', 'kill'],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120).stdout
    check(re.search(r'Breakpoint 1, .*inner', text), 'GDB stops at inner')
    check(re.search(r'r4 +0x1122334455667788', text), 'GDB: r4')
    check(re.search(r'r32 +0x3001', text), 'GDB: r32')
    check('0x0123456789abcdef' in text, 'GDB: memory')
    check('add r8=r32,r32' in text, 'GDB: disassembly')
    if counts.failed != before:
        print(text)
    p.wait(20)


def with_kernel():
    """The session of ia64sim.rst."""
    port = free_port()
    p = subprocess.Popen([simulator, '-m', '1G', '-kernel', kernel, '-append', 'console=ttyS0',
                          '-gdb', str(port), '-S'], stdin=subprocess.DEVNULL,
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    atexit.register(p.kill)
    commands = ('target remote 127.0.0.1:%d' % port, 'break kernel_clone', 'continue', 'bt',
                'info registers ip r12 r32', 'x/2gx $r32', 'x/s &linux_banner', 'stepi',
                'x/i $pc', 'step', 'print *(long *)&jiffies_64 != 0', 'kill')
    text = subprocess.run([gdb, '-nx', '-batch', kernel] +
                          [word for c in commands for word in ('-ex', c)],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=300).stdout
    before = counts.failed
    check(re.search(r'Breakpoint 1, (0x\w+) in kernel_clone', text), 'kernel: breakpoint')
    check(re.search(r'#0 .* kernel_clone .*\n#1 .*\n(#.*\n)*#\d .* start_kernel ', text),
          'kernel: backtrace')
    check(re.search(r'^r32 +0xa0000001', text, re.M), 'kernel: r32, a pointer to the stack')
    check(re.search(r'^0xa0000001\w+:\t0x\w{16}\t0x\w{16}$', text, re.M), 'kernel: memory')
    check('"Linux version ' in text, 'kernel: a string')
    check(re.search(r'^=> 0x\w+1 <kernel_clone\+\d+>:', text, re.M), 'kernel: stepi')
    check(re.search(r'Single stepping until exit.*\n.*\n0x\w+ in \w+', text), 'kernel: step')
    check('$1 = 1' in text, 'kernel: a variable')
    if counts.failed != before:
        print(text)
    p.wait(20)


def knows_ia64():
    text = subprocess.run([gdb, '-nx', '-batch', '-ex', 'set architecture ia64-elf64'],
                          capture_output=True, text=True).stdout
    return 'ia64-elf64' in text


read_symbols()
conversation()
dropped()
garbage()
if not shutil.which(gdb):
    skip('what GDB sees, without %s (Debian: gdb-multiarch)' % gdb)
elif not knows_ia64():
    skip('what GDB sees, %s does not know ia64' % gdb)
else:
    with_gdb()
    if os.path.exists(kernel):
        with_kernel()
    else:
        skip('what GDB sees of a kernel, without %s' % kernel)
finish()
