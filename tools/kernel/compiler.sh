# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# How every kernel here is compiled.  Source it behind steps.sh; sets
# $CROSS_COMPILE, unless it is given, and $cc, and exports what make and ccache
# take from the environment.

CROSS_COMPILE=${CROSS_COMPILE:-$("$TOP/tools/toolchain/build")}
command -v "${CROSS_COMPILE}gcc" >/dev/null ||
	die "CROSS_COMPILE=$CROSS_COMPILE: no ${CROSS_COMPILE}gcc; it takes the prefix of an ia64 toolchain's commands"

cc=${CROSS_COMPILE}gcc
if command -v ccache >/dev/null; then
	cc="ccache $cc"
fi
# Of one checkout or another, objects of equal source are equal.  For that
# ccache makes paths relative, which Kbuild's own option to keep them out of
# __FILE__ does not expect; the trees stand at ../linux from the objects.
export CCACHE_DIR=${CCACHE_DIR:-$CACHE/ccache} CCACHE_BASEDIR=$TOP CCACHE_NOHASHDIR=1
export CCACHE_MAXSIZE=${CCACHE_MAXSIZE:-8G}
# A file that is compiled for the first time is not preprocessed for ccache alone.
export CCACHE_DEPEND=1
export KCFLAGS="-fmacro-prefix-map=../linux/=${KCFLAGS:+ $KCFLAGS}"
export KBUILD_BUILD_TIMESTAMP=${KBUILD_BUILD_TIMESTAMP:-@0}
export KBUILD_BUILD_USER=superpage KBUILD_BUILD_HOST=build
# Otherwise Kbuild counts how often the kernel has been linked in this folder.
export KBUILD_BUILD_VERSION=${KBUILD_BUILD_VERSION:-1}
