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

.DEFAULT_GOAL = help
.PHONY: help setup build demo test test-only test-devices test-devices-long test-browser test-constant-time bench lint format clean

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

setup: ## Install the Debian packages that are missing
	@deploy/setup.sh

build: setup ## Build the programs
	$(BUILD) --product login-kiosk
	$(BUILD) --product login-kiosk-scanner

demo: build ## Show everything on this machine: backend, browser, camera, kiosk
	@$$($(BUILD) --show-bin-path)/login-kiosk demo

# One after the other: tests that wait for something share no processor with those that compute for minutes.
test: setup ## Build everything and run all tests
	$(BUILD) --build-tests
	$(SWIFT) test --scratch-path $(SCRATCH) --skip-build --no-parallel --skip '^ProgramTests\.'
	$(SWIFT) test --scratch-path $(SCRATCH) --skip-build --filter '^ProgramTests\.'

test-only: setup ## Run the tests of some rooms in seconds: make test-only ROOMS=MPinCrypto,KioskCore
	LOGIN_KIOSK_ONLY=$(ROOMS) $(SWIFT) test --scratch-path $(SCRATCH)-only

# Optimised programs: the virtual machine's processor is emulated.
test-devices: setup ## Run scanner and keypads on real device nodes, in a virtual machine (amd64; the first time as root)
	@deploy/setup.sh Tests/devices/debian-packages.txt
	$(BUILD)-release --configuration release --product login-kiosk
	$(BUILD)-release --configuration release --product login-kiosk-scanner
	$(BUILD)-release --configuration release --product login-kiosk-linecheck
	Tests/devices/test.sh $(SCRATCH)-release/release $(CYCLES) $(PRESSES)

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

lint: ## Check formatting, and the syntax of shell scripts and overlays
	$(SWIFT) format lint --strict --recursive $(SOURCES)
	@for script in deploy/*.sh .ci/run Tests/devices/cameras.sh Tests/devices/keypads.sh Tests/devices/login.sh \
		Tests/devices/guest/*; do sh -n "$$script" || exit 1; done
	@for script in Tests/devices/*.sh; do bash -n "$$script" || exit 1; done
	@! command -v dtc > /dev/null || for overlay in deploy/overlays/*.dts; do \
		dtc -@ -q -I dts -O dtb -o /dev/null "$$overlay" || exit 1; done

format: ## Format all Swift files in place
	$(SWIFT) format --in-place --recursive $(SOURCES)

clean: ## Remove what was built
	rm -rf $(SCRATCH) $(SCRATCH)-only $(SCRATCH)-release
