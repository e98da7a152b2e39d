#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compare the decoder and the disassembler with binutils.

PROGRAM is the built decode.c.  FILEs are ia64 ELF files or archives of
them, whose code is disassembled too.  The last line says how many comparisons
passed and failed.
"""

import argparse
import collections
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

CROSS_COMPILE = os.environ.get('CROSS_COMPILE', 'ia64-linux-gnu-')
AS, OBJDUMP = CROSS_COMPILE + 'as', CROSS_COMPILE + 'objdump'

# Template and slot to put an instruction of each kind in, and the nops around
# it.  Some instructions must be last in their group: a stop follows, but in
# the F unit, which has none such.
PLACE = {'I': (0x01, 2), 'M': (0x0a, 0), 'F': (0x0c, 1), 'B': (0x11, 2),
         'X': (0x05, 1)}
UNITS = {0x01: 'MII', 0x0a: 'MMI', 0x0c: 'MFI', 0x11: 'MIB', 0x05: 'MLX'}
NOP = {'M': 1 << 27, 'I': 1 << 27, 'F': 1 << 27, 'B': 2 << 37, 'L': 0, 'X': 0}
SLOT = {0: 0, 6: 1, 12: 2}

# Where our decoder follows the manual and the Itanium 2, and binutils does
# not, or knows later processors: what ours says (its text, or how it is
# refused), what theirs says, and why; for hints of no meaning also where the
# hint is, how long, and the values that have none.
LATER = 'later processors: '
KNOWN = [
    ('illegal', r'(clz|mpy4|mpyshl4) .*', LATER + 'clz, mpy4, mpyshl4'),
    ('illegal', r'mov (msr\[r\d+\]=r\d+|r\d+=msr\[r\d+\])',
     'mov msr is not in the manual'),
    ('illegal', r'mov r\d+=dahr\[r\d+\]', LATER + 'mov dahr'),
    ('illegal', r'mov (cr\.iib[01]=r\d+|r\d+=cr\.iib[01])', LATER + 'cr.iib'),
    ('illegal', r'mux1 .*,0x[0-9a-f]', 'mux1: reserved permutation'),
    ('illegal', r'vmsw\.[01]', LATER + 'vmsw'),
    (r'hint\.m .*', r'(data8 .*|hint\.m \d+|mov dahr\d=\d+)',
     LATER + 'mov dahr in hint.m'),
    (r'lfetch(\.excl)?(\.fault)?(\.excl)?(\.nt[12a])? \[r\d+\]',
     r'lfetch\.count.*', LATER + 'lfetch.count'),
    (r'(ld|cmpxchg|xchg|fetchadd|cmp8xchg).*', r'data8 .*',
     'reserved hint of a load', 28, 2, [2]),
    (r'st.*', r'data8 .*', 'reserved hint of a store', 28, 2, [1, 2]),
    (r'mov(\.ret)?(\.imp)? b\d=r\d+(,0x.*)?', r'data8 .*',
     'reserved hint of mov to a branch register', 20, 2, [3]),
    (r'brp(\.ret)?\.(sptk|dptk)(\.imp)? b.*', r'data8 .*',
     'reserved hint of brp', 3, 2, [1, 3]),
    (r'br\.call\..* b\d=b\d', r'data8 .*',
     'reserved hint of an indirect call', 32, 1, [0]),
    ('ignored', r'data8 .*', 'B unit: ignored encodings do nothing'),
    ('always', r'alloc .*', 'alloc with a predicate'),
    ('always', r'br\.ia.*', 'br.ia with a predicate'),
]
PREDICATE = re.compile(r'^\(p\d+\) ')

AR_OF_M = ['k%d' % n for n in range(8)] + [
    'rsc', 'bsp', 'bspstore', 'rnat', 'fcr', 'eflag', 'csd', 'ssd', 'cflg',
    'fsr', 'fir', 'fdr', 'ccv', 'unat', 'fpsr', 'itc']
AR_OF_I = ['pfs', 'lc', 'ec']

# Hints that came with the data access hint registers, in bits ignored before.
LATER_HINT = re.compile(r'\.d[0-7] ')
LOCALITY = re.compile(r'\.(d[0-7]|nt[12a]) ')

# Instructions whose hexadecimal operands are addresses.
TARGETS = re.compile(r'(^|\) )(br[lp.]|chk|fchkf|'
                     r'mov(\.ret)?(\.sptk|\.dptk)?(\.imp)? b)')

Line = collections.namedtuple('Line', 'name unit mask match x function text')
Slot = collections.namedtuple('Slot', 'name fate word significant text')


class Tally:
    """What passed, what failed."""

    def __init__(self, verbose=False):
        self.passed = 0
        self.failed = 0
        self.verbose = verbose
        self.known = collections.Counter()

    def check(self, ok, *what):
        if ok:
            self.passed += 1
            return
        self.failed += 1
        if self.failed <= 50 or self.verbose:
            print('not ok:', *what)

    def explained(self, why):
        self.passed += 1
        self.known[why] += 1


def bundle(kind, word, long_part=0):
    template, slot = PLACE[kind]
    words = [NOP[unit] for unit in UNITS[template]]
    if kind == 'X':
        words[1:] = [long_part, word]
    else:
        words[slot] = word
    value = template | words[0] << 5 | words[1] << 46 | words[2] << 87
    return value.to_bytes(16, 'little')


def normalize(text):
    """objdump's text, less what depends on symbols and taste."""
    # A target that lies in a symbol has no 0x.
    text = re.sub(r'\b([0-9a-f]+) <[^>]*>', r'0x\1', text)
    text = re.sub(r'\(p0(\d)\)', r'(p\1)', text)
    text = re.sub(r'\s+', ' ', text).strip()
    # The numbers are those of the frame, not the operands that gas takes.
    match = re.fullmatch(r'(.*alloc r\d+=ar.pfs,)(\d+),(\d+),(\d+)(;;)?', text)
    if match:
        sof, sol, sor = (int(n) for n in match.group(2, 3, 4))
        text = '%s0,%d,%d,%d' % (match.group(1), sol, sof - sol, sor)
        text += match.group(5) or ''
    return text


def our_slots(program, data, address=0):
    """Yield (address, slot number), Slot."""
    run = subprocess.run([program, 'disassemble', hex(address)], input=data,
                         stdout=subprocess.PIPE, check=True)
    for line in run.stdout.decode().splitlines():
        where, number, name, fate, word, bits, text = line.split('\t')
        yield (int(where, 16), int(number)), Slot(name, fate, int(word, 16),
                                                  int(bits, 16), text)


def ours(program, data):
    return dict(our_slots(program, data))


def parse_objdump(lines):
    """Yield section, address, slot number, text."""
    section = None
    for line in lines:
        match = re.match(r'Disassembly of section (.*):$', line)
        if match:
            section = match.group(1)
            continue
        match = re.match(r'\s*([0-9a-f]+):\t[0-9a-f ]+\t(.*)$', line)
        if match and match.group(2):
            where = int(match.group(1), 16)
            text = re.sub(r'^\[\w+\]', '', match.group(2))
            yield section, where & ~15, SLOT[where & 15], normalize(text)


def objdump(*arguments):
    run = subprocess.run([OBJDUMP, *arguments], stdout=subprocess.PIPE,
                         check=True)
    return parse_objdump(run.stdout.decode().splitlines())


def objdump_binary(data):
    with tempfile.NamedTemporaryFile(suffix='.bin') as file:
        file.write(data)
        file.flush()
        found = objdump('-D', '-z', '-b', 'binary', '-m', 'ia64-elf64', '-EL',
                        file.name)
        return {(where, slot): text for _, where, slot, text in found}


def broken_move(mnemonic, target, source):
    """Why a move to or from an AR or a CR is illegal."""
    there = AR_OF_I if mnemonic == 'mov.i' else AR_OF_M
    for operand, written in ((target, True), (source, False)):
        if operand.startswith('ar'):
            name = operand[2:].removeprefix('.')
            number = int(name) if name.isdigit() else 0
            ignored = 48 <= number < 64 or number >= 112
            if not ignored and name not in there:
                return 'application register not there or not of the unit'
            if written and name == 'bsp':
                return 'read-only register'
        if re.match(r'cr\d', operand):
            return 'control register not there'
        if written and re.match(r'cr\.(ivr|irr[0-3])$', operand):
            return 'read-only register'
    return None


def broken_rule(text):
    """Why what has an encoding is illegal all the same, from its text."""
    text = PREDICATE.sub('', text)
    mnemonic, _, operands = text.partition(' ')
    target, equals, source = operands.partition('=')
    targets = target.split(',') if equals else []
    base = re.search(r'\[(r\d+)\](=[rf]\d+)?,', operands)
    if base and re.match(r'(ld|st|lfetch)', mnemonic):
        if base.group(1) == 'r0':
            return 'post-increment of r0'
        if base.group(1) in targets and re.match(r'ld[1248]', mnemonic):
            return 'target is the base'
    if 'r0' in targets:
        return 'target r0'
    if 'f0' in targets or 'f1' in targets:
        return 'target f0 or f1'
    if re.match(r'(cmp4?|fcmp|fclass|tbit|tnat|tf)\.', mnemonic) and \
            targets[0] == targets[1]:
        return 'both targets are the same predicate'
    if mnemonic in ('pshladd2', 'pshradd2') and source.split(',')[1] == '4':
        return 'count 4'
    if mnemonic == 'alloc':
        local, output, rotating = (int(n) for n in source.split(',')[2:])
        frame = local + output
        if frame > 96 or output < 0 or rotating > frame:
            return 'frame that cannot be'
    if mnemonic.startswith('mov'):
        return broken_move(mnemonic, target, source)
    return None


def compare(tally, slot, theirs, where):
    """Our slot against objdump's text."""
    report = (where, hex(slot.word), slot.name, slot.fate, repr(slot.text),
              repr(theirs))
    unknown = theirs.startswith('data8')
    # objdump forgets the stop behind what it does not know.
    if slot.text.endswith(';;') != theirs.endswith(';;') and not unknown:
        tally.check(False, *report)
        return
    text = slot.text.removesuffix(';;')
    theirs = theirs.removesuffix(';;')
    if slot.fate == 'ok' and text == theirs:
        tally.check(True)
        return
    if slot.name == 'illegal' and slot.fate != 'ignored' and unknown:
        tally.check(True)
        return
    rule = broken_rule(text)
    if slot.fate in ('illegal', 'always') and text == theirs and rule:
        # unc does its work, and faults, whatever the predicate.
        unc = '.unc' in text and PREDICATE.match(text)
        if slot.fate == ('always' if unc else 'illegal'):
            tally.explained(rule)
            return
    for mine, other, why, *hint in KNOWN:
        if mine in ('illegal', 'ignored', 'always'):
            fits = slot.fate == mine
        else:
            fits = slot.fate in ('ok', 'illegal') and \
                re.fullmatch(mine, PREDICATE.sub('', text))
        if fits and hint:
            low, length, reserved = hint
            fits = slot.word >> low & (1 << length) - 1 in reserved
        if fits and re.fullmatch(other, PREDICATE.sub('', theirs)):
            tally.explained(why)
            return
    if LATER_HINT.search(theirs) and (slot.fate == 'ok' or rule) and \
            LOCALITY.sub(' ', text) == LOCALITY.sub(' ', theirs):
        tally.explained(LATER + 'hints .d0 to .d7')
        return
    tally.check(False, *report)


def encodings(program):
    run = subprocess.run([program, 'list'], stdout=subprocess.PIPE, check=True)
    for line in run.stdout.decode().splitlines():
        name, unit, mask, match, x, function, text = line.split('\t')
        yield Line(name, unit, int(mask, 16), int(match, 16), int(x),
                   function, text)


RELATIONS = ['eq', 'ne', 'gt', 'le', 'ge', 'lt', 'ltu']
TYPES = ['', 'and', 'or', 'or.andcm']
LOG2 = {'1': 0, '2': 1, '4': 2, '8': 3}
KINDS = ['', '.s', '.a', '.sa', '.c.nc', '.c.clr']


def expected(line):
    """The x, or None, and the function, or None, that a text asks for."""
    mnemonic, _, operands = re.sub('%[hgf]', '', line.text).partition(' ')
    update = ''
    if re.search(r'\].*,r%2$', operands):
        update = '_inc_reg'
    elif re.search(r'\].*,%i$', operands):
        update = '_inc'
    match = re.fullmatch(r'(cmp4?)\.(\w+)(?:\.(unc|and|or|or\.andcm))?',
                         mnemonic)
    if match:
        name, relation, kind = match.groups()
        form = '_imm' if '%i' in operands else ''
        relation = RELATIONS.index(relation)
        if not kind:
            return None, mnemonic.replace('.', '_') + form
        if kind == 'unc':
            return relation, name + '_unc' + form
        return relation | TYPES.index(kind) << 3, name + '_par' + form
    match = re.fullmatch(r'(tbit|tnat|tf)\.(n?z)(?:\.(unc|and|or|or\.andcm))?',
                         mnemonic)
    if match:
        name, relation, kind = match.groups()
        name = 'tbit' if name == 'tbit' else 'tnat'
        relation = ['z', 'nz'].index(relation)
        if not kind or kind == 'unc':
            return relation, name + ('_unc' if kind else '_z')
        return relation | TYPES.index(kind) << 3, name + '_par'
    match = re.fullmatch(r'ld([1248])(\..*|)', mnemonic)
    if match:
        size, kind = LOG2[match.group(1)], match.group(2)
        kind = kind.removesuffix('.acq')
        if kind == '.fill':
            return size, 'ld8_fill' + update
        if kind in ('', '.bias'):
            return size, 'ld%s%s' % (match.group(1), update)
        return size | KINDS.index(kind) << 2, 'ld_spec' + update
    match = re.fullmatch(r'ldf(p?)([e8sd])(\..*|)', mnemonic)
    if match:
        size = 'e8sd'.index(match.group(2))
        kind = KINDS.index(match.group(3))
        if match.group(1):
            return size | kind << 2, 'ldfp' + update
        if kind:
            return size | kind << 2, 'ldf_spec' + update
        return size, 'ldf' + match.group(2) + update
    match = re.fullmatch(r'st([1248])(\.rel)?', mnemonic)
    if match:
        return LOG2[match.group(1)], 'st%s%s' % (match.group(1), update)
    match = re.fullmatch(r'(cmpxchg|xchg|fetchadd)([1248])(\..*|)', mnemonic)
    if match:
        return LOG2[match.group(2)], match.group(1)
    match = re.fullmatch(r'(padd|psub|pavg|pavgsub|pcmp|mix|pack|unpack|pshr|'
                         r'pshl)([124])(\.\w+|)', mnemonic)
    if match:
        name, size, suffix = match.groups()
        high = {'': 0, '.sss': 1, '.uuu': 2, '.uus': 3, '.raz': 1, '.gt': 1,
                '.eq': 0, '.r': 1, '.l': 0, '.h': 1, '.u': 1, '.uss': 1}
        high = 0 if name == 'pack' and suffix == '.sss' else high[suffix]
        form = '_imm' if '%i' in operands else ''
        return LOG2[size] | high << 2, name + form
    match = re.fullmatch(r'(fn?m[as])(\.[sd])?\.%s', mnemonic)
    if match:
        return ['.s', '.d'].index(match.group(2)) + 1 if match.group(2) \
            else 0, match.group(1)
    match = re.fullmatch(r'(fp?cmp)\.(n?)(eq|lt|le|unord|ord)(\.unc)?\.%s',
                         mnemonic)
    if match:
        name, negated, relation, unc = match.groups()
        x = ['eq', 'lt', 'le', 'unord', 'ord'].index(relation)
        x = 7 if x == 4 else x | (4 if negated else 0)
        return x, name + ('_unc' if unc else '')
    match = re.fullmatch(r'(fp?)a?(min|max)\.%s', mnemonic)
    if match:
        x = (match.group(2) == 'max') | 2 * ('a' in mnemonic.split('m')[0])
        return x, match.group(1) + 'minmax'
    match = re.fullmatch(r'(fp?cvt)\.fx(u?)(\.trunc)?\.%s', mnemonic)
    if match:
        x = bool(match.group(2)) | 2 * bool(match.group(3))
        return x, match.group(1) + '_fx'
    match = re.fullmatch(r'lfetch(\.fault)?(\.excl)?', mnemonic)
    if match:
        x = bool(match.group(1)) | 2 * bool(match.group(2))
        return x, 'lfetch' + update
    return None, None


def test_lines(tally, program):
    """The functions and their x must be what the text says."""
    for line in encodings(program):
        x, function = expected(line)
        tally.check(x is None or x == line.x, 'x', line, x)
        tally.check(function is None or function == line.function,
                    'function', line, function)


def fill():
    """Random operands, often with few bits or none."""
    word = random.getrandbits(41)
    if random.random() < 0.3:
        word &= random.getrandbits(41)
    if random.random() < 0.5:
        word &= ~0x3f
    return word


def test_fills(tally, program, fills):
    """Every encoding with random operands: objdump's text, and through gas."""
    wanted = []
    data = bytearray()
    for name, unit, mask, match, *_ in encodings(program):
        for kind in 'MI' if unit == 'A' else unit:
            for _ in range(fills):
                word = match | fill() & ~mask
                wanted.append((name, kind, word))
                data += bundle(kind, word, random.getrandbits(41))
    mine = ours(program, bytes(data))
    theirs = objdump_binary(bytes(data))
    source = ['\t.text', 'start:']
    for n, (name, kind, word) in enumerate(wanted):
        where = (16 * n, PLACE[kind][1])
        slot = mine[where]
        tally.check(slot.name == name and slot.word == word, hex(word), name,
                    slot.name)
        compare(tally, slot, theirs.get(where, '?'), where)
        source.append(assembly(slot, kind))
    assembled = assemble(source)
    tally.check(len(assembled) == len(data), 'size of the assembled bundles')
    if len(assembled) != len(data):
        return
    again = ours(program, assembled)
    for n, (name, kind, word) in enumerate(wanted):
        where = (16 * n, PLACE[kind][1])
        slot = mine[where]
        if not assembles(slot):
            continue
        bits = slot.significant & ~untold_bits(kind, slot)
        tally.check(((again[where].word ^ word) & bits) == 0, 'assembled',
                    repr(slot.text), hex(word), hex(again[where].word))
        if not name.startswith('fclass'):
            tally.check(again[where].text == slot.text, 'twice',
                        repr(slot.text), repr(again[where].text))


def assembles(slot):
    """Whether gas takes it: not most of hint.m (mov dahr), nor hint.b."""
    return slot.fate == 'ok' and slot.name not in ('hint_m', 'hint_b')


def untold_bits(kind, slot):
    """Bits that the text does not tell: hints of no meaning, mostly."""
    name = slot.name
    if kind == 'M' and re.match(r'(ld|st|cmp8?xchg|xchg|fetchadd)', name):
        return 3 << 28
    if name == 'br_call_ind':
        return 1 << 32
    if name in ('brp_ind', 'brp_ret'):
        return 1 << 3
    if name == 'mov_to_br' and ',' not in slot.text:
        return 0x1ff << 24 | 3 << 20
    if name in ('mov_to_br', 'mov_ret_to_br'):
        return 3 << 20
    if name.startswith('fclass'):
        return 3 << 33          # gas adds both signs where there is none
    return 0


def assembly(slot, kind):
    """One bundle in gas's syntax around the slot."""
    template, number = PLACE[kind]
    lines = ['nop.%s 0' % unit.lower() for unit in UNITS[template]
             if unit not in 'LX']
    text = slot.text.removesuffix(';;')
    if not assembles(slot):
        text = 'nop.%s 0' % kind.lower()
    elif TARGETS.search(text):
        def relative(match):
            address = int(match.group(0), 16)
            if address >= 2**63:
                return 'start-%#x' % (2**64 - address)
            return 'start+%#x' % address
        text = re.sub(r'0x[0-9a-f]+', relative, text)
    if kind != 'F':
        text += ' ;;'
    if kind == 'X':
        lines.append(text)
    else:
        lines[number] = text
    return '{ .%s\n\t%s\n}' % (UNITS[template].lower(), '\n\t'.join(lines))


def assemble(source):
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, 'a')
        with open(name + '.s', 'w') as file:
            file.write('\n'.join(source) + '\n')
        run = subprocess.run([AS, '-W', '-x', '-xnone', '-o', name + '.o',
                              name + '.s'], stderr=subprocess.PIPE)
        if run.returncode:
            print(run.stderr.decode()[:4000])
            return b''
        return dict(code_sections(name + '.o'))['.text'][1]


def code_sections(path):
    """Yield name, (address, content) of an ELF file's executable sections."""
    with open(path, 'rb') as file:
        elf = file.read()
    offset, = struct.unpack_from('<Q', elf, 40)
    size, count, names = struct.unpack_from('<HHH', elf, 58)
    headers = [struct.unpack_from('<IIQQQQ', elf, offset + size * n)
               for n in range(count)]
    strings = headers[names][4]
    for name, kind, flags, address, where, length in headers:
        if kind == 1 and flags & 4:
            end = elf.index(b'\0', strings + name)
            yield (elf[strings + name:end].decode(),
                   (address, elf[where:where + length]))


def test_space(tally, program, fills):
    """All values of bits 40:26, where most extensions are, of all kinds."""
    for kind in 'MIFBX':
        data = bytearray()
        for high in range(1 << 15):
            for _ in range(fills):
                word = high << 26 | fill() & (1 << 26) - 1
                data += bundle(kind, word, random.getrandbits(41))
        theirs = objdump_binary(bytes(data))
        for where, slot in our_slots(program, bytes(data)):
            if where[1] == PLACE[kind][1]:
                compare(tally, slot, theirs.get(where, '?'), (kind, where))


def members(path, folder):
    """The file, or the members of an archive."""
    with open(path, 'rb') as file:
        if file.read(8) != b'!<arch>\n':
            yield path
            return
    subprocess.run(['ar', 'x', os.path.abspath(path)], cwd=folder, check=True)
    for name in sorted(os.listdir(folder)):
        yield os.path.join(folder, name)


def test_file(tally, program, path, seen):
    with tempfile.TemporaryDirectory() as folder:
        for name in members(path, folder):
            found = objdump('-d', '-z', name)
            theirs = {(section, where, number): text
                      for section, where, number, text in found}
            for section, (address, code) in code_sections(name):
                for where, slot in our_slots(program, code, address):
                    seen[slot.name] += 1
                    compare(tally, slot, theirs.get((section, *where), '?'),
                            (os.path.basename(name), section, where))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('program', metavar='PROGRAM')
    parser.add_argument('-n', '--fills', type=int, default=20,
                        help='random operands for each encoding')
    parser.add_argument('-s', '--seed', type=int, default=1)
    parser.add_argument('-v', '--verbose', action='store_true',
                        help='show all failures, not only 50')
    parser.add_argument('files', metavar='FILE', nargs='*')
    options = parser.parse_intermixed_args()
    program = os.path.abspath(options.program)
    random.seed(options.seed)

    tally = Tally(options.verbose)
    test_lines(tally, program)
    test_fills(tally, program, options.fills)
    test_space(tally, program, 1)
    seen = collections.Counter()
    for path in options.files:
        test_file(tally, program, path, seen)

    print('differences that are meant:')
    for why, count in sorted(tally.known.items()):
        print('%9d %s' % (count, why))
    if seen:
        unseen = [name for name, *_ in encodings(program) if name not in seen]
        print('in files: %d instructions, of %d kinds; %d were not met:' %
              (sum(seen.values()), len(seen), len(unseen)))
        print('   ', ' '.join(unseen))
    print('compare: %d passed, %d failed' % (tally.passed, tally.failed))
    return 1 if tally.failed else 0


if __name__ == '__main__':
    sys.exit(main())
