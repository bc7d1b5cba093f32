SHELL := /bin/bash
BIN := .venv/bin
UV := scripts/uv
# Offline. Not --quiet: that would hide broken links from --strict.
SITE := NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
PARTS := acceptance integration contract migration web unit
# Where tests are marked `alone`: to collect all others would take as long as to run these.
ALONE := $(addprefix tests/,integration/api integration/chat integration/jobs unit/text)
# A browser's driver, and the linters of image, chart and units.
CI_GROUPS := --group web --group deploy
TESTS := $(wildcard $(addprefix tests/,$(PARTS)))
# Everything named verify-… or bench-… in this file.
named = $(shell sed -n 's/^\($(1)-[a-z0-9-]*\):.*/\1/p' $(firstword $(MAKEFILE_LIST)))

# The programs that tests start shall find what others have compiled.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: eval eval-held-out eval-gate help setup setup-ci dev check texts test test-model test-web screenshots \
	verify verify-crash-recovery verify-start verify-parsers
.PHONY: verify-chaos verify-move verify-backup verify-soak verify-upgrade
.PHONY: verify-filter verify-injection verify-limits verify-erasure verify-rotation bench-encryption verify-overload
.PHONY: verify-working-memory verify-memory verify-ingest bench bench-retrieval bench-search
.PHONY: verify-discord discord-transcript verify-api verify-authorisation verify-responsive bench-extraction verify-stalls
.PHONY: sbom audit test-deploy verify-install verify-small-machine bench-load docs release clean

help: ## What can be done here
	@sed -n 's/^\([a-z0-9-]*\):[^#]*## \(.*\)/\1\t\2/p' $(firstword $(MAKEFILE_LIST)) \
		| while IFS=$$'\t' read -r name text; do printf '  %-14s %s\n' "$$name" "$$text"; done

setup: ## Make the environment in .venv from uv.lock; uv itself too, where it is missing
	UV_COMPILE_BYTECODE=1 $(UV) sync --locked --all-extras

setup-ci: ## The same with a driver for Chromium and the linters of deploy/, as .ci/run has it
	UV_COMPILE_BYTECODE=1 $(UV) sync --locked --all-extras $(CI_GROUPS)

.venv:
	@$(MAKE) --no-print-directory setup

dev: | .venv ## Run Saegim with its own Postgres and Valkey
	$(BIN)/saegim dev

check: | .venv ## Lint, format, types, import order, generated pages, docs site, lock; reports lengths
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	PYRIGHT_PYTHON_GLOBAL_NODE=0 $(BIN)/pyright
	$(BIN)/lint-imports
	$(BIN)/python scripts/requirements.py --check
	$(BIN)/python scripts/texts.py --check
	$(BIN)/python scripts/cli_docs.py --check
	$(BIN)/python scripts/api_docs.py --check
	$(BIN)/python scripts/table_diagram.py --check
	$(BIN)/python scripts/typescript_types.py --check
	$(SITE)
	$(UV) lock --check
	$(BIN)/python scripts/check_lengths.py
	$(BIN)/python scripts/names.py

texts: | .venv ## Extract the texts for users into the Korean catalogue
	$(BIN)/python scripts/texts.py

test: | .venv ## Unit, integration, contract, acceptance and migration tests; pages, where there is Chromium
	$(BIN)/pytest --durations=10 -rs -n 3 --dist loadfile --no-loadscope-reorder -m "not long and not alone" $(TESTS)
	$(BIN)/pytest --durations=3 -m "alone and not long" $(ALONE)

test-long: | .venv ## Backups, a tenant's move, the low profile; and what tests do in part, in whole
	SAEGIM_FULL_TESTS=1 $(BIN)/pytest -m "long or sized" $(TESTS)

test-model: ## Turns through a real local model over HTTP
	$(UV) sync --locked --all-extras --group model
	$(BIN)/pytest -m model --durations=5 tests/model

test-web: ## The pages in Chromium: skipped, with a word, where there is none
	$(UV) sync --locked --all-extras $(CI_GROUPS)
	$(BIN)/pytest --durations=10 -n 2 --dist loadfile tests/web

# What deploy/install.sh installs.
SHIPPED := --locked --no-default-groups --extra mcp --extra otel --extra parsers

sbom: ## The software bill of materials of what is shipped (CycloneDX), from uv.lock alone
	@mkdir -p build
	$(UV) export --quiet --offline $(SHIPPED) --format cyclonedx1.5 --output-file build/sbom.cdx.json
	@echo build/sbom.cdx.json

audit: ## Known vulnerabilities of what uv.lock pins (asks osv.dev)
	$(UV) audit --locked

test-deploy: ## Image, compose file, chart and units by their own tools
	$(UV) sync --locked --all-extras $(CI_GROUPS)
	$(BIN)/pytest tests/unit/deploy

screenshots: ## Every page in both languages, light, dark and phone, into build/screenshots
	$(UV) sync --locked --all-extras --group web
	SAEGIM_SCREENSHOTS=build/screenshots $(BIN)/pytest tests/web/screenshots.py

verify: $(call named,verify) ## What takes longer than CI may: every verify-… of this file
	@echo "verified: $(or $(strip $^),there is no verify-… yet)"

verify-start: | .venv ## `saegim dev` without a network is ready in 40 s at first, then in 15 s
	$(BIN)/pytest -m long tests/acceptance/dev/test_offline.py

verify-crash-recovery: | .venv ## 500 turns from 20 clients while 70 processes are killed
	$(BIN)/python -m benchmarks.durable

verify-chaos: | .venv ## 20 minutes of kills, stops, full disks, partitions and a failing provider
	$(BIN)/python -m benchmarks.chaos

verify-move: | .venv ## 50,000 turns and 10,000 memories move to another cell under load, killed half way
	$(BIN)/python -m benchmarks.move

verify-backup: | .venv ## A backup under load, restored: 500 recalls and searches; standby; point in time
	$(BIN)/python -m benchmarks.backup

verify-upgrade: | .venv ## The last release talks on while the schema moves, and beside today's code
	$(BIN)/python -m benchmarks.upgrade

verify-soak: | .venv ## Half an hour of mixed work: memory, connections, files, tables and lag stay bounded
	$(BIN)/python -m benchmarks.soak

verify-working-memory: | .venv ## 1,000 turns, 40 lossy folds, 30 kills inside folds; draws the chart
	$(BIN)/python -m benchmarks.working_memory

verify-install: | .venv ## The image's steps into a bare environment, up to a served turn; states the size
	$(BIN)/python -m benchmarks.install

verify-small-machine: | .venv ## The preset low: 100 turns over 5,000 passages within 2 GB and 5 GB of disk
	$(BIN)/python -m benchmarks.low

verify-erasure: | .venv ## 20 people, two erased while all talk; every byte on disk is searched
	$(BIN)/python -m benchmarks.erasure

verify-filter: | .venv ## 20,000 generated attacks through the answer filter, rendered in Chromium and by markdown-it
	$(UV) sync --locked --all-extras --group web
	$(BIN)/python -m benchmarks.filter

verify-injection: | .venv ## Attacks by documents, titles, memories, tools and models over API, pages and widget
	$(UV) sync --locked --all-extras --group web
	$(BIN)/python -m benchmarks.injection

verify-rotation: | .venv ## 10,000 records sealed anew under load; no read may fail
	$(BIN)/python -m benchmarks.rotation

bench-encryption: | .venv ## Turns and recall with sealing and without, in one run
	$(BIN)/python -m benchmarks.encryption

verify-limits: | .venv ## 200 concurrent requests to two API processes, with Redis and without
	$(BIN)/python -m benchmarks.limits

verify-overload: | .venv ## 200 and 1,000 parallel requests of one member; another tenant's turns and health
	$(BIN)/python -m benchmarks.overload

verify-memory: | .venv ## 500 turns with a lossy summarizer, then 100 questions; 200 turns replayed ten times
	$(BIN)/python -m benchmarks.verify_memory
	SAEGIM_FULL_TESTS=1 $(BIN)/pytest tests/integration/memory/test_replay.py

verify-parsers: | .venv ## 200 hostile files against the parser sandbox
	$(BIN)/python -m benchmarks.verify_parsers

verify-api: | .venv ## 10,000 requests by the OpenAPI document with two keys, 10,000 hostile ones
	$(BIN)/python -m benchmarks.api

verify-authorisation: | .venv ## Every credential against every operation: 0 escalations; planted holes are found
	SAEGIM_FULL_TESTS=1 $(BIN)/pytest -n 0 tests/acceptance/test_authorisation.py

verify-responsive: | .venv ## /health/live while 50 chats stream, until 100 MB of documents are sent
	$(BIN)/python -m benchmarks.responsive

verify-stalls: | .venv ## The heaviest legal request of every operation; none may hold the API's loop for 100 ms
	$(BIN)/python -m benchmarks.stalls

verify-ingest: | .venv ## 100,000 passages come in while the worker is killed three times
	$(BIN)/python -m benchmarks.library.verify_ingest

verify-discord: | .venv ## A turn of 60 s with heartbeats kept, 100 mentions at once, a gateway that restarts
	$(BIN)/python -m benchmarks.discord

discord-transcript: | .venv ## Holds a conversation with the bot and draws docs/images/discord.svg
	$(BIN)/python -m benchmarks.discord.transcript

bench-rebuild: | .venv ## 50,000 passages into a new index, as it is built and in other ways
	$(BIN)/python -m benchmarks.rebuild

bench: $(call named,bench) ## Every bench-… of this file
	@echo "measured: $(or $(strip $^),there is no bench-… yet)"

bench-retrieval: | .venv ## The retrieval sets of SAEGIM_BENCH_DATA through ingest and search
	$(BIN)/python -m benchmarks.library.retrieval

bench-search: | .venv ## search_all at 10,000, 100,000 and 1,000,000 passages; draws the chart
	$(BIN)/python -m benchmarks.library.search

bench-extraction: | .venv ## The twin's precision and recall on the labelled utterances
	$(BIN)/python -m benchmarks.extraction

bench-memory: | .venv ## LoCoMo through write and recall; how long a recall takes at 1k, 10k, 100k
	$(BIN)/python -m benchmarks.memory

bench-mem0: ## Recall next to mem0 on the same Postgres
	$(UV) sync --locked --all-extras --group peers
	$(BIN)/python -m benchmarks.memory.peers

bench-load: | .venv ## Conversations against API and worker to saturation; what a turn takes, for saegim plan
	$(BIN)/python -m benchmarks.load

bench-turn: | .venv ## A turn without model time, multi-turn questions, when it abstains
	$(BIN)/python -m benchmarks.turn

eval: | .venv ## Everything that is evaluated offline, stored, and reported in build/evaluation
	$(BIN)/python -m benchmarks.evaluation

eval-held-out: | .venv ## The same, with the half of the questions that nothing is decided on
	$(BIN)/python -m benchmarks.evaluation --held-out

eval-gate: | .venv ## The same against the pinned figures; fails where one fell by more than its noise
	$(BIN)/python -m benchmarks.evaluation --gate

docs: | .venv ## Write the generated pages and build the site in build/site; fails on broken links
	$(BIN)/python scripts/requirements.py
	$(BIN)/python scripts/cli_docs.py
	$(BIN)/python scripts/api_docs.py
	$(BIN)/python scripts/table_diagram.py
	$(BIN)/python scripts/typescript_types.py
	$(SITE)

release: | .venv ## Check, build, keep the schema, commit and tag: make release VERSION=1.2.3
	$(BIN)/python scripts/release.py "$(VERSION)"

clean: ## Remove what was built, not the environment nor the data of `make dev`
	rm -rf dist build .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests scripts benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
