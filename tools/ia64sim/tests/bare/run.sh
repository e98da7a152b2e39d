#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Assemble and run bare tests: run.sh [-s SIMULATOR] [-o OUTPUT] [TEST.s ...]
# Without names all *.s beside this script.  A test may name more options for
# the simulator in a line "Options: ..." of its first comment, and another
# expected exit status in "Status: ...".  What the assembler says about missing
# stops fails the test: it would not hold on a processor.  That a pair may mix
# static and rotating registers is for the test to know.

here=$(dirname "$0")
sim=${IA64SIM:-$here/../../ia64sim}
out=${TMPDIR:-/tmp}/ia64sim-bare
prefix=${CROSS_COMPILE:-ia64-linux-gnu-}

while getopts s:o: option; do
	case $option in
	s) sim=$OPTARG ;;
	o) out=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ $# = 0 ] && set -- "$here"/*.s
mkdir -p "$out" || exit 2

passed=0
failed=0
for test; do
	name=$(basename "$test" .s)
	options=$(sed -n 's/^ \* Options: *//p' "$test")
	expected=$(sed -n 's/^ \* Status: *//p' "$test")
	if "${prefix}as" -I "$here" -o "$out/$name.o" "$test" 2>"$out/$name.warnings" &&
	   ! grep -qv 'Assembler messages\|Dangerous simultaneous\|macro invoked' "$out/$name.warnings" &&
	   "${prefix}ld" -T "$here/bare.ld" -o "$out/$name" "$out/$name.o"; then
		# shellcheck disable=SC2086
		timeout 600 "$sim" -bare "$out/$name" -m 64M -nographic $options \
			<"/dev/null" >"$out/$name.log" 2>&1
		status=$?
	else
		cat "$out/$name.warnings"
		status=assembly
	fi
	if [ "$status" = "${expected:-0}" ]; then
		echo "ok $name"
		passed=$((passed + 1))
	else
		echo "not ok $name ($status)"
		failed=$((failed + 1))
	fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
