# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the project's shell scripts share: where the cache is, how a step is
# shown, timed and logged, and how a script gives up.  Source it; the script
# sets $STEPS_NAME (shown before each line) first.

set -euo pipefail

# shellcheck disable=SC2034	# used by the scripts that source this
TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
CACHE=${IA64_SUPERPAGE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ia64-superpage}
# shellcheck disable=SC2034
JOBS=${JOBS:-$(nproc)}

# say TEXT... - one line to the terminal, leaving standard output to results
say()
{
	printf '%s: %s\n' "${STEPS_NAME:-$(basename "$0")}" "$*" >&2
}

# die TEXT... - the one line that says what is wrong and what would be right
die()
{
	say "error: $*"
	exit 1
}

[[ $CACHE == /* ]] ||
	die "the folder for the cache is $CACHE; IA64_SUPERPAGE_CACHE must be an absolute path"

# elapsed SECONDS - as 1m05s
elapsed()
{
	printf '%dm%02ds' $(($1 / 60)) $(($1 % 60))
}

# begin_log FILE - all steps append what they print to FILE
begin_log()
{
	LOG=$1
	mkdir -p "$(dirname "$LOG")"
	: >"$LOG"
}

# step TEXT COMMAND... - run COMMAND with its output in $LOG.  Says how long it
# took, every minute that it is still running, and on failure the log's end.
step()
{
	local text=$1 start=$SECONDS pid rc=0 now beat=60
	shift
	printf '\n=== %s: %s\n' "$(date -u '+%F %T')" "$text" >>"$LOG"
	# A process group of its own, so that nothing of the step goes on and
	# writes when this script is stopped.  After a kill -9 it does; then the
	# locks, which it has inherited, keep the next run away until it ends.
	set -m
	"$@" >>"$LOG" 2>&1 </dev/null &
	pid=$!
	set +m
	trap 'kill -- -"$pid" 2>/dev/null; exit 130' INT TERM HUP
	while kill -0 "$pid" 2>/dev/null; do
		sleep 0.2
		now=$((SECONDS - start))
		if ((now >= beat)); then
			say "$text ... $(elapsed $now)"
			beat=$((beat + 60))
		fi
	done
	wait "$pid" || rc=$?
	trap - INT TERM HUP
	if ((rc)); then
		say "$text: FAILED after $(elapsed $((SECONDS - start))); end of $LOG:"
		# A parallel make goes on for a while behind the line that matters.
		{
			grep -nE 'rror: |undefined reference' "$LOG" | head -n 5
			grep -nF '*** ' "$LOG" | tail -n 2
		} | cut -c1-200 >&2 || :
		echo ... >&2
		tail -n 20 "$LOG" | cut -c1-200 >&2
		exit "$rc"
	fi
	say "$text: $(elapsed $((SECONDS - start)))"
}

# step_once DIR NAME TEXT COMMAND... - a step that leaves the stamp DIR/.NAME.done
# when, and only when, it succeeded, and is skipped when the stamp is there.
step_once()
{
	local stamp=$1/.$2.done text=$3
	shift 3
	if [ -e "$stamp" ]; then
		say "$text: done before"
		return
	fi
	step "$text" "$@"
	touch "$stamp"
}

# lock NAME - one process at a time builds NAME in the cache; others wait here.
# Held until the script ends.
lock()
{
	mkdir -p "$CACHE/lock"
	local fd
	exec {fd}>"$CACHE/lock/$1"
	if ! flock -n "$fd"; then
		say "waiting for another build of $1"
		flock "$fd"
	fi
}

# key_of FILE... [=TEXT...] - a short key made from the contents of files and
# from texts, so that a changed recipe is another thing in the cache
key_of()
{
	local a
	for a; do
		case $a in
		=*) printf '%s\n' "$a" ;;
		*) cat "$a" ;;
		esac
	done | sha256sum | cut -c1-12
}

# tree_identity FOLDER - what tells a pristine tree from another, and from what it was: one of
# the cache does not change, and a user's may
tree_identity()
{
	case $1 in
	"$CACHE"/*) echo "$1" ;;
	*) echo "$1 $(find "$1" -path "$1/.git" -prune -o -type f -printf '%P %s %T@\n' | sort |
		sha256sum | cut -c1-12)" ;;
	esac
}

# lines_have_effect CONFIG FRAGMENT - every line of FRAGMENT is in CONFIG, the .config
# that was made with it: Kconfig drops what depends on something that is off without a
# word
lines_have_effect()
{
	local line bad=0 config=$1 name

	name=$(basename "$2")
	while IFS= read -r line; do
		case $line in
		CONFIG_*)
			grep -qxF "$line" "$config" && continue ;;
		'# CONFIG_'*' is not set')
			line=${line#'# '}
			grep -q "^${line%% *}=" "$config" || continue ;;
		*)	continue ;;
		esac
		echo "$name: '$line' has no effect: misspelt, or another option decides"
		bad=1
	done <"$2"
	return $bad
}
