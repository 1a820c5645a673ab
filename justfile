# `npx --yes rust-just RECIPE` runs a recipe and needs only Node. With `just` installed, `just RECIPE` does the same.

set shell := ["bash", "-euo", "pipefail", "-c"]

# The folder for the files of tests. It is in memory if 4 GiB are free there: a test with PostgreSQL then takes two thirds
# of the time.
test-folder := `free=$(df --output=avail -k /dev/shm 2>/dev/null | tail -1 || true); if [ "${free:-0}" -gt 4194304 ]; then echo /dev/shm; else echo "${TMPDIR:-/tmp}"; fi`

# Debug builds always build the whole workspace. If one package were built alone, its dependencies would get other
# features, and cargo would build most of the dependencies a second time.

# Lists the recipes.
default:
    @just --list

# Builds everything and serves on 127.0.0.1:8080 with the embedded database.
run *ARGS: build
    target/release/bolts serve {{ ARGS }}

# Builds target/release/bolts with the web pages.
build: ui
    cargo build --release --locked -p bolts

# Builds the web pages into frontend/dist, if a source is newer than the last build.
ui: node-modules
    #!/usr/bin/env bash
    set -euo pipefail
    cd frontend
    built=node_modules/.cache/pages-built
    if [ -e dist/index.html ] && [ -e "$built" ]; then
        newer=$(find src scripts package-lock.json tsconfig.json webpack.config.js -newer "$built" -print -quit)
        [ -n "$newer" ] || exit 0
    fi
    # The time of the start counts, so that a change during the build causes another build.
    mkdir -p "$(dirname "$built")" && touch "$built.new"
    npm run --silent build
    mv "$built.new" "$built"

# Runs all tests: Rust, TypeScript, end to end in a real Chromium, with a generated client, and with a real model server.
test: chromium ui code-tests served-tests

# Runs the TypeScript tests beside the first Rust tests, which wait for much of their time. They end long before the tests
# that measure time.
[parallel]
[private]
code-tests: test-rust test-ui

# Runs the short tests with other servers, clients and PostgreSQL beside the end-to-end tests, because they wait for most
# of their time.
[parallel]
[private]
served-tests: e2e e2e-postgres client-test webhook-test otlp-test model-test

# Runs only the Rust tests, on SQLite and PostgreSQL, and with a real LNbits. The tests start PostgreSQL and LNbits.
test-rust *ARGS: postgres lnbits bolt11
    #!/usr/bin/env bash
    set -euo pipefail
    export TMPDIR="{{ test-folder }}"
    set -- {{ ARGS }}
    if cargo nextest --version >/dev/null 2>&1; then exec cargo nextest run --locked --workspace "$@"; fi
    if [ $# -gt 0 ]; then exec cargo test --locked --workspace "$@"; fi
    # Without nextest too, the tests that measure time or load the machine run alone and last (.config/nextest.toml).
    alone="load:: writers:: sixty_four_writers alike:: what_changes_reaches_open_pages a_sign_out_on_one_ends changes_on_one_process_reach"
    cargo test --locked --workspace -- $(printf -- '--skip %s ' $alone)
    cargo test --locked --workspace -- --test-threads=1 $alone

# Runs only the TypeScript tests.
test-ui: node-modules
    cd frontend && npm test --silent

# Runs the end-to-end tests in a real browser with the debug binary.
e2e *ARGS: chromium ui
    cargo build --locked --workspace --bins
    cd frontend && TMPDIR="{{ test-folder }}" BOLTS_BIN="$PWD/../target/debug/bolts" npm run --silent e2e -- {{ ARGS }}

# Runs the three main end-to-end tests on PostgreSQL.
e2e-postgres: chromium ui postgres
    cargo build --locked --workspace --bins --example postgres
    cd frontend && TMPDIR="{{ test-folder }}" BOLTS_BIN="$PWD/../target/debug/bolts" BOLTS_E2E_POSTGRES="$PWD/../target/debug/examples/postgres" npm run --silent e2e -- --output test-results-postgres main-job private-bet expiry

# Shows every screen, role and state in both themes, checks each page with axe, and saves pictures 1280 and 390 px wide. Takes half an hour.
screens *ARGS: chromium ui
    cargo build --locked --workspace --bins
    rm -rf frontend/screens
    cd frontend && BOLTS_BIN="$PWD/../target/debug/bolts" SCREENS=full npm run --silent e2e -- e2e/screens.spec.ts e2e/moments.spec.ts {{ ARGS }}
    @echo "The pictures are in frontend/screens, a folder for each theme and width."

# Compares the pages with their limits: file sizes, then Lighthouse with its phone profile (median of three loads). Takes five minutes on a machine without other load.
ui-bars: chromium ui
    cd frontend && npm run --silent bars
    cargo build --locked --workspace --bins
    cd frontend/lighthouse && if [ package-lock.json -nt node_modules/.package-lock.json ]; then npm ci --no-audit --no-fund; fi
    cd frontend/lighthouse && BOLTS_BIN="$PWD/../../target/debug/bolts" node ui-bars.mjs

# Checks format, lints and types, the dependencies between crates, and that the generated files are up to date.
check: node-modules
    cargo fmt --all --check
    cargo clippy --locked --workspace --all-targets -- -D warnings
    cargo test --locked --quiet -p bolts-testkit --test it dependencies
    cd frontend && npm run --silent typecheck && npm run --silent lint
    cargo build --locked --quiet --workspace --example openapi
    target/debug/examples/openapi | diff -u frontend/openapi.json - || { echo "frontend/openapi.json is stale: run 'just api'"; exit 1; }
    old=$(mktemp); trap 'rm -f "$old"' EXIT; cd frontend; cp src/api/schema.d.ts "$old"; npm run --silent api:types >/dev/null; diff -u "$old" src/api/schema.d.ts || { echo "src/api/schema.d.ts was stale and is written anew"; exit 1; }

# Writes the OpenAPI document and the TypeScript types that come from it.
api: node-modules
    cargo build --locked --quiet --workspace --example openapi
    target/debug/examples/openapi > target/openapi.json
    mv target/openapi.json frontend/openapi.json
    cd frontend && npm run --silent api:types

# Runs the API and the webpack dev server. Both reload after a change. The pages are on http://127.0.0.1:8081.
dev: node-modules
    #!/usr/bin/env bash
    set -euo pipefail
    trap 'kill 0' EXIT
    (cd frontend && npm run --silent dev) &
    # Prints a source file that changed after the last build started. The loop below then restarts the API.
    sources() { find crates migrations Cargo.toml -type f -newer target/.dev-stamp 2>/dev/null | head -1; }
    mkdir -p target
    while true; do
        touch target/.dev-stamp
        cargo build --workspace --bins && { target/debug/bolts serve & api=$!; } || api=
        until [ -n "$(sources)" ]; do sleep 1; done
        [ -z "$api" ] || { kill "$api" && wait "$api" || true; }
    done

# Runs the property tests of the domain crates with many cases: `just prop CASES=100000`.
prop *ARGS:
    cases=10000; for arg in {{ ARGS }}; do case "$arg" in CASES=*) cases="${arg#CASES=}";; *) cases="$arg";; esac; done; \
    PROPTEST_CASES="$cases" cargo test --locked --release -p bolts-kernel -p bolts-bets -p bolts-resolution -p bolts-ledger -p bolts-wallet -p bolts-achievements -- --nocapture

# Compares the product with its model, by random sequences of actions on every store and over HTTP: `just model CASES=10000 STEPS=100` runs a long form, `just model CASES=1 SEED=…` repeats a sequence.
model *ARGS: postgres
    #!/usr/bin/env bash
    set -euo pipefail
    export BOLTS_MODEL_SEED=$((RANDOM << 15 | RANDOM))
    for arg in {{ ARGS }}; do case "$arg" in
        CASES=*) export BOLTS_MODEL_CASES="${arg#CASES=}";;
        STEPS=*) export BOLTS_MODEL_STEPS="${arg#STEPS=}";;
        SEED=*) BOLTS_MODEL_SEED="${arg#SEED=}";;
        *) echo "model takes CASES=, STEPS= and SEED=" >&2; exit 2;;
    esac; done
    cargo test --locked --workspace --test prove -- --nocapture model::

# Simulates two weeks of a site with faults, then twelve quiet days, once for each seed: `just simulate SEEDS=1000`, `just simulate SEED=…` repeats one.
simulate *ARGS:
    #!/usr/bin/env bash
    set -euo pipefail
    export BOLTS_SIMULATE_SEED=$((RANDOM << 15 | RANDOM))
    for arg in {{ ARGS }}; do case "$arg" in
        SEEDS=*) export BOLTS_SIMULATE_SEEDS="${arg#SEEDS=}";;
        SEED=*) BOLTS_SIMULATE_SEED="${arg#SEED=}"; export BOLTS_SIMULATE_SEEDS=1;;
        *) echo "simulate takes SEEDS= or SEED=" >&2; exit 2;;
    esac; done
    cargo test --locked --workspace --test prove -- --nocapture simulation::

# Compares the API with its OpenAPI document by schemathesis: `just api-test EXAMPLES=500` tries more examples, `SEED=… just api-test` tries other examples.
api-test *ARGS:
    #!/usr/bin/env bash
    set -euo pipefail
    examples=100; for arg in {{ ARGS }}; do case "$arg" in EXAMPLES=*) examples="${arg#EXAMPLES=}";; *) examples="$arg";; esac; done
    cargo build --locked --workspace --bins
    {{ just_executable() }} --justfile "{{ justfile() }}" python-packages api
    target/api-test/bin/python -B crates/app/tests/api/run.py target/debug/bolts "$examples"

# Tests ideas with a real OpenAI-compatible server: the proxy of LiteLLM. After its installation, the test needs no model and no network.
model-test: (python-packages "model")
    cargo build --locked --workspace --bins
    target/model-test/bin/python -B crates/app/tests/model/run.py target/debug/bolts

# Builds a release and packs it: a tarball and a Debian package in target/dist, with the same bytes for the same commit (docs/operations.md#releases).
dist *ARGS: ui
    BOLTS_COMMIT="$(git describe --always --abbrev=12 --dirty=-changed --exclude='*' 2>/dev/null || true)" cargo build --release --locked -p bolts
    python3 -B packaging/pack.py --binary target/release/bolts --out target/dist {{ ARGS }}

# Packs the debug binary, installs and upgrades the Debian package, and runs the steps of the Containerfile. Needs Debian and root, and changes nothing on the machine.
package-test:
    cargo build --locked --workspace --bins
    python3 -B packaging/test.py target/debug/bolts

# Writes the example of a configuration file from the definitions of the options.
config-example:
    cargo build --locked --quiet --workspace --bins
    target/debug/bolts config example > packaging/bolts.toml

# Keeps small databases of this version for the test of upgrades: once for each release, with the release binary.
released: build postgres
    cargo build --locked --workspace --example postgres
    python3 -B packaging/released.py target/release/bolts target/debug/examples/postgres

# Makes the pictures of the README from the demo, in both themes.
readme-pictures: chromium ui
    cargo build --locked --workspace --bins
    cd frontend && BOLTS_BIN="$PWD/../target/debug/bolts" PICTURES=write npm run --silent e2e -- readme-pictures

# Validates the OpenAPI document, generates a client from it, and plays a bet to its end with this client. Validator and generator are from PyPI.
client-test: (python-packages "client")
    cargo build --locked --workspace --bins
    target/client-test/bin/python -B crates/app/tests/client/journey.py target/debug/bolts

# Verifies the signatures of webhooks with the library standardwebhooks from PyPI.
webhook-test: (python-packages "webhook")
    cargo build --locked --workspace --bins
    target/webhook-test/bin/python -B crates/app/tests/webhook/run.py target/debug/bolts

# Sends traces to a real OpenTelemetry collector, rotel from PyPI, on SQLite and PostgreSQL.
otlp-test: postgres libpython
    cargo build --locked --workspace --bins --example postgres
    target/otlp-test/bin/python -B crates/app/tests/otlp/run.py target/debug/bolts target/debug/examples/postgres

# The collector needs Python as a library. Debian has it in a package of its own.
[private]
libpython: (python-packages "otlp")
    #!/usr/bin/env bash
    set -euo pipefail
    ldd target/otlp-test/lib/python3*/site-packages/rotel/rotel-agent 2>/dev/null | grep "libpython.*not found" >/dev/null || exit 0
    version=$(target/otlp-test/bin/python -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    {{ just_executable() }} --justfile "{{ justfile() }}" debian "libpython$version" && exit 0
    echo "The test of traces needs Python as a shared library: install it by your system's package manager." >&2
    exit 1

# Tests the example configurations of Caddy and nginx, each before two processes on one PostgreSQL, with restarts and kills under load: `just proxy-test ROUNDS=10 nginx` does more of them with one proxy.
proxy-test *ARGS: ui postgres proxies (python-packages "proxy")
    #!/usr/bin/env bash
    set -euo pipefail
    rounds=3; names=
    for arg in {{ ARGS }}; do case "$arg" in
        ROUNDS=*) rounds="${arg#ROUNDS=}";;
        caddy | nginx) names="$names $arg";;
        *) echo "proxy-test takes ROUNDS=, caddy and nginx" >&2; exit 2;;
    esac; done
    cargo build --locked --workspace --bins
    target/proxy-test/bin/python -B crates/app/tests/proxy/run.py target/debug/bolts "$rounds" $names

# Installs the packages of crates/app/tests/NAME/requirements.txt in target/NAME-test. Installs them again when the list has changed.
[private]
python-packages NAME:
    #!/usr/bin/env bash
    set -euo pipefail
    folder=target/{{ NAME }}-test; wanted=crates/app/tests/{{ NAME }}/requirements.txt
    cmp -s "$wanted" "$folder/installed" && exit 0
    {{ just_executable() }} --justfile "{{ justfile() }}" venv python3 "$folder"
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check -r "$wanted"
    cp "$wanted" "$folder/installed"

# Installs packages of Debian. Fails on other systems.
[no-exit-message]
[private]
debian +PACKAGES:
    #!/usr/bin/env bash
    set -euo pipefail
    command -v apt-get >/dev/null || exit 1
    sudo=""; [ "$(id -u)" = 0 ] || sudo=sudo
    $sudo apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq {{ PACKAGES }}

# Makes an empty virtual environment of this Python in the folder. Debian has the necessary module in a package of its own.
[private]
venv PYTHON FOLDER:
    #!/usr/bin/env bash
    set -euo pipefail
    "{{ PYTHON }}" -c "import ensurepip" 2>/dev/null || {{ just_executable() }} --justfile "{{ justfile() }}" debian python3-venv || true
    rm -rf "{{ FOLDER }}"
    "{{ PYTHON }}" -m venv "{{ FOLDER }}"

# Starts a real LNbits with a wallet for the site and a wallet for a customer. Their sats have no value: `just lnbits-up --port 5000`.
lnbits-up *ARGS: lnbits
    target/lnbits/bin/python -B crates/app/tests/lnbits/network.py up --for-people --data target/lnbits-data {{ ARGS }}

# Installs LNbits from PyPI for the tests and for `lnbits-up`.
[private]
lnbits:
    #!/usr/bin/env bash
    set -euo pipefail
    wanted=crates/app/tests/lnbits/requirements.txt
    cmp -s "$wanted" target/lnbits/installed && exit 0
    for python in python3 python3.12 python3.11 python3.10; do
        "$python" -c 'import sys; sys.exit(not (3, 10) <= sys.version_info < (3, 13))' 2>/dev/null || continue
        {{ just_executable() }} --justfile "{{ justfile() }}" venv "$python" target/lnbits
        target/lnbits/bin/python -m pip install --quiet --disable-pip-version-check -r "$wanted"
        cp "$wanted" target/lnbits/installed
        exit 0
    done
    echo "LNbits needs Python 3.10, 3.11 or 3.12: install one by your system's package manager." >&2
    exit 1

[private]
node-modules:
    cd frontend && if [ package-lock.json -nt node_modules/.package-lock.json ]; then npm ci --no-audit --no-fund; fi

# Finds the system's Chromium for the end-to-end tests. Installs Chromium on Debian if it is missing.
[private]
chromium:
    #!/usr/bin/env bash
    set -euo pipefail
    for name in chromium chromium-browser google-chrome-stable google-chrome; do
        command -v "$name" >/dev/null && exit 0
    done
    if command -v apt-get >/dev/null; then
        sudo=""; [ "$(id -u)" = 0 ] || sudo=sudo
        $sudo apt-get update -qq
        # chromium-headless-shell needs 20 % less CPU time, but not every release of Debian has this package.
        DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq chromium chromium-headless-shell && exit 0
        DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq chromium && exit 0
    fi
    echo "The end-to-end tests need Chromium: install it by your system's package manager." >&2
    exit 1

# Finds the system's PostgreSQL programs, because the tests start PostgreSQL servers. Installs the programs on Debian if they are missing.
[private]
postgres:
    #!/usr/bin/env bash
    set -euo pipefail
    PATH="$PATH:$(printf '%s:' /usr/lib/postgresql/*/bin)"
    command -v initdb >/dev/null && command -v pg_ctl >/dev/null && command -v psql >/dev/null && exit 0
    {{ just_executable() }} --justfile "{{ justfile() }}" debian postgresql && exit 0
    echo "The tests need PostgreSQL: install it by your system's package manager." >&2
    exit 1

# Finds Caddy, nginx, curl and openssl. On Debian, missing proxies are unpacked into target/proxies: an installation would start services.
[private]
proxies:
    #!/usr/bin/env bash
    set -euo pipefail
    folder="$PWD/target/proxies"
    PATH="$PATH:/usr/sbin:$folder/usr/bin:$folder/usr/sbin"
    sudo=""; [ "$(id -u)" = 0 ] || sudo=sudo
    for name in caddy nginx; do
        command -v "$name" >/dev/null && continue
        if ! command -v apt-get >/dev/null; then
            echo "The proxy test needs $name: install it by your system's package manager." >&2
            exit 1
        fi
        mkdir -p "$folder"; cd "$folder"
        # The list of packages may be missing, or too old for the archive.
        apt-get download -qq "$name" 2>/dev/null || { $sudo apt-get update -qq && apt-get download -qq "$name"; }
        dpkg -x "$name"_*.deb . && rm "$name"_*.deb
    done
    command -v curl >/dev/null && command -v openssl >/dev/null && exit 0
    if command -v apt-get >/dev/null; then
        $sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq curl openssl && exit 0
    fi
    echo "The proxy test needs curl and openssl: install them by your system's package manager." >&2
    exit 1

# Installs a decoder of Lightning invoices from PyPI. Tests use it to check the test provider's invoices independently of this project's decoder.
[private]
bolt11:
    #!/usr/bin/env bash
    set -euo pipefail
    wanted="bolt11==2.2.0 bitstring==4.4.0"
    [ "$(cat target/bolt11/installed 2>/dev/null)" = "$wanted" ] && exit 0
    {{ just_executable() }} --justfile "{{ justfile() }}" venv python3 target/bolt11
    target/bolt11/bin/python -m pip install --quiet --disable-pip-version-check $wanted
    echo "$wanted" > target/bolt11/installed

# Measures the speed of the release binary beside its limits and prints a table: `just bench 1 3` measures two rows, `--quick` only tries the bench, `--json FILE` keeps all numbers (docs/performance.md).
bench *ARGS: build wrk postgres lnbits
    cargo build --release --locked -p bolts --example accept_without_http
    python3 -B bench/bench.py {{ ARGS }}

# Finds the load tool of the bench. Installs it on Debian if it is missing.
[private]
wrk:
    #!/usr/bin/env bash
    set -euo pipefail
    command -v wrk >/dev/null && exit 0
    {{ just_executable() }} --justfile "{{ justfile() }}" debian wrk && exit 0
    echo "The bench needs wrk: install it by your system's package manager, or build it from https://github.com/wg/wrk." >&2
    exit 1

# Kills the server, its database and LNbits at random moments under load, and compares the site with the clients' journals: `just crash KILLS=50 DATABASE=postgres`.
crash *ARGS: postgres lnbits
    #!/usr/bin/env bash
    set -euo pipefail
    kills=50; databases="sqlite postgres"
    for arg in {{ ARGS }}; do
        case "$arg" in
            KILLS=*) kills="${arg#KILLS=}" ;;
            DATABASE=sqlite | DATABASE=postgres) databases="${arg#DATABASE=}" ;;
            *) echo "KILLS=number, DATABASE=sqlite or DATABASE=postgres, not $arg" >&2; exit 2 ;;
        esac
    done
    for database in $databases; do
        test=it; [ "$database" = sqlite ] || test=it_pg
        echo "crash on $database"
        BOLTS_KILLS="$kills" cargo test --locked --quiet --workspace --test "$test" -- --exact --nocapture crash::every_acknowledged_effect_survives_a_kill
    done

# Sends random input to the running server and to everything that reads input from outside: `just fuzz CASES=20000`.
fuzz *ARGS: postgres
    cases=20000; for arg in {{ ARGS }}; do case "$arg" in CASES=*) cases="${arg#CASES=}";; *) cases="$arg";; esac; done; \
    PROPTEST_CASES="$cases" cargo test --locked --quiet --workspace --test it --test it_pg -- --nocapture fuzz:: properties:: random_ every_title_that_the_form_accepts

# Takes the primary of a PostgreSQL cluster with Patroni, etcd and HAProxy away under load, and compares the site with the clients' journals: `just ha-test TIMES=20` runs the long form. Needs Debian.
ha-test *ARGS: postgres
    #!/usr/bin/env bash
    set -euo pipefail
    export TIMES=3
    for arg in {{ ARGS }}; do case "$arg" in
        TIMES=*) TIMES="${arg#TIMES=}";;
        SEED=*) export SEED="${arg#SEED=}";;
        *) echo "ha-test takes TIMES= and SEED=" >&2; exit 2;;
    esac; done
    {{ just_executable() }} --justfile "{{ justfile() }}" ha-programs
    cargo build --locked --workspace --bins
    programs="$PWD/target/ha/programs"
    export PYTHONPATH="$programs/usr/lib/python3/dist-packages" PATH="$programs/usr/bin:$programs/usr/sbin:/usr/sbin:/usr/bin:/sbin:/bin"
    export LD_LIBRARY_PATH="$programs/usr/lib/$(uname -m)-linux-gnu"
    # The user of PostgreSQL's programs owns this folder, and may not be able to enter target.
    /usr/bin/python3 -B crates/app/tests/ha/run.py target/debug/bolts "$programs" "$(mktemp -d /tmp/bolts-ha-XXXXXX)"

# Serves one PostgreSQL database with an older version and with this one, under load, and compares it with the clients' journals: `just upgrade-test OLD=COMMIT`. Builds the older version once.
upgrade-test *ARGS: postgres (python-packages "upgrade")
    #!/usr/bin/env bash
    set -euo pipefail
    old=
    for arg in {{ ARGS }}; do case "$arg" in
        OLD=*) old="${arg#OLD=}";;
        *) echo "upgrade-test takes OLD=" >&2; exit 2;;
    esac; done
    commit=$(git rev-parse --verify --quiet "${old:-none}^{commit}") || { echo "upgrade-test needs OLD=, a commit or a tag" >&2; exit 2; }
    kept="target/upgrade/bolts-$commit"
    if [ ! -e "$kept" ]; then
        # The older version shares the target folder, so that most dependencies are not built again. The last build below puts
        # this version's programs back in their place.
        source=$(mktemp -d); trap 'git worktree remove --force "$source"' EXIT
        git worktree add --quiet --detach "$source" "$commit"
        (cd "$source" && CARGO_TARGET_DIR="{{ justfile_directory() }}/target" cargo build --locked --workspace --bins)
        mkdir -p target/upgrade && cp target/debug/bolts "$kept"
    fi
    cargo build --locked --workspace --bins --example postgres
    target/upgrade-test/bin/python -B crates/app/tests/upgrade/run.py "$kept" target/debug/bolts target/debug/examples/postgres

# Unpacks Patroni, etcd and HAProxy from their Debian packages into target/ha, with what they need. Nothing is installed, so no service starts.
[private]
ha-programs:
    #!/usr/bin/env bash
    set -euo pipefail
    [ -e target/ha/programs/done ] && exit 0
    command -v apt-get >/dev/null || { echo "ha-test needs the packages of Debian." >&2; exit 1; }
    rm -rf target/ha && mkdir -p target/ha/programs target/ha/packages
    wanted="patroni etcd-server etcd-client haproxy python3-etcd"
    # The packages themselves, also those that are installed, and the missing ones of the packages that they depend on.
    missing=$(apt-get -s -qq install --no-install-recommends $wanted | awk '$1 == "Inst" { print $2 }')
    (cd target/ha/packages && apt-get download -qq $(printf '%s\n' $wanted $missing | sort -u))
    for package in target/ha/packages/*.deb; do dpkg -x "$package" target/ha/programs; done
    rm -rf target/ha/packages && touch target/ha/programs/done

# Tests mails with Debian's Postfix on SQLite and PostgreSQL: TLS, refusals, kill -9, an outage, and 500 due mails. `just smtp-test MAILS=10000` is the long form, with a release build. Needs Debian and root, and changes nothing on the machine.
smtp-test *ARGS: postgres (unpacked "smtp" "postfix")
    #!/usr/bin/env bash
    set -euo pipefail
    mails=500; binary=target/debug/bolts; build="--workspace --bins"
    for arg in {{ ARGS }}; do case "$arg" in
        MAILS=*) mails="${arg#MAILS=}"; binary=target/release/bolts; build="--release -p bolts";;
        *) echo "smtp-test takes MAILS=" >&2; exit 2;;
    esac; done
    cargo build --locked $build
    python3 -B crates/app/tests/smtp/run.py "$binary" target/smtp/programs "$mails"

# Checks the examples of alert rules and of a dashboard with Debian's promtool: each alert fires when it should, and not before. Needs Debian.
monitoring-test: (unpacked "monitoring" "prometheus")
    python3 -B crates/app/tests/monitoring/run.py target/monitoring/programs/usr/bin/promtool

# Unpacks Debian packages into target/NAME/programs, with what they need and the machine lacks. Nothing is installed, so no service starts.
[private]
unpacked NAME *PACKAGES:
    #!/usr/bin/env bash
    set -euo pipefail
    folder="target/{{ NAME }}"
    [ -e "$folder/programs/done" ] && exit 0
    command -v apt-get >/dev/null || { echo "This test needs the packages of Debian." >&2; exit 1; }
    rm -rf "$folder" && mkdir -p "$folder/programs" "$folder/packages"
    # The packages themselves, also those that are installed, and the missing ones of the libraries that they depend on.
    missing() { apt-get -s -qq install --no-install-recommends {{ PACKAGES }} | awk '$1 == "Inst" && $2 ~ /^lib/ && $2 !~ /^libjs-/ { print $2 }'; }
    wanted=$(missing) || { sudo=""; [ "$(id -u)" = 0 ] || sudo=sudo; $sudo apt-get update -qq; wanted=$(missing); }
    (cd "$folder/packages" && apt-get download -qq $(printf '%s\n' {{ PACKAGES }} $wanted | sort -u))
    for package in "$folder"/packages/*.deb; do dpkg -x "$package" "$folder/programs"; done
    rm -rf "$folder/packages" && touch "$folder/programs/done"

# Checks licenses, duplicates and sources of the Rust crates, and known holes in crates and npm packages where the lists can be fetched.
supply-chain:
    #!/usr/bin/env bash
    set -euo pipefail
    deny() { PATH="$PWD/target/tools/bin:$PATH" cargo deny --locked "$@"; }
    deny --version >/dev/null 2>&1 || cargo install --locked --root target/tools cargo-deny@0.20.2
    deny check licenses bans sources
    # A list that cannot be fetched is not a finding. A hole in a list is.
    if deny fetch db >/dev/null 2>&1; then deny check advisories; else echo "advisories: the list of RustSec cannot be fetched from here"; fi
    said=$(cd frontend && npm audit --omit=dev --package-lock-only 2>&1) && echo "$said" || {
        if grep -q "audit endpoint returned an error" <<<"$said"; then echo "npm audit: the registry does not answer this question"; else echo "$said"; exit 1; fi
    }

# Plants known bugs in a copy of the source, one at a time, and checks that the test of each bug fails: `just planted deposit-credited-twice` plants one.
planted *BUGS:
    python3 -B crates/testkit/planted/run.py {{ BUGS }}

# Changes one expression at a time in the crates that decide about money, and prints each change that no test notices: `just mutants wallet` takes those of files and functions with this word.
mutants *WORDS:
    PATH="$PWD/target/tools/bin:$PATH" cargo mutants --version >/dev/null 2>&1 || cargo install --locked --root target/tools cargo-mutants
    PATH="$PWD/target/tools/bin:$PATH" python3 -B crates/testkit/mutants.py {{ WORDS }}

# Runs every proof of reliability and security for some minutes, and prints a line with figures for each (docs/reliability.md).
prove *NAMES: postgres lnbits bolt11
    python3 -B crates/testkit/prove.py {{ NAMES }}

# Runs the long forms. Takes hours.
prove-long *NAMES: postgres lnbits bolt11
    python3 -B crates/testkit/prove.py --long {{ NAMES }}
