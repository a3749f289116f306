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
SCRIPTS = $(wildcard deploy/*.sh deploy/packages/*.sh docs/*.sh Tests/*/*.sh) deploy/packages/restart-when-free .ci/run \
	Tests/devices/guest/init Tests/devices/guest/job
# Where `make deb` puts the packages, and `make apt` its repository.
PACKAGES ?= out/packages
REPOSITORY ?= out/apt

.DEFAULT_GOAL = help
.PHONY: help setup build docs demo test test-backend test-rooms test-only test-store-long test-devices test-devices-long test-browser test-constant-time bench lint \
	format clean release install uninstall deb apt test-packages

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

setup: ## Install the Debian packages that are missing
	@deploy/setup.sh

build: setup ## Build the programs
	$(BUILD) --product login-kiosk
	$(BUILD) --product login-kiosk-scanner

release: setup ## Build the programs for `make install`: optimised, with Swift's own libraries in them
	$(SWIFT) build --scratch-path $(SCRATCH)-install --configuration release --static-swift-stdlib --product login-kiosk
	$(SWIFT) build --scratch-path $(SCRATCH)-install --configuration release --static-swift-stdlib \
		--product login-kiosk-scanner

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
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/lib/sysusers.d deploy/sysusers/*.conf
	install -D -m 644 deploy/tmpfiles/login-kiosk.conf $(DESTDIR)$(PREFIX)/lib/tmpfiles.d/login-kiosk.conf
	install -D -m 644 udev/70-login-kiosk.rules $(DESTDIR)$(PREFIX)/lib/udev/rules.d/70-login-kiosk.rules
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/doc/login-kiosk docs/*.md
	@test -e $(DESTDIR)$(SYSCONFDIR)/login-kiosk/config.yaml || \
		install -D -m 644 deploy/config/config.yaml $(DESTDIR)$(SYSCONFDIR)/login-kiosk/config.yaml
	@test -n "$(DESTDIR)" || deploy/activate.sh

uninstall: ## Take away what `make install` put there; settings, identities and keys stay
	@test -n "$(DESTDIR)" || systemctl disable --now $(notdir $(UNITS)) || true
	rm -f $(DESTDIR)$(PREFIX)/bin/login-kiosk $(addprefix $(DESTDIR)$(PREFIX)/lib/systemd/system/,$(notdir $(UNITS)))
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/lib/sysusers.d/,$(notdir $(wildcard deploy/sysusers/*.conf)))
	rm -f $(DESTDIR)$(PREFIX)/lib/tmpfiles.d/login-kiosk.conf $(DESTDIR)$(PREFIX)/lib/udev/rules.d/70-login-kiosk.rules
	rm -rf $(DESTDIR)$(PREFIX)/libexec/login-kiosk $(DESTDIR)$(PREFIX)/share/doc/login-kiosk

# Programs that are named on the command line are packaged as they are: RELEASE, and for those of another machine ARCH,
# SYSROOT and HELP_FROM (deploy/packages/build.sh).
deb: $(if $(filter command,$(firstword $(origin RELEASE))),setup,release) ## Make Debian packages of the programs, in PACKAGES
	@deploy/setup.sh deploy/packages/debian-packages.txt
	deploy/packages/build.sh $(RELEASE) $(PACKAGES)

apt: ## Make a signed repository of the packages, in REPOSITORY: APT_KEY=FINGERPRINT APT_URL=https://...
	@deploy/setup.sh deploy/packages/debian-packages.txt
	deploy/packages/repository.sh $(PACKAGES) $(REPOSITORY)

test-packages: ## Install, use, update and purge the packages of PACKAGES in a fresh Debian, boot a machine with them; as root
	@deploy/setup.sh deploy/packages/debian-packages.txt Tests/packages/debian-packages.txt Tests/devices/debian-packages.txt
	Tests/packages/reproducible.sh $(RELEASE) $(PACKAGES)
	Tests/packages/test.sh $(PACKAGES)
	Tests/devices/test-service.sh $(PACKAGES)

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
	@for script in $(SCRIPTS); do \
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
	rm -rf $(SCRATCH) $(SCRATCH)-only $(SCRATCH)-release $(SCRATCH)-install $(SCRATCH)-exposure $(SCRATCH)-reference
