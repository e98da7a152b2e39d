# SPDX-License-Identifier: GPL-2.0
#
# Every entry point of the project; "make help" lists them.

SHELL := /bin/bash

PAGE_SIZE ?= 16K
VARIANT ?= on
MEM ?= 1G
SMP ?= 2
OUT ?=
TESTS ?=

# make passes what it was given on to the scripts.
export KERNEL_SRC CROSS_COMPILE JOBS

.DEFAULT_GOAL := help
# The scripts below share build/ and the cache, and use all processors each.
.NOTPARALLEL:

##@ Run
.PHONY: boot
boot: ## Build all, boot the kernel in the simulator, give a shell [PAGE_SIZE= VARIANT= MEM=1G SMP=2]
	tools/testing/guest -s $(PAGE_SIZE) -v $(VARIANT) -m $(MEM) -c $(SMP)

##@ Build
.PHONY: toolchain
toolchain: ## The cross toolchain ia64-linux-gnu, in the cache; prints its prefix
	tools/toolchain/build

.PHONY: kernel
kernel: ## The patched kernel for the simulator, build/kernel-$(PAGE_SIZE)/vmlinux [PAGE_SIZE=4K|16K|64K VARIANT=on|off|pristine|fixed]
	tools/kernel/build -s $(PAGE_SIZE) -v $(VARIANT)

.PHONY: server-kernel
server-kernel: ## The same with a server's drivers, and its modules, in build/kernel-$(PAGE_SIZE)-server
	tools/kernel/build -S -s $(PAGE_SIZE) -v $(VARIANT)

.PHONY: deb
deb: ## Debian packages of that, linux-image and linux-headers, in build/deb [PAGE_SIZE=]
	tools/kernel/deb -s $(PAGE_SIZE)

.PHONY: image
image: ## A disk image with that kernel, GRUB, a shell and the selftests, which EFI boots, build/image/superpage-$(PAGE_SIZE).img [PAGE_SIZE=]
	tools/image/build -s $(PAGE_SIZE)

.PHONY: simulator
simulator: ## The Itanium 2 simulator, build/ia64sim/ia64sim
	$(MAKE) -C tools/ia64sim O=$(CURDIR)/build/ia64sim

.PHONY: rootfs
rootfs: ## The guest's root file system, build/rootfs.cpio.gz [TESTS=files to add]
	mkdir -p build
	tools/testing/rootfs/build build/rootfs.cpio.gz $(TESTS)

.PHONY: tree
tree: ## Only lay the series over the pristine tree, in build/linux
	tools/kernel/lay "$$(tools/series/pristine $(KERNEL_SRC))"

##@ Series
.PHONY: series
series: ## The mailable patch series, in build/series [OUT=folder]
	tools/series/series format $(or $(OUT),build/series)

.PHONY: fixes
fixes: ## The fixes to Linux itself, as a mailable series of their own, in build/fixes [OUT=folder]
	tools/series/series format --fixes $(or $(OUT),build/fixes)

.PHONY: refresh
refresh: ## Rewrite the FILE.patches against the pristine tree; tells what changed
	tools/series/series refresh

.PHONY: series-check
series-check: ## Apply with git am, compare, compile every step with the option off and on (long)
	tools/series/check-steps

##@ Test
.PHONY: check
check: ## All tests but the long ones; ends with N passed, N failed ("tools/testing/check list" lists them)
	tools/testing/check all

.PHONY: check-long
check-long: ## What check leaves out for its length: all selftests in all kernels, every step of the series, ...
	tools/testing/check long

.PHONY: bench
bench: ## What superpages bring and cost, in tables; fails if a bound is missed
	tools/testing/bench/run

.PHONY: report
report: ## Measure the workloads, beside the thesis, and make a page of it, build/report/index.html; chromium, if there is one, looks at it; what was measured is kept [QUICK=1: build/report-quick]
	tools/toolchain/need-packages report
	tools/testing/report/run $(if $(filter-out 0,$(QUICK)),-q); rc=$$?; \
		out=build/report$(if $(filter-out 0,$(QUICK)),-quick); \
		tools/testing/report/page.py $$out && \
		{ ! command -v chromium >/dev/null || tools/testing/report/look $$out/index.html; } && \
		exit $$rc

.PHONY: validate
validate: simulator ## Judge the simulator's -timing madison by what others measured, in a table; fails if a tolerance is missed (long)
	tools/kernel/build -s 16K -v pristine
	CROSS_COMPILE=$${CROSS_COMPILE:-$$(tools/toolchain/build)} \
	python3 tools/ia64sim/tests/validate.py --kernel build/kernel-16K-pristine/vmlinux \
		build/ia64sim/ia64sim build/validate

##@ Other
.PHONY: clean
clean: ## Remove build/; the cache stays
	rm -rf build

.PHONY: distclean
distclean: clean ## Remove the cache, too: toolchain, sources, ccache
	. tools/toolchain/steps.sh; case $$CACHE in */ia64-superpage) rm -rf "$$CACHE" ;; \
		*) echo "$$CACHE may hold other things, too: remove it by hand" >&2; false ;; esac

.PHONY: help
help: ## This list
	@awk -F ':.*## ' '/^##@/ { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo 'KERNEL_SRC=     a directory or tarball of Linux 6.1.y instead of the Debian package'
	@echo 'CROSS_COMPILE=  the prefix of an ia64 toolchain instead of building one'
	@echo 'JOBS=           parallel jobs (all processors)'
	@echo 'The cache is $${XDG_CACHE_HOME:-~/.cache}/ia64-superpage, or $$IA64_SUPERPAGE_CACHE.'
