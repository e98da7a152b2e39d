#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Neither the soft TLB nor a trace changes a count: each bare test gives the same
# -stats with either, without, and when it is run again.  mmu_soft.sh SIMULATOR
# DIR, where DIR holds the programs that bare/run.sh -o DIR has made.

sim=$1
dir=$2
here=$(dirname "$0")
passed=0
failed=0

for test in "$here"/bare/*.s; do
	name=$(basename "$test" .s)
	options=$(sed -n 's/^ \* Options: *//p' "$test")
	if ! [ -f "$dir/$name" ]; then
		echo "not ok $name: not there"
		failed=$((failed + 1))
		continue
	fi
	for run in on off traced again; do
		case $run in
		off) more="-accel soft-tlb=off" ;;
		traced) more="-trace insn -trace-file /dev/null" ;;
		*) more= ;;
		esac
		# shellcheck disable=SC2086
		timeout 600 "$sim" -bare "$dir/$name" -m 64M -nographic $options $more \
			-stats "$dir/$name.$run.json" </dev/null >/dev/null 2>&1
	done
	for run in off traced again; do
		if [ -s "$dir/$name.on.json" ] &&
		   cmp -s "$dir/$name.on.json" "$dir/$name.$run.json"; then
			passed=$((passed + 1))
		else
			echo "not ok $name: $run differs"
			diff "$dir/$name.on.json" "$dir/$name.$run.json" | sed 's/^/# /' | head -20
			failed=$((failed + 1))
		fi
	done
done
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed != 0 ]
