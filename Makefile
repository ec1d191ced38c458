# wpipe. The two to start with: `make demo` and `make test`. `make check` is what CI runs.
SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -ec
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PROGRAMS := $(shell sed -n 's/^name = "\(wp-.*\)"$$/\1/p' Cargo.toml)
MSRV := $(shell sed -n 's/^rust-version = "\(.*\)"$$/\1/p' Cargo.toml)
PREFIX ?= /usr/local
TARGET ?= $(or $(CARGO_TARGET_DIR),target)
# What `make test` builds too, and what is installed, packaged and timed; `make build` is between the two (profiles in Cargo.toml).
QUICK := $(TARGET)/debug
DIST := $(TARGET)/dist
# What an incremental build keeps for the next one takes a seventh more time: none where there is none yet, as from nothing.
export CARGO_INCREMENTAL ?= $(if $(wildcard $(QUICK)/incremental/*),1,0)
# Test corpora that are not part of this repository; without them the conformance tests say that they were skipped.
SHARED ?= ../shared
WORK ?= $(or $(TMPDIR),/tmp)/wpipe-conformance
VENV := .venv

.PHONY: help build quick completions optimised demo test check parquet growth lines lint msrv oldest beta check-32 deny fuzz mutants conformance conformance-quick accuracy oracle install clean
.PHONY: dist profile multicall static deb tarball wheel package-test crate sbom sums release release-check
.PHONY: bench bench-peer bench-all bench-large bench-huge bench-registry bench-programs instructions

help: ## Show this list
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 20

build: ## Build the programs for everyday use into target/release (about 4 minutes on two cores)
	cargo build --release --locked

# With the example, for which cargo takes the crates of the tests: so the library is built once for `make demo` and `make test`.
quick:
	cargo build --locked --bins --examples

# Runs here, whatever the programs are built for.
COMPLETIONS := $(QUICK)/completions
completions:
	cargo build --locked --features completions --bin completions

optimised:
	cargo build --profile dist --locked --features parquet

demo: quick ## Run the whole pipeline on the example site and show what it made
	@PATH="$(abspath $(QUICK)):$$PATH" examples/demo.sh demo

# Twice as many tests at once as there are cores: every other one waits for a server, a signal or a child.
test: export RUST_TEST_THREADS ?= $(shell echo $$((2 * $$(getconf _NPROCESSORS_ONLN))))
test: export TMPDIR := $(shell tests/tmpdir.sh)
test: ## Run all tests that need nothing but Rust, make and jq
	cargo test --locked

lint: ## Format, clippy, docs, man pages
	cargo fmt --check
	cargo check --locked --manifest-path bench/Cargo.toml --target-dir $(TARGET)
	cargo check --locked --manifest-path fuzz/Cargo.toml --no-default-features --target-dir $(TARGET)
	cargo clippy --locked --all-targets --all-features -- -D warnings
	cargo clippy --locked --bins --no-default-features -- -D warnings
	RUSTDOCFLAGS="-D warnings -A rustdoc::private_intra_doc_links" cargo doc --locked --no-deps --lib --document-private-items
	if command -v mandoc >/dev/null; then mandoc -T lint -W warning man/*.[157]; else echo "mandoc is not installed: man pages not linted"; fi

# Properties that try a few cases in `make test` try so many here.
check: export WPIPE_CASES ?= 400
# Four formats read contents in the same way: here each generator of `make growth` is counted with one of them.
check: export WPIPE_IN_TURN ?= 1
check: lint oldest test parquet growth conformance-quick accuracy ## What CI runs: lint, test, growth, accuracy, and the quick part of conformance

# Its crates are not in the build of `make demo` and `make test`. Those have tried all generated cases.
parquet: ## Test what has the feature parquet, a format that the packages have
	env -u WPIPE_CASES cargo test --locked --features parquet --lib -- export formats
	env -u WPIPE_CASES cargo test --locked --features parquet --test wpipe -- formats:: corpus::counts manual::

growth: ## Count the instructions of each program at n and 4n of all that may repeat (needs valgrind; ONLY=WORDS picks lines of the table)
	@if command -v valgrind >/dev/null; then \
	  cargo build --locked --release --bins && \
	  WPIPE_PROGRAMS="$(abspath $(TARGET))/release" cargo test --locked --test wpipe growth:: -- --ignored --nocapture; \
	else echo "SKIPPED: valgrind is not installed: no growth was counted"; fi

lines: ## Count the lines of each room, without tests
	@python3 tests/lines.py

msrv: ## Compile with the oldest Rust that Cargo.toml promises (rustup installs it)
	rustup toolchain install $(MSRV) --profile minimal
	cargo +$(MSRV) check --locked --bins --all-features --target-dir $(TARGET)/msrv

# For CI, which may have no way to fetch it.
oldest:
	@if command -v rustup >/dev/null && timeout 300 rustup toolchain install $(MSRV) --profile minimal >/dev/null 2>&1; then $(MAKE) msrv; \
	else echo "SKIPPED: no rustup, or Rust $(MSRV) cannot be fetched: not compiled with the oldest Rust"; fi

beta: ## Compile and run the library's tests with the beta of Rust, and with all assertions (rustup installs it)
	rustup toolchain install beta --profile minimal
	CARGO_PROFILE_DEV_DEBUG_ASSERTIONS=true cargo +beta test --locked --lib --target-dir $(TARGET)/beta

check-32: ## Run all tests with 32-bit programs (rustup installs the target; needs gcc-multilib)
	rustup target add i686-unknown-linux-gnu
	cargo test --locked --target i686-unknown-linux-gnu

deny: ## Licences, bans and sources of all dependencies (needs cargo-deny; advisories: cargo deny check)
	cargo deny check licenses bans sources

# TARGETS of fuzz/README.md, and how long each is fuzzed.
TARGETS ?= $(basename $(notdir $(wildcard fuzz/targets/*.rs)))
SECONDS_EACH ?= 60
fuzz: ## Fuzz each of TARGETS for SECONDS_EACH (needs a nightly compiler and cargo-fuzz)
	for t in $(TARGETS); do \
	  mkdir -p fuzz/corpus/$$t; \
	  cargo +nightly fuzz run -O $$t fuzz/corpus/$$t fuzz/seeds/$$t -- -max_total_time=$(SECONDS_EACH) -max_len=4096 -timeout=20 -dict=fuzz/words.dict; \
	done

# Rooms that decide, how many changes are drawn of all, and by which seed.
ROOMS ?= registry join urls dump page rights stage/diff
DRAWN ?= 150
SEED ?= 65
MUTANTS := $(abspath $(TARGET))/mutants
mutants: ## Change one rule at a time, in a copy, and tell which of DRAWN changes no test notices (needs cargo-mutants; hours)
	rm -rf $(MUTANTS)/tree && mkdir -p $(MUTANTS)/tree && git archive HEAD | tar x -C $(MUTANTS)/tree
	cd $(MUTANTS)/tree && CARGO_TARGET_DIR=$(MUTANTS)/target python3 tests/mutants.py $(SEED) $(DRAWN) $(ROOMS)

conformance-quick: quick ## Compare with the peer's own case and score against real sites (needs $(SHARED))
	@SHARED=$(abspath $(SHARED)) WORK=$(WORK) VENV=$(VENV) PATH="$(abspath $(QUICK)):$$PATH" tests/conformance/run.sh quick

conformance: quick ## All of conformance: also what needs the peer itself, in a virtual environment
	@SHARED=$(abspath $(SHARED)) WORK=$(WORK) VENV=$(VENV) PATH="$(abspath $(QUICK)):$$PATH" tests/conformance/run.sh all

oracle: quick ## Compare rendered texts with headless Chromium (needs $(SHARED), Node; installs Debian's chromium)
	@SHARED=$(abspath $(SHARED)) WORK=$(WORK) PATH="$(abspath $(QUICK)):$$PATH" tests/conformance/oracle.sh

# SAVE=1 renews tests/accuracy/known.tsv, MISSES=N prints examples; WORDPRESS=TOOL starts a WordPress.
accuracy: $(if $(DATASET),,quick) ## Score the programs on a generated corpus, or DATASET against TRUTH (docs/accuracy.md)
	@$(if $(DATASET),python3 tests/accuracy/score.py $(DATASET) $(TRUTH) --misses $(or $(MISSES),0),\
	  SHARED=$(abspath $(SHARED)) WORK=$(WORK)-accuracy WORDPRESS="$(WORDPRESS)" SAVE="$(SAVE)" MISSES="$(MISSES)" \
	  PATH="$(abspath $(QUICK)):$$PATH" tests/accuracy/run.sh)

install: optimised completions ## Build with all optimisation, install programs, man pages and completions below PREFIX (and DESTDIR)
	@COMPLETIONS=$(COMPLETIONS) packaging/install.sh $(DIST) $(DESTDIR)$(PREFIX) $(PROGRAMS)

# Packages hold one file with a link for each program. STAGE has that file, DEB, TARBALL and WHEEL say where the packages go.
STAGE ?= $(TARGET)/package
DEB ?= $(TARGET)
TARBALL ?= $(TARGET)
WHEEL ?= $(TARGET)
# The file in the tarball and the wheel needs no library of the system (but for macOS). Another TRIPLE than the host's is compiled by zig,
# from PyPI: make tarball wheel TRIPLE=aarch64-unknown-linux-musl
HOST := $(shell rustc -vV | sed -n 's/^host: //p')
TRIPLE ?= $(HOST)
TOOLS := $(VENV)-tools
STATIC_STAGE = $(STAGE)-$(TRIPLE)
LINK_FLAGS = $(if $(findstring -linux-,$(TRIPLE)),-C target-feature=+crt-static)
STATIC_FLAGS = RUSTFLAGS="$(LINK_FLAGS)$(call profile_use,$(TRIPLE))"
CROSS = $(filter-out $(HOST),$(TRIPLE))
WITH_TOOLS = PATH="$(abspath $(TOOLS))/bin:$$PATH"

# What `make profile` counted, by which the packages and the file of `make instructions` are optimised: only where the command line names it.
# Symbols differ with the triple, so it is of use for one, which its name has; and with CARGO_INCREMENTAL.
PROFILE =
profile_use = $(if $(PROFILE),$(if $(findstring -$(1).,$(notdir $(PROFILE))), -C profile-use=$(abspath $(PROFILE)),\
  $(error PROFILE=$(PROFILE) is not of $(1): make profile TRIPLE=$(1))))

dist: deb tarball wheel ## All packages: .deb, static tarball, wheel (PROFILE=FILE: with the counts of make profile)

multicall: $(PROFILE)
	CARGO_INCREMENTAL=0 $(if $(PROFILE),RUSTFLAGS="$(call profile_use,$(HOST))") \
	  cargo build --profile dist --locked --features multicall,parquet --bin wpipe $(if $(PROFILE),--target $(HOST))
	install -D -t $(STAGE) $(TARGET)/$(if $(PROFILE),$(HOST)/)dist/wpipe
	for p in $(PROGRAMS); do ln -sf wpipe $(STAGE)/$$p; done

BUILD_STATIC = CARGO_INCREMENTAL=0 $(WITH_TOOLS) cargo $(if $(CROSS),zigbuild,build) --profile dist --locked --features multicall,parquet --bin wpipe --target $(TRIPLE)
static: $(PROFILE) $(if $(CROSS),$(TOOLS)/bin/maturin)
	$(if $(CROSS),rustup target add $(TRIPLE))
	$(STATIC_FLAGS) $(BUILD_STATIC)
	install -D -t $(STATIC_STAGE) $(TARGET)/$(TRIPLE)/dist/wpipe

# Instrumented programs count while they run on what the project generates (packaging/train.sh). Those of TRIPLE must run here.
PROFDATA = $(TARGET)/wpipe-$(TRIPLE).profdata
COUNTING = $(TARGET)/profile/$(TRIPLE)/dist
LLVM_PROFDATA = $(wildcard $(shell rustc --print sysroot)/lib/rustlib/*/bin/llvm-profdata)
profile: $(if $(CROSS),$(TOOLS)/bin/maturin) ## Count what programs of TRIPLE do on generated sites: for PROFILE= of the packages (needs rustup's llvm-tools)
	@[ -n "$(LLVM_PROFDATA)" ] || { echo "make profile needs llvm-profdata: rustup component add llvm-tools" >&2; exit 1; }
	cargo build --locked --manifest-path bench/Cargo.toml --bin bench-corpus --target-dir $(TARGET)/bench
	$(if $(CROSS),rustup target add $(TRIPLE))
	RUSTFLAGS="$(LINK_FLAGS) -C profile-generate" $(BUILD_STATIC) --target-dir $(TARGET)/profile
	for p in $(PROGRAMS); do ln -sf wpipe $(COUNTING)/$$p; done
	rm -rf $(TARGET)/profile/counts && mkdir -p $(dir $(PROFDATA))
	LLVM_PROFILE_FILE="$(abspath $(TARGET))/profile/counts/%4m.profraw" \
	  packaging/train.sh $(COUNTING) $(TARGET)/bench/debug/bench-corpus $(TARGET)/profile/sites
	$(LLVM_PROFDATA) merge -o $(PROFDATA) $(TARGET)/profile/counts
	@echo "Now for example: make dist PROFILE=$(PROFDATA)"

deb: multicall completions ## Build a Debian package into $(DEB) (needs dpkg-deb)
	@rm -rf $(DEB)/deb && mkdir -p $(DEB)
	@COMPLETIONS=$(COMPLETIONS) packaging/install.sh $(STAGE) $(DEB)/deb/usr $(PROGRAMS)
	@packaging/deb.sh $(DEB)/deb $(DEB)

tarball: static completions ## Build a static tarball of programs, man pages and completions for TRIPLE into $(TARBALL) (needs GNU tar)
	@rm -rf $(TARBALL)/tarball && mkdir -p $(TARBALL)
	@COMPLETIONS=$(COMPLETIONS) packaging/install.sh $(STATIC_STAGE) $(TARBALL)/tarball $(PROGRAMS)
	@packaging/tarball.sh $(TARBALL)/tarball $(TARBALL) $(TRIPLE)

WHEEL_PROFILE ?= dist
wheel: static $(TOOLS)/bin/maturin ## Build a wheel with the programs for TRIPLE into $(WHEEL): pip install FILE.whl
	@$(if $(filter dist,$(WHEEL_PROFILE)),CARGO_INCREMENTAL=0) $(STATIC_FLAGS) $(WITH_TOOLS) maturin build --quiet --profile $(WHEEL_PROFILE) --target $(TRIPLE) --out $(WHEEL) \
	  $(if $(CROSS),--zig,$(if $(findstring -linux-gnu,$(TRIPLE)),--compatibility manylinux2014))

$(TOOLS)/bin/maturin:
	python3 -m venv $(TOOLS)
	$(TOOLS)/bin/pip install --quiet maturin ziglang cargo-zigbuild

package-test: $(TOOLS)/bin/maturin ## Build the packages from quickly built files; install them, in clean systems too, and run the demo
	cargo build --locked --features multicall,parquet --bin wpipe
	$(STATIC_FLAGS) cargo build --locked --features multicall,parquet --bin wpipe --target $(HOST)
	@packaging/test.sh $(QUICK)/wpipe $(TARGET)/$(HOST)/debug/wpipe $(TARGET)/package-test $(PROGRAMS)

# --- release: RELEASE.md and .github/workflows/release.yml call these ------------------------------------------------
# Where what is released goes, one folder for all of it.
RELEASE ?= $(TARGET)/release-files

release-check: ## Whether Cargo.toml, CHANGELOG.md and TAG are ready for a release
	@packaging/release.sh "$(TAG)"

crate: ## Package the crate as it is committed, build it from there, and do all of publishing but the upload
	cargo package --locked
	cargo publish --dry-run --locked --no-verify

sbom: $(TOOLS)/bin/cargo-cyclonedx ## List what the programs are made of into $(RELEASE) (CycloneDX; from crates.io)
	@mkdir -p $(RELEASE)
	$(WITH_TOOLS) cargo cyclonedx --format json --spec-version 1.5 --all-features --override-filename wpipe.cdx
	@mv wpipe.cdx.json $(RELEASE)

sums: ## Write the SHA-256 sums of all files in $(RELEASE)
	@cd $(RELEASE) && rm -f SHA256SUMS && sha256sum * >SHA256SUMS && cat SHA256SUMS

release: ## Everything that can be made here, into $(RELEASE): .deb, tarball and wheel for TRIPLE (with PROFILE, and it), SBOM, sums
	@rm -rf $(RELEASE) && mkdir -p $(RELEASE)
	$(MAKE) deb tarball wheel DEB=$(TARGET)/staged TARBALL=$(TARGET)/staged WHEEL=$(RELEASE)
	@mv $(TARGET)/staged/*.deb $(TARGET)/staged/*.tar.gz $(RELEASE)
	$(if $(PROFILE),cp $(PROFILE) $(RELEASE))
	$(MAKE) sbom sums

$(TOOLS)/bin/cargo-cyclonedx:
	cargo install --locked --root $(TOOLS) cargo-cyclonedx@0.5.9

# --- bench: see bench/README.md -------------------------------------------------------------------------------------
# Sizes in posts, several if wished: make bench N="500 2000". SAVE=DIR keeps results, tables and the chart there.
# OWN="DUMP ..." times wp-index and wp-parse on dumps of yours too.
N ?= 2000
RUNS ?= 5
BENCH_WORK ?= $(or $(TMPDIR),/tmp)/wpipe-bench
BENCH_RELEASE := $(or $(CARGO_TARGET_DIR),bench/target)/release
BENCH = PATH="$(abspath $(if $(PROFILE),$(STAGE),$(DIST))):$$PATH" python3 bench/bench.py --programs $(BENCH_RELEASE) --venv $(VENV) \
  --work $(BENCH_WORK) --runs $(RUNS) $(if $(PROFILE),--profile $(notdir $(PROFILE))) $(if $(SAVE),--save $(SAVE)) $(if $(OWN),--own $(OWN))

# PROFILE=FILE: the file of the packages.
bench-programs: $(if $(PROFILE),multicall,optimised)
	cargo build --release --locked --manifest-path bench/Cargo.toml

bench: bench-programs ## Time every stage and the whole pipe on a generated site of N posts (2000)
	@$(BENCH) --sizes $(N)

bench-peer: bench-programs $(VENV)/bin/wpextract ## The same, and wpextract 1.1.1 in turn on the same site
	@$(BENCH) --sizes $(N) --peer $(N) --records

bench-all: SAVE ?= bench/runs/$(shell date +%F)
bench-all: bench-programs $(VENV)/bin/wpextract ## What is committed: 500, 2000 and 8000 posts, the peer up to 2000
	@$(BENCH) --sizes 500 2000 8000 --peer 500 2000 --runs 3
	@python3 bench/chart.py bench/runs/*/results.ndjson > bench/chart.svg
	@python3 bench/chart.py --dark bench/runs/*/results.ndjson > bench/chart-dark.svg

bench-large: bench-programs ## Memory and growth: 20,000 posts (1.7 GB), a million records, ten million URLs
	@$(BENCH) --sizes 20000 --records 10000 1000000

bench-huge: RUNS = 1
bench-huge: bench-programs ## Memory at 200,000 posts (4.6 + 12 GB; needs 30 GB of disk): the pipe alone, once
	@$(BENCH) --sizes --large 200000 --records

bench-registry: bench-programs ## wp-resolve alone: 10,000, 100,000 and a million records of ten URLs each (3.2 GB)
	@$(BENCH) --sizes --records --registry 10000 100000 1000000

# SAVE=1 renews the table. One file with all programs, because it is optimised once.
instructions: multicall ## Count the instructions of each stage and compare with bench/instructions.tsv (needs valgrind)
	cargo build --locked --manifest-path bench/Cargo.toml --bin bench-corpus --target-dir $(TARGET)/bench
	@bench/instructions.sh $(STAGE) $(TARGET)/bench/debug/bench-corpus $(BENCH_WORK)-instructions $(if $(SAVE),--save)

$(VENV)/bin/wpextract:
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install --quiet wpextract==1.1.1
# --- end of bench ---------------------------------------------------------------------------------------------------

clean: ## Remove what was built
	cargo clean
	rm -rf demo bench/target $(VENV) $(VENV)-*
