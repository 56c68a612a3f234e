# SPDX-License-Identifier: MIT
# The short way in.  CMake does the work (CMakeLists.txt, CMakePresets.json); `make help` lists
# what there is.
PREFIX  ?= /usr/local
DESTDIR ?=
JOBS    ?= $(shell nproc)

# Seconds that each fuzz target runs for.
FUZZ_SECONDS ?= 60

# Percent of the lines of src/ that the tests have to run.
LEAST_COVERAGE ?= 95

PROGRAM := build/release/otherwise

# $(call build,PRESET[,TARGET]): quiet while all goes well.
build = echo "== building build/$(1)" && cmake --preset $(1) >/dev/null && \
	cmake --build --preset $(1) --parallel $(JOBS) $(if $(2),--target $(2)) -- --quiet

# $(call ctest,FOLDER[,OPTIONS]): the tests of build/FOLDER; those of build/all are everybody's.
TESTED := dev asan clang tsan
ctest = mkdir -p build/all && \
	echo 'subdirs($(TESTED:%=../%))' > build/all/CTestTestfile.cmake && \
	ctest --test-dir build/$(1) --parallel $(JOBS) --output-on-failure --no-label-summary $(2)

# Compilers' results are kept where ccache is there.
CMAKE_C_COMPILER_LAUNCHER ?= $(shell command -v ccache)
export CMAKE_C_COMPILER_LAUNCHER

.PHONY: all demo check test test-long coverage python site wheel release install bench fuzz format clean help

all: ## build the program: build/release/otherwise
	@tools/install_packages.sh build
	@$(call build,release)

demo: all ## see it at work on the 1000 credit applicants that come with it
	@$(PROGRAM) demo

check: ## the short loop: every test of the gcc build that takes no seconds
	@tools/install_packages.sh test
	@$(call build,dev)
	@$(call ctest,dev,-L '^short$$')

# Four builds, then one ctest run over the tests that are not long: all of dev's and asan's, and of
# clang's and tsan's those that are labelled for kernels or threads (tests/labels.cmake).
test: ## run every check and test but the long ones; ends with ctest's summary
	@tools/install_packages.sh test
	@$(call build,dev)
	@$(call build,asan,test_share)
	@$(call build,clang,test_share)
	@$(call build,tsan,test_share)
	@$(call ctest,all,-LE '^long$$')

test-long: ## the whole suite in all four builds: up to an hour
	@tools/install_packages.sh test
	@$(foreach preset,$(TESTED),$(call build,$(preset)) &&) true
	@$(call ctest,all)

coverage: ## which lines and functions of src/ the tests run (tools/measure_coverage.py)
	@tools/install_packages.sh test
	@$(call build,coverage)
	@tools/measure_coverage.py --reset build/coverage
	@$(call ctest,coverage,--quiet -LE '^long$$')
	@tools/measure_coverage.py --least $(LEAST_COVERAGE) build/coverage

python: ## build the Python package into build/python-venv, with what its tests import
	@tools/install_packages.sh test
	@test -d build/python-venv || python3 -m venv build/python-venv
	@build/python-venv/bin/pip install --quiet --disable-pip-version-check '.[test]'
	@echo "build/python-venv/bin/python -c 'import otherwise' works now"

site: ## build/site: the Python guide and its notebooks, run, as pages
	@tools/install_packages.sh test
	@$(call build,dev)
	@python/run_tests.sh build/dev $${CC:-cc} --site
	@rm -rf build/site && cp -r build/dev/python-site build/site && echo "build/site/index.html"

wheel: ## build/wheel/*.whl: the Python package for x86_64 and aarch64 with all that it needs, tried out
	@tools/install_packages.sh wheel
	@python/make_wheel.sh build/wheel

release: ## build/packages: source archive, .deb, wheels and sums; sets the tag (tools/make_release.sh)
	@tools/make_release.sh build/packages

install: all ## install below PREFIX (default /usr/local); DESTDIR is put in front
	DESTDIR=$(DESTDIR) cmake --install build/release --prefix $(PREFIX)
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" -eq 0 ]; then ldconfig; fi

bench: ## measure speed, as ratios taken in the same run (bench/README.md)
	@tools/install_packages.sh bench
	@$(call build,release)
	@set -e; for program in build/release/bench/bench_* bench/bench_*.sh; do echo "== $${program##*/}"; $$program; done

fuzz: ## fuzz each parser for FUZZ_SECONDS (default 60)
	@tools/install_packages.sh test
	@$(call build,fuzz,fuzz_targets)
	@tools/run_fuzz.sh build/fuzz $(FUZZ_SECONDS)

format: ## lay out all C sources with clang-format 14, and wrap wide comments
	@tools/install_packages.sh test
	@tools/wrap_comments.py
	@tools/check_format.sh --fix

clean: ## remove everything that was built
	rm -rf build

help: ## this list
	@sed -n 's/^\([a-z-]*\):.* ## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 18
