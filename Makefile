# Front door. The work itself is in scripts/, CMakePresets.json and the runners of tests/ and bench/.
JOBS ?= $(shell nproc)
PORT ?= 8000

TARGETS ?= build test

.PHONY: help build run test test-fast test-sanitized test-clients test-worst test-policies test-trust test-gen test-rados fuzz test-crash bench bench-flat bench-rados bench-rados-flat format clean

help:
	@echo 'make run         set up, build, start the server on port $(PORT) with the example designs'
	@echo 'make build       set up and build everything (build/release)'
	@echo 'make test        set up, build, run all tests'
	@echo 'make test-fast   the same without the slow ones: two minutes after a build'
	@echo 'make test-sanitized  all tests under the address, undefined-behaviour and thread sanitizers'
	@echo 'make test-clients  ElectroDB, OneTable, PynamoDB, guregu/dynamo, the Java Enhanced Client, web frameworks against the server, from the network'
	@echo 'make test-worst  the costliest requests there are, against their bounds'
	@echo 'make test-policies  random requests under random policies against an evaluator written from AWS documentation (PAIRS=n SEED=s)'
	@echo 'make test-trust  estimates of 2,000 random models against measurements, and ten planted errors that they must find; for the night (MODELS=n SEED=s)'
	@echo 'make test-terraform  tables by the real AWS provider of Terraform, from the network: a second plan finds no difference'
	@echo 'make test-oracle  random requests compared with DynamoDB Local and dynoxide, from the network (REQUESTS=n SEED=s)'
	@echo 'make test-gen    Go, Java and Rust run, hostile models in all targets, fixtures, strict checks (mypy, ruff, cfn-lint, CDK, …), from the network'
	@echo 'make test-rados  gateways on a throwaway Ceph while clocks, gateways and OSDs fail (ROUNDS=n SEED=s PARTS=... WRITES=n)'
	@echo 'make fuzz        libFuzzer on everything that reads bytes (N=inputs for each)'
	@echo 'make test-crash  200 rounds of kill -9 under load (ROUNDS=n SEED=s to choose; POWER=1: power failures)'
	@echo 'make test-signed  SDKs and clients with signatures verified, from the network'
	@echo 'make bench       Prejoin beside dynalite, nginx and raw RocksDB'
	@echo 'make bench-flat  the same requests on 10 thousand and on 5 million items'
	@echo 'make bench-rados a database on RADOS beside raw librados'
	@echo 'make bench-rados-flat  the same requests on 10 thousand and on 5 million items on RADOS'
	@echo 'make test-bare   make build and make test in a fresh Debian 12 that has nothing but make (TARGETS=... for others; needs root)'
	@echo 'make dist        the static program for any Linux, packed: archive, wheel, npm, images, SBOM (build/packages)'
	@echo 'make dist-arm64  the same for Linux on arm64 (build/packages/arm64)'
	@echo 'make test-arm64  those for arm64, under qemu-user (CASES=... for some conformance cases)'
	@echo 'make test-reproducible  the last commit built once more, in another folder: equal packages (PRESET=dist-arm64 for those)'
	@echo 'make test-dist   those packages in an empty root, a fresh virtual environment and a fresh npm folder, from the network'
	@echo 'make deb         Debian packages of the release build, with RADOS (build/packages/deb)'
	@echo 'make test-deb    those packages: lintian; install, use, upgrade and purge in a fresh Debian 12 (needs root)'
	@echo 'make test-readme the lines under "Install" in README.md, each in a fresh Debian 12, from the network (needs root)'
	@echo 'make audit       every library that the program contains or links, with its version'
	@echo 'make format      clang-format on all C++ files'

build:
	@scripts/setup build
	@cmake --preset release >/dev/null
	@cmake --build build/release -j $(JOBS)

run:
	@scripts/setup build try
	@cmake --preset release >/dev/null
	@cmake --build build/release -j $(JOBS) --target prejoin
	@PORT=$(PORT) scripts/run

# Servers, browsers and a Ceph cluster share two cores here, so a process may miss its deadline beside the others. A test that fails runs once
# more; ctest prints both runs, and a test that fails twice fails the target.
test:
	@scripts/setup build test rados
	@$(MAKE) --no-print-directory build
	@ctest --test-dir build/release -j $(JOBS) --output-on-failure --progress --repeat until-pass:2

test-fast:
	@scripts/setup build test
	@$(MAKE) --no-print-directory build
	@ctest --test-dir build/release -j $(JOBS) --output-on-failure --progress -LE slow

# integration_process measures start time and memory, which a sanitizer multiplies; tidy looks at no program.
test-sanitized:
	@scripts/setup build test
	@for preset in asan tsan; do \
	  cmake --preset $$preset >/dev/null && cmake --build build/$$preset -j $(JOBS) && \
	  ctest --test-dir build/$$preset -j $(JOBS) --output-on-failure --progress -E 'integration_process|tidy|_browser_' || exit 1; \
	done

test-clients: build
	@tests/clients/run $(CLIENTS)
	@tests/clients/first_minutes
	@tests/clients/frameworks/run

test-worst: build
	@tests/worst/run $(WORST)

test-policies: build
	@tests/policies/run --pairs $(or $(PAIRS),100000) --seed $(or $(SEED),1) --table

test-trust: build
	@PREJOIN_RANDOM_ESTIMATES=$(or $(MODELS),2000) PREJOIN_RANDOM_SEED=$(or $(SEED),30000) build/release/tests/model_test --gtest_brief=1 \
	  --gtest_filter='Seeds/EstimatesOfRandomModels.*'
	@tests/trust/planted_errors.py build/release

.PHONY: test-terraform
test-terraform: build
	@tests/terraform/run

.PHONY: test-oracle
test-oracle: build
	@nice tests/oracle/run --requests $(or $(REQUESTS),20000) --seed $(or $(SEED),1)

test-gen: build
	@scripts/setup test gen
	@tests/gen/strict.py build
	@cmake --build build/release --target gen_script
	@for language in python-async go go-structs java java-beans rust; do \
	  GEN_SCRIPT=$(CURDIR)/build/release/tests/gen_script /usr/bin/python3 tests/gen/generated.py $$language || exit 1; done
	@for language in typescript python boto3 python-async go go-structs java java-beans rust; do \
	  GEN_SCRIPT=$(CURDIR)/build/release/tests/gen_script /usr/bin/python3 tests/gen/generated.py $$language --hostile 1-60 || exit 1; done
	@tests/gen/fixtures_test.py node pytest vitest jest go junit
	@tests/gen/hostile_test.py --seeds 1-300 --tools build

test-rados:
	@scripts/setup build rados
	@$(MAKE) --no-print-directory build
	@$(if $(WRITES),WRITES=$(WRITES)) PREJOIN_BINARY=build/release/prejoin tests/rados/run --rounds $(or $(ROUNDS),20) $(if $(SEED),--seed $(SEED)) $(or $(PARTS),all)

fuzz:
	@scripts/setup build check
	@cmake --preset fuzz >/dev/null
	@cmake --build build/fuzz -j $(JOBS) --target fuzz
	@tests/fuzz/run $(N)

test-crash: build
	@tests/crash/run --rounds $(or $(ROUNDS),200) $(if $(SEED),--seed $(SEED)) $(if $(POWER),--power-loss)

.PHONY: test-signed
test-signed: build
	@tests/clients/signed/run $(CLIENTS)

.PHONY: test-bare audit
test-bare:
	@scripts/bare-debian $(TARGETS)

audit: build
	@scripts/audit build/release/prejoin

.PHONY: dist dist-arm64 test-arm64 test-reproducible test-dist deb test-deb test-readme
dist:
	@scripts/setup build dist
	@cmake --preset dist >/dev/null
	@cmake --build build/dist -j $(JOBS) --target prejoin prejoin_shared
	@packaging/dist.py build/dist build/packages

dist-arm64:
	@scripts/setup build dist arm64
	@cmake --preset dist-arm64 >/dev/null
	@cmake --build build/dist-arm64 -j $(JOBS) --target prejoin prejoin_shared
	@packaging/dist.py build/dist-arm64 build/packages/arm64

test-arm64: dist-arm64
	@/usr/bin/python3 tests/packaging/arm64_test.py build/packages/arm64 $(CASES)

test-reproducible: $(or $(PRESET),dist)
	@/usr/bin/python3 tests/packaging/reproducible_test.py build/packages$(if $(filter dist-arm64,$(PRESET)),/arm64) $(or $(PRESET),dist)

test-dist: dist
	@scripts/setup bare images
	@/usr/bin/python3 tests/packaging/dist_test.py build/packages

deb:
	@scripts/setup build rados deb
	@cmake --preset release >/dev/null
	@cmake --build build/release -j $(JOBS) --target prejoin prejoin_shared prejoin_library prejoin_rados
	@packaging/deb.py build/release build/packages/deb

test-deb: deb
	@scripts/setup bare
	@/usr/bin/python3 tests/packaging/deb_test.py build/packages/deb

test-readme: dist deb
	@scripts/setup bare
	@/usr/bin/python3 tests/packaging/readme_test.py

bench: build
	@scripts/setup bench
	@bench/run $(BENCH)

bench-flat: build
	@scripts/setup bench
	@bench/flat $(BENCH)

bench-rados:
	@scripts/setup build bench rados
	@$(MAKE) --no-print-directory build
	@PREJOIN_BINARY=build/release/prejoin bench/rados $(BENCH)

bench-rados-flat:
	@scripts/setup build rados
	@$(MAKE) --no-print-directory build
	@PREJOIN_BINARY=build/release/prejoin bench/rados_flat $(BENCH)

format:
	@scripts/setup check
	@git ls-files '*.cc' '*.h' | xargs clang-format -i

clean:
	@rm -rf build
