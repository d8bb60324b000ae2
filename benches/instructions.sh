#!/usr/bin/env bash
# Instructions of one expansion of the standard game, here and at an earlier commit, counted by callgrind.
# Usage: bash benches/instructions.sh [COMMIT]    by default the last one before the other games came
set -euo pipefail
cd "$(dirname "$0")/.."

before=${1:-28e1516^}
example=rust/core/examples/expansions.rs
command -v valgrind >/dev/null || { echo "benches/instructions.sh: valgrind is not installed" >&2; exit 1; }

work=$(mktemp -d)
trap 'git worktree remove --force "$work/before" 2>/dev/null; rm -rf "$work"' EXIT
git worktree add --quiet --detach "$work/before" "$before"
cp "$example" "$work/before/$example"

build() { # build FOLDER TARGET: the example, whose path is printed
    (cd "$1" && CARGO_TARGET_DIR=$2 cargo build --quiet --release -p gammon-core --example expansions)
    echo "$2/release/examples/expansions"
}

counted() { # counted BINARY SET PASSES: instructions of the whole run
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$1" "$2" "$3" 2>&1 >/dev/null |
        sed -n 's/.*Collected : //p'
}

old=$(build "$work/before" "$work/target")
new=$(build . "${CARGO_TARGET_DIR:-$PWD/target}")
echo "set        before    after   (instructions an expansion)"
for set in contact mixed doubles race bear-off; do
    units=$("$new" "$set" 1)
    for binary in "$old" "$new"; do
        # What the run does beside expanding is the same in both, and falls out.
        echo "$units $(counted "$binary" "$set" 1) $(counted "$binary" "$set" 3)"
    done | awk -v set="$set" '{ each[NR] = ($3 - $2) / (2 * $1) }
        END { printf "%-10s %6.1f  %7.1f   %+.2f %%\n", set, each[1], each[2], 100 * (each[2] / each[1] - 1) }'
done
