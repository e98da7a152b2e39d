#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The soft TLB changes no count: each bare test with it and without it gives the
# same -stats, and two equal runs do.  mmu_soft.sh SIMULATOR DIR, where DIR holds
# the programs that bare/run.sh -o DIR has made.

sim=$1
dir=$2
here=$(dirname "$0")
passed=0
failed=0

for test in "$here"/bare/*.s; do
	name=$(basename "$test" .s)
	options=$(sed -n 's/^ \* Options: *//p' "$test")
	[ -f "$dir/$name" ] || continue
	for run in on off again; do
		soft=$run
		[ $run = again ] && soft=on
		# shellcheck disable=SC2086
		timeout 120 "$sim" -bare "$dir/$name" -m 64M -nographic $options \
			-accel soft-tlb=$soft -stats "$dir/$name.$run.json" \
			</dev/null >/dev/null 2>&1
	done
	for run in off again; do
		if cmp -s "$dir/$name.on.json" "$dir/$name.$run.json"; then
			passed=$((passed + 1))
		else
			echo "not ok $name: soft-tlb=on and $run differ"
			diff "$dir/$name.on.json" "$dir/$name.$run.json" | sed 's/^/# /' | head -20
			failed=$((failed + 1))
		fi
	done
done
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed != 0 ]
