# SPDX-License-Identifier: Apache-2.0
# make demo · make test · make help

SWIFT ?= swift
# A toolchain that deploy/toolchain.sh has fetched comes before another.
export PATH := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/login-kiosk/swift/usr/bin:$(PATH)
SCRATCH ?= .build
# Without the index that editors make for themselves, which takes a tenth of a build.
BUILD = $(SWIFT) build --disable-index-store --scratch-path $(SCRATCH)
# The times that the device tests unplug a camera, and the keys that they press.
CYCLES ?= 20
PRESSES ?= 2000
# Where the browser test puts its pictures.
PICTURES ?= $(SCRATCH)/pictures
SOURCES = Package.swift Sources Tests Examples Fuzz/Package.swift Fuzz/Targets
# The folder that `make install` copies from, and those that it copies to; DESTDIR comes before all of these.
RELEASE ?= $(SCRATCH)-release/release
PREFIX ?= /usr
SYSCONFDIR ?= /etc
UNITS = $(wildcard deploy/systemd/*.service deploy/image/files/usr/lib/systemd/system/*.service)
SCRIPTS = $(wildcard deploy/*.sh deploy/cross/*.sh deploy/packages/*.sh deploy/image/*.sh docs/*.sh Tests/*.sh Tests/*/*.sh) \
	deploy/packages/restart-when-free .ci/run Tests/arm64/init Tests/devices/guest/init Tests/devices/guest/job \
	$(wildcard deploy/image/files/usr/libexec/*/* deploy/image/files/usr/sbin/*)
# Where `make deb` puts the packages, and `make apt` its repository.
PACKAGES ?= out/packages
# For what Debian and architecture `make deb` packs; by default this machine's.
THIS := $(shell . /etc/os-release && echo $$VERSION_ID-$$(dpkg --print-architecture))
DEBIAN ?= $(word 1,$(subst -, ,$(THIS)))
ARCH ?= $(word 2,$(subst -, ,$(THIS)))
REPOSITORY ?= out/apt

# The programs that `make build` and `make release` build, and `make install` and `make uninstall` deal with: the kiosk
# (with the scanner and the display), the backend, the demonstration. For example: make install PROGRAMS=login-kiosk
PROGRAMS ?= login-kiosk login-kiosk-backend login-kiosk-demo
PRODUCTS = $(PROGRAMS) $(if $(filter login-kiosk,$(PROGRAMS)),login-kiosk-scanner login-kiosk-display)
# One product a run: SwiftPM takes one, or all with their tests.
build-products = @set -e; for product in $(2); do echo "$(1) --product $$product"; $(1) --product $$product; done

.DEFAULT_GOAL = help
.PHONY: help setup lock build docs site pictures demo check test test-setup test-only test-long test-qr-long test-faults-long test-sdk test-api api test-devices test-devices-long test-panel test-power-long test-soak-long test-debian13 \
	test-arm64 test-release test-packages test-container test-browser test-website test-valgrind test-sanitized test-fleet test-network test-deploy-fleet test-foreign load test-load test-load-long test-constant-time test-model fuzz fuzz-long bench bench-qr bench-distance bench-libraries lint format clean release cross cross-setup \
	deb release-debian13 apt container image test-image test-board test-image-scripts test-image-long install uninstall \
	$(foreach verb,install uninstall,$(addprefix $(verb)-,login-kiosk login-kiosk-backend \
	login-kiosk-demo kiosk-files))

help: ## Show this list
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

# Optimised programs with Swift's own libraries in them, each function in a section of its own, so that the linker leaves out
# those that nothing calls. docs/performance.md
# They find no library beside themselves: who may write there is not who may write to /usr/lib. No path of the checkout or the
# toolchain is in them, and no hash of the compiler's options: Tests/packages/reproducible.sh
SHIPPED = --configuration release --static-swift-stdlib --disable-local-rpath -Xswiftc -Xfrontend -Xswiftc -function-sections \
	-Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen -debug-info-format none -Xcc -ffile-prefix-map=$(CURDIR)/=
# Benchmarks, and tests that need optimised programs, take the shipped ones.
OPTIMISED = $(BUILD)-release $(SHIPPED)

setup: ## Install the Debian packages that are missing, and Swift after a question: TOOLCHAIN=download says yes
	@deploy/setup.sh
	@python3 -B deploy/dependencies.py pin

lock: ## Write deploy/dependencies.lock, after `swift package update`
	$(SWIFT) package --scratch-path $(SCRATCH) resolve
	python3 -B deploy/dependencies.py lock $(SCRATCH)

build: setup ## Build the programs, or some: PROGRAMS=login-kiosk
	$(call build-products,$(BUILD),$(PRODUCTS))

release: setup ## Build the programs for `make install`: optimised, with Swift's own libraries in them
	$(call build-products,$(OPTIMISED),$(PRODUCTS))

# deploy/cross/setup.sh says what is downloaded, how much, and where it is kept; $(SCRATCH)-arm64 has the programs.
CROSS = deploy/cross/build.sh $(SCRATCH)-arm64
cross: cross-setup ## Build the programs for arm64 (Debian 13, Raspberry Pi OS) on amd64; as root
	$(call build-products,$(CROSS) $(SHIPPED),$(PRODUCTS))

cross-setup: setup
	@deploy/setup.sh deploy/cross/debian-packages.txt
	$(SWIFT) package --scratch-path $(SCRATCH) resolve

# Settings that are there stay as they are. What must happen on the machine itself is left to deploy/activate.sh, which a
# package's own script will do.
install: $(addprefix install-,$(PROGRAMS)) ## Put what `make release` built into the system: DESTDIR, PREFIX=/usr, SYSCONFDIR=/etc, PROGRAMS
	@test -n "$(DESTDIR)" || deploy/activate.sh

require-built = @test -x $(RELEASE)/$(1) || { echo "install: $(1) is not built yet" >&2; echo "hint: make release" >&2; exit 66; }

# Whatever the program: itself, if there is one its unit, and the user that the unit runs as.
install-login-kiosk install-login-kiosk-backend install-login-kiosk-demo: install-%:
	$(call require-built,$*)
	install -D -s -m 755 $(RELEASE)/$* $(DESTDIR)$(PREFIX)/bin/$*
	@test ! -e deploy/systemd/$*.service || { install -d $(DESTDIR)$(PREFIX)/lib/systemd/system && \
		sed 's|/usr/|$(PREFIX)/|g' deploy/systemd/$*.service > $(DESTDIR)$(PREFIX)/lib/systemd/system/$*.service; }
	@test ! -e deploy/sysusers/$*.conf || \
		install -D -m 644 deploy/sysusers/$*.conf $(DESTDIR)$(PREFIX)/lib/sysusers.d/$*.conf
	@test $* = login-kiosk-demo || python3 -B deploy/packages/pages.py $* "$(DESTDIR)" "$(PREFIX)"

install-login-kiosk: install-kiosk-files
install-kiosk-files:
	$(call require-built,login-kiosk-scanner)
	$(call require-built,login-kiosk-display)
	install -D -s -m 755 $(RELEASE)/login-kiosk-scanner $(DESTDIR)$(PREFIX)/libexec/login-kiosk/login-kiosk-scanner
	install -D -s -m 755 $(RELEASE)/login-kiosk-display $(DESTDIR)$(PREFIX)/libexec/login-kiosk/login-kiosk-display
	install -d $(DESTDIR)$(SYSCONFDIR)/login-kiosk/config.d
	install -D -m 644 deploy/tmpfiles/login-kiosk.conf $(DESTDIR)$(PREFIX)/lib/tmpfiles.d/login-kiosk.conf
	install -D -m 644 udev/70-login-kiosk.rules $(DESTDIR)$(PREFIX)/lib/udev/rules.d/70-login-kiosk.rules
	@test -e $(DESTDIR)$(SYSCONFDIR)/login-kiosk/config.yaml || \
		sed 's|/usr/|$(PREFIX)/|g' deploy/config/config.yaml | \
			install -D -m 644 /dev/stdin $(DESTDIR)$(SYSCONFDIR)/login-kiosk/config.yaml

uninstall: $(addprefix uninstall-,$(PROGRAMS)) ## Take away what `make install` put there; settings, identities and keys stay

uninstall-login-kiosk uninstall-login-kiosk-backend uninstall-login-kiosk-demo: uninstall-%:
	@test -n "$(DESTDIR)" || test ! -e deploy/systemd/$*.service || systemctl disable --now $*.service || true
	rm -f $(DESTDIR)$(PREFIX)/bin/$* $(DESTDIR)$(PREFIX)/lib/systemd/system/$*.service
	rm -f $(DESTDIR)$(PREFIX)/lib/sysusers.d/$*.conf
	rm -rf $(DESTDIR)$(PREFIX)/share/doc/$* $(DESTDIR)$(PREFIX)/share/$*

uninstall-login-kiosk: uninstall-kiosk-files
uninstall-kiosk-files:
	rm -f $(DESTDIR)$(PREFIX)/lib/tmpfiles.d/login-kiosk.conf $(DESTDIR)$(PREFIX)/lib/udev/rules.d/70-login-kiosk.rules
	rm -rf $(DESTDIR)$(PREFIX)/libexec/login-kiosk

# By Debian and architecture: where the programs are, what builds them, and what packs them. Programs that are named on the
# command line, RELEASE=..., are packed as they are.
TARGET = $(DEBIAN)-$(ARCH)
BUILT-$(THIS) = $(RELEASE)
BUILT-13-amd64 ?= $(SCRATCH)-debian13/release
BUILT-13-arm64 ?= $(SCRATCH)-arm64/aarch64-unknown-linux-gnu/release
BUILD-$(THIS) = release
BUILD-13-amd64 ?= release-debian13
BUILD-13-arm64 ?= cross
PACK-$(THIS) = deploy/packages/build.sh
PACK-13-amd64 ?= deploy/packages/debian13.sh amd64
PACK-13-arm64 ?= deploy/packages/debian13.sh arm64
named = $(filter command,$(firstword $(origin RELEASE)))
to-pack = $(if $(named),$(RELEASE),$(BUILT-$(TARGET)))

deb: $(if $(named),setup,$(BUILD-$(TARGET))) ## Make Debian packages of the programs, in PACKAGES; as root for another DEBIAN=13, ARCH=arm64
	$(require-target)
	@deploy/setup.sh deploy/packages/debian-packages.txt $(if $(filter $(THIS),$(TARGET)),,deploy/cross/debian-packages.txt)
	$(PACK-$(TARGET)) $(to-pack) $(PACKAGES)

require-target = @test -n "$(PACK-$(TARGET))" || { echo "deb: no packages are made here for Debian $(DEBIAN) on $(ARCH)" >&2; \
	echo "hint: make deb DEBIAN=13, or with ARCH=arm64, too" >&2; exit 64; }

release-debian13: setup
	@deploy/setup.sh deploy/cross/debian-packages.txt
	$(SWIFT) package --scratch-path $(SCRATCH) resolve
	$(call build-products,deploy/cross/debian13.sh swift build --scratch-path $(SCRATCH)-debian13 $(SHIPPED) \
		--disable-automatic-resolution,$(PRODUCTS))

apt: ## Make a signed repository of the packages, in REPOSITORY: APT_KEY=FINGERPRINT APT_URL=https://...
	@deploy/setup.sh deploy/packages/debian-packages.txt
	deploy/packages/repository.sh $(PACKAGES) $(REPOSITORY)

# make-packages DEBIAN,ARCH: those that PACKAGES has not.
make-packages = +@ls $(PACKAGES)/login-kiosk_*+deb$(1)_$(2).deb > /dev/null 2>&1 || $(MAKE) deb DEBIAN=$(1) ARCH=$(2)

# The device tests' virtual machine is this Debian.
test-packages: ## Install, use, update and purge the packages of PACKAGES in a fresh Debian, boot machines with them; as root
	$(require-target)
	@deploy/setup.sh deploy/packages/debian-packages.txt Tests/packages/debian-packages.txt Tests/devices/debian-packages.txt \
		Tests/machine/debian-packages.txt
	$(call make-packages,$(DEBIAN),$(ARCH))
	Tests/packages/hardened.sh $(PACKAGES)
	Tests/packages/links.py $(PACKAGES)
	Tests/packages/inventory.py $(PACKAGES)
	Tests/packages/test.sh $(PACKAGES) $(DEBIAN) $(ARCH)
	$(if $(filter $(THIS),$(TARGET)),Tests/packages/first-backend.sh $(PACKAGES))
	Tests/packages/machine.sh $(PACKAGES) $(DEBIAN) $(ARCH)
	$(if $(filter $(shell dpkg --print-architecture),$(ARCH)),Tests/packages/piuparts.sh $(PACKAGES) $(DEBIAN))
	$(if $(filter $(THIS),$(TARGET)),Tests/devices/test-service.sh $(PACKAGES))
	Tests/packages/reproducible.sh $(PACKAGES) $(DEBIAN) $(ARCH)

# ARCH=arm64 for a Raspberry Pi, ARCH=amd64 for a PC; UPDATE_KEY=PRIVATE.pem for images that update themselves. IMAGE_URL is the
# folder from where Raspberry Pi Imager loads them.
IMAGES ?= out/image
image: ARCH = arm64
image: ## Make an image for a memory card or disk, with the package of PACKAGES: ARCH=arm64 (Raspberry Pi) or amd64; as root
	@deploy/setup.sh deploy/image/debian-packages.txt
	$(call make-packages,13,$(ARCH))
	UPDATE_KEY=$(UPDATE_KEY) IMAGE_URL=$(IMAGE_URL) deploy/image/build.sh $(ARCH) $(PACKAGES) $(IMAGES)

# CONTAINER gets the archive.
CONTAINER ?= out/container
container: ## Make a container of the backend's package of PACKAGES; as root
	@deploy/setup.sh deploy/container/debian-packages.txt
	$(call make-packages,$(shell . /etc/os-release; echo $$VERSION_ID),$(shell dpkg --print-architecture))
	deploy/container/build.sh $(PACKAGES) $(CONTAINER)

test-container: PROGRAMS = login-kiosk
test-container: build container ## Run the container, not as root, and log in at it; as root
	Tests/container/test.sh $(CONTAINER)/login-kiosk-backend.tar "$$($(BUILD) --show-bin-path)"

# Its own images, with a key of its own for updates. One power cut of each kind.
CUTS ?= 6
test-image: ARCH = amd64
test-image: ## Boot an image in QEMU: first start, network, login, update, power cuts; make it twice; ARCH=amd64 or arm64; as root
	@deploy/setup.sh deploy/image/debian-packages.txt Tests/machine/debian-packages.txt
	$(call make-packages,13,$(ARCH))
	Tests/image/test.sh $(ARCH) $(PACKAGES) $(SCRATCH)-image $(CUTS)
	Tests/image/reproducible.sh $(ARCH) $(PACKAGES) $(SCRATCH)-image

test-board: ## Start the image on QEMU's Raspberry Pi 3B and 4B by their device trees, as far as a key at the scan screen; as root
	@deploy/setup.sh deploy/image/debian-packages.txt deploy/cross/debian-packages.txt Tests/board/debian-packages.txt
	$(call make-packages,13,arm64)
	Tests/board/test.sh $(PACKAGES) $(SCRATCH)-image

test-image-scripts: ## Run the image's own scripts: mirrors, manifests, then update and settings with slots in loop devices; as root
	@deploy/setup.sh Tests/image/debian-packages.txt
	Tests/image/mirror.sh
	Tests/image/manifest.py
	Tests/image/scripts.sh

test-image-long: CUTS = 50
test-image-long: export WHOLE_TRIAL = yes
test-image-long: test-image ## Do the same with 50 power cuts instead of 6, and all five minutes of a slot on trial

# Leaves TLS out of the build, which the demonstration does not need: LOGIN_KIOSK_TLS in Package.swift.
demo: export LOGIN_KIOSK_TLS = no
demo: setup ## Show everything on this machine: backend, browser, camera, kiosk
	@rm -f $(SCRATCH)-demo.log
	@for product in $(PRODUCTS); do \
		deploy/brief.sh $(SCRATCH)-demo.log $$product $(BUILD) --product $$product || exit 1; done
	@$$($(BUILD) --show-bin-path)/login-kiosk-demo

# The modules whose tests link no NIO; a test compares the list with Package.swift.
CHECKED = ArchitectureTests AuditTrail BackendValues Backups Capture CommandLineInterface CurlTransport Display DisplayLink Encoding GPIO HostIntegration \
	Keypads KioskMachine KioskPorts KioskRuntime LinuxSystem LoginValues MPinClient MPinCrypto OpenIDProvider Patience \
	PersonalCards PostgreSQL Provisioning QRReader SQLiteStore ScannerLink Scanning Sealing Signage SimulatedCamera Speech \
	login-kiosk-dev login-kiosk-display login-kiosk-scanner
check: MODULES = $(CHECKED)
check: setup ## Build the modules that need no NIO and run their tests
	$(call run-only)

test: setup ## Build everything and run all tests
	@deploy/setup.sh Tests/debian-packages.txt
	$(BUILD) --build-tests
	@python3 -B deploy/dependencies.py check $(SCRATCH)
	@Tests/run.sh "$$($(BUILD) --show-bin-path)/login-kioskPackageTests.xctest" $(SCRATCH)-tests

test-setup: ## Test setup's toolchain, demo's display of its build, the lock of packages, and the distribution of suites to runs
	@deploy/setup.sh Tests/setup/debian-packages.txt
	Tests/setup/parts.sh
	Tests/setup/lock.sh
	Tests/setup/test.sh

# run-only FILTER: the tests of MODULES, or those that match.
ONLY = --package-path $(SCRATCH)-only/package --scratch-path $(SCRATCH)-only
define run-only
	@Tests/only.sh "$(MODULES)" $(SCRATCH)-only/package
	$(SWIFT) build --disable-index-store $(ONLY) --build-tests
	@Tests/run.sh "$$($(SWIFT) build $(ONLY) --show-bin-path)/login-kioskPackageTests.xctest" \
		$(SCRATCH)-only-tests $(if $(1),'$(1)')
endef

test-only: setup ## Run the tests of some modules in seconds: make test-only MODULES=MPinCrypto,KioskMachine [TESTS=MenuTests]
	@test -n "$(MODULES)" || { echo "test-only: of which modules?" >&2; echo "hint: make test-only MODULES=KioskMachine" >&2; exit 64; }
	$(call run-only,$(TESTS))

# FACTOR=2 takes twice as many rounds as `make test`; TESTS narrows it.
test-long: export LOGIN_KIOSK_TEST_FACTOR = $(or $(FACTOR),20)
test-long: MODULES = KioskMachine,Keypads,HostIntegration,SQLiteStore,login-kiosk-scanner,KioskAndBackend
test-long test-qr-long test-faults-long: export LOGIN_KIOSK_TEST_LIMIT ?= 24h
test-long: setup ## Run random walks, kills, flipped bits and other tests from seeds, with 20 times as many rounds
	$(call run-only,$(or $(TESTS),RandomWalkTests|MatrixTraceTests|SettingsTextTests|Kills|KeyRotations|Rescues|SystemCallFilterTests|ChangePINKillTests))

test-qr-long: export LOGIN_KIOSK_TEST_FACTOR = 100
test-qr-long: MODULES = QRReader,Scanning
test-qr-long: setup ## Read 20,000 damaged symbols, pictures without one, 2,000 hostile ones: no wrong text, bounded work; an hour
	$(call run-only,GridDecoderTests|ReedSolomonTests|QRReaderTests|CrowdedFrameTests)

test-faults-long: export LOGIN_KIOSK_TEST_FACTOR = 50
test-faults-long: MODULES = KioskRuntime,ProgramTests
test-faults-long: setup ## Run the kiosk 10,000 times under faults by seed, and its programs 200 times on a failing disk; an hour
	$(call run-only,FaultPlanTests|FaultyDiskTests)

# As a program outside of this repository uses the libraries: with a manifest, checkouts and a folder of its own. Another run
# with what `make test` has built logs in with it.
EXAMPLE = $(SWIFT) build --disable-index-store --package-path Examples/Authenticator --scratch-path $(SCRATCH)-sdk
test-sdk: setup ## Build Examples/Authenticator as another package does, and log in with it
	$(EXAMPLE)
	$(BUILD) --build-tests
	LOGIN_KIOSK_AUTHENTICATOR="$$($(EXAMPLE) --show-bin-path)/authenticator" \
		"$$($(BUILD) --show-bin-path)/login-kioskPackageTests.xctest" --testing-library swift-testing \
		--filter '^ProgramTests\.AuthenticatorTests'

test-api: setup ## Compare the libraries' public surface with the listings in Tests/api
	SWIFT=$(SWIFT) Tests/api/surface.sh $(SCRATCH)

api: setup ## Write the libraries' public surface to Tests/api
	SWIFT=$(SWIFT) Tests/api/surface.sh $(SCRATCH) --write

# Optimised programs: the virtual machine's processor is emulated.
test-devices: PROGRAMS = login-kiosk login-kiosk-backend
test-devices: setup ## Test scanner, keypads and service on real device nodes, in a virtual machine (amd64; first as root)
	@deploy/setup.sh Tests/devices/debian-packages.txt
	$(call build-products,$(OPTIMISED),$(PRODUCTS) login-kiosk-dev)
	Tests/devices/test.sh $(RELEASE) $(CYCLES) $(PRESSES)
	rm -rf $(SCRATCH)-release/installed
	$(MAKE) install PROGRAMS="$(PROGRAMS)" DESTDIR=$(SCRATCH)-release/installed
	Tests/packages/hardened.sh $(SCRATCH)-release/installed
	Tests/packages/links.py $(SCRATCH)-release/installed
	Tests/devices/test-service.sh $(SCRATCH)-release/installed

test-devices-long: CYCLES = 200
test-devices-long: PRESSES = 100000
test-devices-long: test-devices ## Do the same with the camera unplugged 200 times instead of 20, and 100,000 presses instead of 2,000

# With PICTURES=FOLDER what the panel showed stays there.
test-panel: PROGRAMS = login-kiosk login-kiosk-backend
test-panel: setup ## Test the kiosk's panel, touches and speech, in the virtual machine of the device tests
	@deploy/setup.sh Tests/devices/debian-packages.txt
	$(call build-products,$(OPTIMISED),$(PRODUCTS) login-kiosk-dev)
	Tests/devices/test.sh $(RELEASE) 1 1 panel touch setup sound

# SEED repeats a run, CUT one of its cuts; KVM=yes does without emulation.
test-power-long: CUTS = 200
test-power-long: setup ## Cut the power of a virtual machine 200 times in registrations, logins, changes of PIN and keys; CUTS=6 for less; first as root
	@deploy/setup.sh Tests/devices/debian-packages.txt
	$(call build-products,$(OPTIMISED),login-kiosk login-kiosk-scanner login-kiosk-backend)
	CUTS=$(CUTS) Tests/devices/test.sh $(RELEASE) 1 1 power

LOGINS ?= 30000
test-soak-long: setup ## Log in 30,000 times at one kiosk, with faults: memory, descriptors, disk, writes; LOGINS=200 for minutes; as root
	@deploy/setup.sh Tests/soak/debian-packages.txt
	$(call build-products,$(OPTIMISED),login-kiosk login-kiosk-scanner login-kiosk-backend)
	Tests/soak/test.sh $(RELEASE) $(LOGINS)

test-debian13: setup ## Build and test on Debian 13 what differs there: scanner, camera, curl; as root
	@deploy/setup.sh deploy/cross/debian-packages.txt
	$(SWIFT) package --scratch-path $(SCRATCH) resolve
	Tests/debian13/test.sh $(SCRATCH)-debian13

# Each is run, whatever became of those before.
test-release: ## Run the tests that are too long for every change, before a release; as root
	@failed=; for part in test-arm64 "test-packages DEBIAN=12 ARCH=amd64" "test-packages DEBIAN=13 ARCH=amd64" \
		"test-packages DEBIAN=13 ARCH=arm64" test-container "test-image-long ARCH=amd64" "test-image ARCH=arm64" test-board test-panel; do \
		echo "== make $$part"; $(MAKE) $$part || failed="$$failed; make $$part"; done; \
		test -z "$$failed" || { echo "release: failed$$failed" >&2; exit 1; }

# make test-arm64 PARTS="vectors login" runs some of what Tests/arm64/test.sh lists, else all.
test-arm64: export SHIPPED := $(SHIPPED)
test-arm64: cross-setup ## Test on emulated arm64; as root
	@deploy/setup.sh Tests/arm64/debian-packages.txt
	Tests/arm64/test.sh $(SCRATCH)-arm64 $(PARTS)

# DRAW=yes draws the documentation's pictures of the page again.
test-browser: build ## Log in with the kiosk's page in a headless Chromium; pictures of every state go to PICTURES
	@deploy/setup.sh Tests/browser/debian-packages.txt
	python3 -B Tests/browser/run.py "$$($(BUILD) --show-bin-path)" "$(PICTURES)"

# Its own words are compared by the tests, the page's by test-browser.
pictures: setup ## Draw the documentation's pictures of the panel again, and all of its screens, a sheet for each size and language, in out/pictures
	@mkdir -p out/pictures
	@Tests/only.sh Display $(SCRATCH)-only/package
	LOGIN_KIOSK_PICTURES=$(CURDIR)/out/pictures $(SWIFT) test $(ONLY) --no-parallel --filter PictureTests/draw

test-website: PROGRAMS = login-kiosk login-kiosk-backend
test-website: build ## Log in to Examples/website, a relying party with Flask and Authlib
	@deploy/setup.sh Tests/website/debian-packages.txt
	/usr/bin/python3 -B Tests/website/run.py "$$($(BUILD) --show-bin-path)"

test-valgrind: PROGRAMS = login-kiosk login-kiosk-backend
test-valgrind: release ## Register, scan and log in with optimised programs under Valgrind
	@deploy/setup.sh Tests/website/debian-packages.txt
	Tests/website/valgrind.sh $(RELEASE) $(SCRATCH)-valgrind

# SANITIZER=address looks for errors in memory. Tests/preloaded/mutex.c shows ThreadSanitizer Swift's Mutex. Signals are left to
# the programs, which restore their terminal.
SANITIZER ?= thread
SANITIZED = --package-path $(SCRATCH)-$(SANITIZER)/package --scratch-path $(SCRATCH)-$(SANITIZER)
test-sanitized: MODULES = CurlTransport,KioskRuntime,PostgreSQL,ReferenceBackend,ScannerLink
test-sanitized: export LOGIN_KIOSK_TEST_LIMIT ?= 2h
test-sanitized: setup ## Run the tests of modules with threads under ThreadSanitizer: SANITIZER=address, MODULES, TESTS for others
	@deploy/setup.sh Tests/debian-packages.txt
	@Tests/only.sh "$(MODULES)" $(SCRATCH)-$(SANITIZER)/package
	$(SWIFT) build --disable-index-store $(SANITIZED) --sanitize $(SANITIZER) --build-tests
	@"$$(dirname "$$(command -v $(SWIFT))")/clang" -shared -fPIC -O1 -o $(SCRATCH)-$(SANITIZER)/mutex.so Tests/preloaded/mutex.c
	@$(if $(filter thread,$(SANITIZER)),LD_PRELOAD=$(CURDIR)/$(SCRATCH)-thread/mutex.so) \
		TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/thread.supp handle_segv=0" \
		Tests/run.sh "$$($(SWIFT) build $(SANITIZED) --show-bin-path)/login-kioskPackageTests.xctest" \
		$(SCRATCH)-$(SANITIZER)-tests $(if $(TESTS),'$(TESTS)')

test-fleet: PROGRAMS = login-kiosk login-kiosk-backend
test-fleet: build ## Pull each plug of three kiosks, HAProxy, two backends, two D-TAs and PostgreSQL in network namespaces; as root
	@deploy/setup.sh Tests/outages/debian-packages.txt
	Tests/outages/test.sh "$$($(BUILD) --show-bin-path)"

SEEDS ?= 8
test-network: PROGRAMS = login-kiosk login-kiosk-backend
test-network: build ## Log in through lines, resolvers, servers and portals that go wrong, in network namespaces: SEEDS=200 for more lines; as root
	@deploy/setup.sh Tests/network/debian-packages.txt
	Tests/network/test.sh "$$($(BUILD) --show-bin-path)" $(SEEDS)

# Ansible's role is run with the packages of PACKAGES, where there are some.
test-deploy-fleet: PROGRAMS = login-kiosk login-kiosk-backend
test-deploy-fleet: build ## Run what deploy/fleet has for operators: Prometheus, dashboard, alerts, logs, Ansible; as root
	@deploy/setup.sh Tests/outages/debian-packages.txt Tests/deploy/debian-packages.txt
	Tests/deploy/test.sh "$$($(BUILD) --show-bin-path)" "$(PACKAGES)" $(SCRATCH)-deploy

load: setup ## Log in with 50 kiosks and 50 browsers at a backend of its own, for seconds: make load ARGUMENTS="--rate 20 --json"
	$(call build-products,$(BUILD),login-kiosk-backend login-kiosk-dev) >&2
	@"$$($(BUILD) --show-bin-path)/login-kiosk-dev" swarm --kiosks 50 --browsers 50 --rate 10 --for 5 --wrong-share 0.1 $(ARGUMENTS)

# make test-load-long PARTS="kills database" runs some of what Tests/load/test.sh lists, else all. Reports go to RESULTS.
RESULTS ?= out/load
test-load: PARTS = few
test-load: test-load-long ## Log in with thirty kiosks at two backends on PostgreSQL, kill one, and check every verdict and count; as root

test-load-long: setup ## Log in with a thousand kiosks at 1, 2 and 4 backends on PostgreSQL, while processes are killed; as root
	@deploy/setup.sh Tests/load/debian-packages.txt
	$(call build-products,$(OPTIMISED),login-kiosk-backend login-kiosk-dev)
	Tests/load/test.sh $(RELEASE) $(RESULTS) $(PARTS)

# SERVED=one, two or leastconn runs one of the three ways alone.
# The relying parties of others come from Debian and PyPI, into a virtual environment.
test-foreign: PROGRAMS = login-kiosk login-kiosk-backend
test-foreign: build ## Test relying parties of others; with FOREIGN, clients in checkouts below it, too, also behind HAProxy
	@deploy/setup.sh Tests/foreign/openid/debian-packages.txt
	/usr/bin/python3 -m venv $(SCRATCH)-foreign
	$(SCRATCH)-foreign/bin/pip install --quiet --requirement Tests/foreign/openid/requirements.txt
	$(SCRATCH)-foreign/bin/python -B Tests/foreign/openid/run.py "$$($(BUILD) --show-bin-path)"
	$(SCRATCH)-foreign/bin/python -B Tests/foreign/openid/profiles.py "$$($(BUILD) --show-bin-path)"
ifdef FOREIGN
	@deploy/setup.sh Tests/foreign/debian-packages.txt
	Tests/foreign/test.sh "$$($(BUILD) --show-bin-path)" "$(FOREIGN)" $(SERVED)
endif

test-model: setup ## Check the model of a login with Spin: docs/model.md; SESSIONS=3 for more
	@deploy/setup.sh Tests/model/debian-packages.txt
	Tests/model/run.sh $(SESSIONS)

# Optimised, for twice as many inputs a second, but a broken assertion ends a target, too. The package is one of its own, with
# the same versions.
RUN-FUZZ = Tests/only.sh HostIntegration,KioskRuntime,Keypads,Scanning,KioskTestKit Fuzz/.build-package && \
	cp Package.resolved Fuzz/ && $(SWIFT) build --disable-index-store --configuration release --package-path Fuzz \
	--scratch-path $(SCRATCH)-fuzz --sanitize fuzzer --sanitize address -Xswiftc -sanitize=fuzzer,address \
	-Xswiftc -enable-testing -Xswiftc -assert-config -Xswiftc Debug --product fuzz && \
	Fuzz/run.sh $(SCRATCH)-fuzz/release/fuzz out/fuzz
fuzz: setup ## Feed hostile input to every parser and to a whole kiosk, 10 s each: TARGETS="code pipes" for some
	$(RUN-FUZZ) -max_total_time=10 $(TARGETS)

fuzz-long: setup ## Do the same with a million inputs each; hours
	$(RUN-FUZZ) -runs=1000000 $(TARGETS)

test-constant-time: setup ## Check that no branch or address depends on a secret: under Valgrind, x86-64 only
	$(OPTIMISED) --product login-kiosk-dev
	valgrind --quiet --log-file=$(SCRATCH)-release/constant-time.log --suppressions=Tests/constant-time.supp \
		$(RELEASE)/login-kiosk-dev constant-time

bench: setup ## Measure against references, and in a browser: make bench; ARGUMENTS="--only crypto --json" for less
	$(call build-products,$(OPTIMISED),login-kiosk login-kiosk-backend login-kiosk-dev) >&2
	@$(RELEASE)/login-kiosk-dev bench $(ARGUMENTS)
ifndef ARGUMENTS
	@deploy/setup.sh Tests/browser/debian-packages.txt
	@python3 -B Tests/browser/greeting.py $(RELEASE)
endif
ifdef MANIFESTS
	@$(RELEASE)/login-kiosk-dev qrbench $(MANIFESTS)
endif

# DATA is a checkout of paulmillr/qr-code-vectors. ARGUMENTS=--each tells what was read of each picture.
bench-qr: setup ## Compare the scanner with PyPI's zxing-cpp and pyzbar by BoofCV's photographs: make bench-qr DATA=CHECKOUT
	$(call build-products,$(OPTIMISED),login-kiosk login-kiosk-scanner) >&2
	@/usr/bin/python3 -m venv $(SCRATCH)-photographs
	@$(SCRATCH)-photographs/bin/pip install --quiet --requirement Tests/photographs/requirements.txt
	@$(SCRATCH)-photographs/bin/python -B Tests/photographs/run.py $(RELEASE) "$(DATA)" $(ARGUMENTS)

# ARGUMENTS=50 is another line, of 50 ms each way.
bench-distance: setup ## Measure a login with TLS over 60 ms there and back; as root
	@deploy/setup.sh Tests/load/debian-packages.txt
	$(call build-products,$(OPTIMISED),login-kiosk-backend login-kiosk-dev) >&2
	@unshare --mount --net --pid --fork --kill-child --mount-proc python3 -B Tests/load/distance.py $(RELEASE) $(ARGUMENTS)

# The files with the code that a library could replace, and nothing else of the project.
OWN = $(wildcard Sources/Common/Encoding/*.swift) Sources/Backend/BackendValues/Encoding/JSONObject.swift
bench-libraries: setup ## Measure JSON, base64url, hexadecimal and forms of our own beside Foundation and libcrypto
	@mkdir -p $(SCRATCH)-release
	$(SWIFT)c -O -whole-module-optimization -swift-version 6 -package-name login-kiosk -I Sources/C/COpenSSL -lcrypto \
		-o $(SCRATCH)-release/libraries Tests/libraries/main.swift $(OWN)
	@$(SCRATCH)-release/libraries

lint: ## Check formatting, the syntax of shell scripts and overlays, their drawings, links of the installed pages, the units' exposure
	$(SWIFT) format lint --strict --recursive $(SOURCES)
	@for script in $(SCRIPTS); do \
		shell=sh; if head -n 1 "$$script" | grep -q bash; then shell=bash; fi; $$shell -n "$$script" || exit 1; done
	@! command -v dtc > /dev/null || for overlay in deploy/overlays/*.dts; do \
		dtc -@ -q -I dts -O dtb -o /dev/null "$$overlay" || exit 1; done
	@! command -v python3 > /dev/null || { python3 -B docs/wiring.py --check && SWIFT=$(SWIFT) python3 -B docs/architecture.py --check && python3 -B Tests/packages/links.py; }
	@for unit in $(UNITS); do \
		case $$unit in *image-setup*) most=2.9 ;; *image-update*) most=2.7 ;; *image-settings*) most=2.2 ;; *) most=1.9 ;; esac; \
		systemd-analyze security --no-pager --offline=true --threshold=$${most%.*}$${most#*.} "$$unit" > $(SCRATCH)-exposure || \
		{ cat $(SCRATCH)-exposure >&2; echo "lint: $$unit is exposed by more than $$most" >&2; exit 1; }; done

docs: setup ## Make the reference of both libraries; a link in it that leads nowhere is an error
	@SWIFT=$(SWIFT) docs/reference.sh $(SCRATCH)

# BASE is the site's path on its server, which the reference's addresses begin with.
BASE ?= /
site: docs ## Make a web site of the pages and the reference, in .build-site; BASE=/PATH/ on the server
	@deploy/setup.sh docs/debian-packages.txt
	/usr/bin/python3 -B docs/site.py $(SCRATCH)-site --reference $(SCRATCH)-reference --base $(BASE)

format: ## Format all Swift files in place
	$(SWIFT) format --in-place --recursive $(SOURCES)

clean: ## Remove what was built
	rm -rf $(SCRATCH) $(SCRATCH)-tests $(SCRATCH)-only $(SCRATCH)-only-tests $(SCRATCH)-release $(SCRATCH)-exposure $(SCRATCH)-reference \
		$(SCRATCH)-sdk $(SCRATCH)-surface $(SCRATCH)-arm64 $(SCRATCH)-arm64-tests $(SCRATCH)-debian13 $(SCRATCH)-image \
		$(SCRATCH)-deploy $(SCRATCH)-valgrind $(SCRATCH)-thread $(SCRATCH)-address $(SCRATCH)-thread-tests $(SCRATCH)-address-tests $(SCRATCH)-site $(SCRATCH)-demo.log $(SCRATCH)-foreign Fuzz/.build-package .build-setup.log
