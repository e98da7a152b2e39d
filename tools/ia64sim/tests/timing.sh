#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What is simulated does not depend on -timing, and the cycles do not on the host's short
# cuts: timing.sh SIMULATOR DIR, where DIR holds the programs that bare/run.sh -o DIR made.
# Each passes with -timing madison, with the same -stats when the soft TLB is off, when it
# is traced, and when it is run again; and but for cycles with the same as without, unless
# it looks at the time, or waits for another processor.

sim=$1
dir=$2
here=$(dirname "$0")
passed=0
failed=0

not_ok()
{
	echo "not ok $1"
	failed=$((failed + 1))
}

# run NAME SUFFIX OPTIONS...
run()
{
	name=$1
	suffix=$2
	shift 2
	timeout 600 "$sim" -bare "$dir/$name" -m 64M -nographic "$@" \
		-stats "$dir/$name.$suffix.json" </dev/null >/dev/null 2>&1
}

for test in "$here"/bare/*.s; do
	name=$(basename "$test" .s)
	options=$(sed -n 's/^ \* Options: *//p' "$test")
	expected=$(sed -n 's/^ \* Status: *//p' "$test")
	case $options in
	*-timing*) timing= ;;
	*) timing="-timing madison" ;;
	esac
	# shellcheck disable=SC2086
	run "$name" timed $options $timing
	status=$?
	if [ $status != "${expected:-0}" ]; then
		not_ok "$name: status $status"
		continue
	fi
	# shellcheck disable=SC2086
	run "$name" timed-off $options $timing -accel soft-tlb=off
	# shellcheck disable=SC2086
	run "$name" timed-traced $options $timing -trace insn -trace-file /dev/null
	# shellcheck disable=SC2086
	run "$name" timed-again $options $timing
	for other in off traced again; do
		if cmp -s "$dir/$name.timed.json" "$dir/$name.timed-$other.json"; then
			passed=$((passed + 1))
		else
			not_ok "$name: $other differs"
			diff "$dir/$name.timed.json" "$dir/$name.timed-$other.json" |
				sed 's/^/# /' | head -20
		fi
	done
	grep -q 'ar\.itc\|BEGIN\|Options:.* -smp\|Options:.*-timing' "$test" && continue
	# shellcheck disable=SC2086
	run "$name" untimed $options -timing none
	for with in timed untimed; do
		# these are the last of what there is for a processor
		sed -e '/"cycles"/d' -e '/"timed_from"/d' -e 's/},$/}/' \
			-e '/"level_cycles": {/,/^ *}/d' -e '/"stalls": {/,/^ *}/d' \
			-e '/"events": {/,/^ *}/d' \
			"$dir/$name.$with.json" >"$dir/$name.$with.counts"
	done
	if cmp -s "$dir/$name.timed.counts" "$dir/$name.untimed.counts"; then
		passed=$((passed + 1))
	else
		not_ok "$name: counts differ from those without -timing"
		diff "$dir/$name.timed.counts" "$dir/$name.untimed.counts" | sed 's/^/# /' | head -20
	fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed != 0 ]
