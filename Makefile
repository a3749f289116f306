# SPDX-License-Identifier: Apache-2.0
# make demo · make test · make help

SWIFT ?= swift
SCRATCH ?= .build
BUILD = $(SWIFT) build --scratch-path $(SCRATCH)
# How often the device tests unplug a camera, and how many keys they press.
CYCLES ?= 20
PRESSES ?= 2000
# Where the browser test puts its pictures.
PICTURES ?= $(SCRATCH)/pictures
SOURCES = Package.swift Sources Tests
# What `make install` takes and where it puts it; DESTDIR stands before all of it.
RELEASE ?= $(SCRATCH)-install/release
PREFIX ?= /usr
SYSCONFDIR ?= /etc
UNITS = $(wildcard deploy/systemd/*.service)
# What is built for use.
PROGRAMS = login-kiosk login-kiosk-scanner

.DEFAULT_GOAL = help
.PHONY: help setup build docs demo test test-backend test-rooms test-only test-store-long test-devices \
	test-devices-long test-debian13 test-arm64 test-release test-browser test-constant-time bench lint format \
	clean release cross cross-setup install uninstall

help: ## Show this list
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

setup: ## Install the Debian packages that are missing
	@deploy/setup.sh

build: setup ## Build the programs
	$(BUILD) --product login-kiosk
	$(BUILD) --product login-kiosk-scanner

release: setup ## Build the programs for `make install`: optimised, with Swift's own libraries in them
	for program in $(PROGRAMS); do $(SWIFT) build --scratch-path $(SCRATCH)-install --configuration release \
		--static-swift-stdlib --product $$program || exit 1; done

# What is downloaded, how much, and where it is kept, deploy/cross/setup.sh says; $(SCRATCH)-arm64 is what is built.
CROSS = deploy/cross/build.sh $(SCRATCH)-arm64
cross: cross-setup ## Build the programs for arm64 (Debian 13, Raspberry Pi OS) on amd64; as root
	for program in $(PROGRAMS); do \
		$(CROSS) --configuration release --static-swift-stdlib --product $$program || exit 1; done

cross-setup: setup
	@deploy/setup.sh deploy/cross/debian-packages.txt
	$(SWIFT) package --scratch-path $(SCRATCH) resolve

# Settings that are there stay as they are. What must happen on the machine itself is left to deploy/activate.sh, which a
# package's own script will do.
install: ## Put what `make release` built into the system: DESTDIR, PREFIX=/usr, SYSCONFDIR=/etc
	@test -x $(RELEASE)/login-kiosk || { echo "install: nothing is built yet" >&2; \
		echo "hint: make release" >&2; exit 66; }
	install -D -s -m 755 $(RELEASE)/login-kiosk $(DESTDIR)$(PREFIX)/bin/login-kiosk
	install -D -s -m 755 $(RELEASE)/login-kiosk-scanner $(DESTDIR)$(PREFIX)/libexec/login-kiosk/login-kiosk-scanner
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/system $(DESTDIR)$(SYSCONFDIR)/login-kiosk/config.d
	@for unit in $(UNITS); do \
		sed 's|/usr/|$(PREFIX)/|g' $$unit > $(DESTDIR)$(PREFIX)/lib/systemd/system/$${unit##*/} || exit 1; done
	install -D -m 644 deploy/sysusers/login-kiosk.conf $(DESTDIR)$(PREFIX)/lib/sysusers.d/login-kiosk.conf
	install -D -m 644 udev/70-login-kiosk.rules $(DESTDIR)$(PREFIX)/lib/udev/rules.d/70-login-kiosk.rules
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/doc/login-kiosk docs/*.md
	@test -e $(DESTDIR)$(SYSCONFDIR)/login-kiosk/config.yaml || \
		install -D -m 644 deploy/config/config.yaml $(DESTDIR)$(SYSCONFDIR)/login-kiosk/config.yaml
	@test -n "$(DESTDIR)" || deploy/activate.sh

uninstall: ## Take away what `make install` put there; settings, identities and keys stay
	@test -n "$(DESTDIR)" || systemctl disable --now $(notdir $(UNITS)) || true
	rm -f $(DESTDIR)$(PREFIX)/bin/login-kiosk $(addprefix $(DESTDIR)$(PREFIX)/lib/systemd/system/,$(notdir $(UNITS)))
	rm -f $(DESTDIR)$(PREFIX)/lib/sysusers.d/login-kiosk.conf $(DESTDIR)$(PREFIX)/lib/udev/rules.d/70-login-kiosk.rules
	rm -rf $(DESTDIR)$(PREFIX)/libexec/login-kiosk $(DESTDIR)$(PREFIX)/share/doc/login-kiosk

demo: build ## Show everything on this machine: backend, browser, camera, kiosk
	@$$($(BUILD) --show-bin-path)/login-kiosk demo

# One process a core, and in each one test after the other: tests that wait for something share no threads with those that
# compute for minutes. `swift test` would have one process wait for the other. A process that finds no test fails.
# ProgramTests run as many stories at a time as there are cores, and wait by progress.
TESTS = "$$($(BUILD) --show-bin-path)"/login-kioskPackageTests.xctest --testing-library swift-testing
test: setup ## Build everything and run all tests
	$(BUILD) --build-tests
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=line test-backend test-rooms
	$(TESTS) --filter '^ProgramTests\.'

test-backend:
	$(TESTS) --no-parallel --filter '^ReferenceBackendTests\.'

test-rooms:
	$(TESTS) --no-parallel --skip '^(ReferenceBackend|Program)Tests\.'

test-only: setup ## Run the tests of some rooms in seconds: make test-only ROOMS=MPinCrypto,KioskCore
	LOGIN_KIOSK_ONLY=$(ROOMS) $(SWIFT) test --scratch-path $(SCRATCH)-only

test-store-long: export LOGIN_KIOSK_TEST_KILLS = 300
test-store-long: export LOGIN_KIOSK_TEST_ROUNDS = 20000
test-store-long: ROOMS = SQLiteStore
test-store-long: test-only ## The store's tests with 300 kills instead of 30, and 20,000 flipped bits instead of 2,000

# Optimised programs: the virtual machine's processor is emulated.
test-devices: setup ## Scanner, keypads and service on real device nodes, in a virtual machine (amd64; first as root)
	@deploy/setup.sh Tests/devices/debian-packages.txt
	$(BUILD)-release --configuration release --product login-kiosk
	$(BUILD)-release --configuration release --product login-kiosk-scanner
	$(BUILD)-release --configuration release --product login-kiosk-portcheck
	Tests/devices/test.sh $(SCRATCH)-release/release $(CYCLES) $(PRESSES)
	rm -rf $(SCRATCH)-release/installed
	$(MAKE) install RELEASE=$(SCRATCH)-release/release DESTDIR=$(SCRATCH)-release/installed
	Tests/devices/test-service.sh $(SCRATCH)-release/installed

test-devices-long: CYCLES = 200
test-devices-long: PRESSES = 100000
test-devices-long: test-devices ## The same with 200 times the camera unplugged instead of 20, and 100,000 presses instead of 2,000

test-debian13: setup ## Build and test on Debian 13 what differs there: scanner, camera, curl; as root
	@deploy/setup.sh deploy/cross/debian-packages.txt
	$(SWIFT) package --scratch-path $(SCRATCH) resolve
	Tests/debian13/test.sh $(SCRATCH)-debian13

test-release: test-arm64 ## What is too long for every change and must pass before a release; as root

# make test-arm64 PARTS="vectors login" runs some of what Tests/arm64/test.sh lists, else all.
test-arm64: cross-setup ## Test on emulated arm64; as root
	@deploy/setup.sh Tests/arm64/debian-packages.txt
	Tests/arm64/test.sh $(SCRATCH)-arm64 $(PARTS)

test-browser: build ## Log in with the kiosk's page in a headless Chromium; pictures of every state go to PICTURES
	@deploy/setup.sh Tests/browser/debian-packages.txt
	python3 -B Tests/browser/run.py "$$($(BUILD) --show-bin-path)" "$(PICTURES)"

test-constant-time: setup ## Check that no branch or address depends on a secret: under Valgrind, x86-64 only
	$(BUILD)-release --configuration release --product login-kiosk-constant-time
	valgrind --quiet --log-file=$(SCRATCH)-release/constant-time.log --suppressions=Tests/constant-time.supp \
		$(SCRATCH)-release/release/login-kiosk-constant-time

bench: setup ## Measure against references: make bench ARGUMENTS="--only crypto --json"
	@$(BUILD)-release --configuration release --product login-kiosk >&2
	@$(BUILD)-release --configuration release --product login-kiosk-scanner >&2
	@$(BUILD)-release --configuration release --product login-kiosk-bench >&2
	@$(SCRATCH)-release/release/login-kiosk-bench $(ARGUMENTS)
ifdef MANIFESTS
	@$(BUILD)-release --configuration release --product login-kiosk-qrbench >&2
	@$(SCRATCH)-release/release/login-kiosk-qrbench $(MANIFESTS)
endif

lint: ## Check formatting, the syntax of shell scripts and overlays, the units' exposure
	$(SWIFT) format lint --strict --recursive $(SOURCES)
	@for script in deploy/*.sh deploy/cross/*.sh docs/*.sh .ci/run Tests/arm64/*.sh Tests/arm64/init \
		Tests/debian13/*.sh Tests/devices/*.sh Tests/devices/guest/init Tests/devices/guest/job; do \
		shell=sh; if head -n 1 "$$script" | grep -q bash; then shell=bash; fi; $$shell -n "$$script" || exit 1; done
	@! command -v dtc > /dev/null || for overlay in deploy/overlays/*.dts; do \
		dtc -@ -q -I dts -O dtb -o /dev/null "$$overlay" || exit 1; done
	@for unit in $(UNITS); do \
		systemd-analyze security --no-pager --offline=true --threshold=19 "$$unit" > $(SCRATCH)-exposure || \
		{ cat $(SCRATCH)-exposure >&2; echo "lint: $$unit is exposed by more than 1.9" >&2; exit 1; }; done

docs: setup ## Make the reference of both libraries; a link in it that leads nowhere is an error
	@SWIFT=$(SWIFT) docs/reference.sh $(SCRATCH)

format: ## Format all Swift files in place
	$(SWIFT) format --in-place --recursive $(SOURCES)

clean: ## Remove what was built
	rm -rf $(SCRATCH) $(SCRATCH)-only $(SCRATCH)-release $(SCRATCH)-install $(SCRATCH)-exposure $(SCRATCH)-reference \
		$(SCRATCH)-arm64 $(SCRATCH)-debian13
