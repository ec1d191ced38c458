# wpipe. The two to start with: `make demo` and `make test`. `make check` is what CI runs.
SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -ec
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PROGRAMS := wp-index wp-parse wp-translations wp-resolve wp-export
PREFIX ?= /usr/local
TARGET ?= $(or $(CARGO_TARGET_DIR),target)
RELEASE := $(TARGET)/release
# Test corpora that are not part of this repository; without them the conformance tests say that they were skipped.
SHARED ?= ../shared
WORK ?= $(or $(TMPDIR),/tmp)/wpipe-conformance
VENV := .venv

.PHONY: help build demo test check lint conformance conformance-quick install clean

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 20

build: ## Build the five programs, optimised, into target/release
	cargo build --release --locked

demo: build ## Run the whole pipeline on the example site and show what it made
	@PATH="$(abspath $(RELEASE)):$$PATH" examples/demo.sh demo

test: ## Run all tests that need nothing but Rust, make and jq
	cargo test --locked

lint: ## Format, clippy, docs, man pages
	cargo fmt --check
	cargo clippy --locked --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --lib
	if command -v mandoc >/dev/null; then mandoc -T lint -W warning man/*.[15]; else echo "mandoc is not installed: man pages not linted"; fi

check: lint test conformance-quick ## What CI runs: lint, test, and the quick part of conformance

conformance-quick: build ## Compare with the peer's own case and score against real sites (needs $(SHARED))
	@SHARED=$(SHARED) WORK=$(WORK) VENV=$(VENV) PATH="$(abspath $(RELEASE)):$$PATH" tests/conformance/run.sh quick

conformance: build ## All of conformance: also what needs the peer itself, in a virtual environment
	@SHARED=$(SHARED) WORK=$(WORK) VENV=$(VENV) PATH="$(abspath $(RELEASE)):$$PATH" tests/conformance/run.sh all

install: build ## Install programs, man pages and completions below PREFIX (and DESTDIR)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/man/man5
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions
	install -d $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	install -m 755 $(addprefix $(RELEASE)/,$(PROGRAMS)) $(DESTDIR)$(PREFIX)/bin
	install -m 644 man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 man/*.5 $(DESTDIR)$(PREFIX)/share/man/man5
	for p in $(PROGRAMS); do \
	  $(RELEASE)/$$p --completions bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/$$p; \
	  $(RELEASE)/$$p --completions zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_$$p; \
	  $(RELEASE)/$$p --completions fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/$$p.fish; \
	done

clean: ## Remove what was built
	cargo clean
	rm -rf demo $(VENV)
