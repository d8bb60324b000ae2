#!/usr/bin/env bash
# Everything measured, one thing after the other: some three minutes on a quiet machine.
# Usage: [PYTHON=python] bash benches/run_all.sh [FOLDER]
# PYTHON has gammon with its extra `bench`, built for release, and the peers of benches/requirements.txt.
# Tables are printed; with a FOLDER, what was measured is also left there as JSON.
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-.venv/bin/python}
folder=${1:-}
core="cargo bench --quiet -p gammon-core --bench movegen --"
[[ -z $folder ]] || mkdir -p "$folder"

show() { echo; echo "=== $*"; }

show "load before: $(cut -d' ' -f1-3 /proc/loadavg 2>/dev/null || uptime)"
show "Rust core"
$core
show "Python calls"
"$python" -m pytest benches --benchmark-only --benchmark-columns=median,iqr,rounds --benchmark-sort=fullname \
    -p no:cacheprovider -q ${folder:+--benchmark-json="$folder/python.json"}
show "a second thread"
"$python" benches/threads.py ${folder:+--save "$folder/threads.json"}
show "peers"
"$python" benches/peers.py --core "$core" ${folder:+--save "$folder/peers.json"}
show "load after: $(cut -d' ' -f1-3 /proc/loadavg 2>/dev/null || uptime)"
