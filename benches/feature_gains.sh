#!/usr/bin/env bash
# What each group of features brings: fits from scratch, all alike but for the group they are blind to.
# Usage: bash benches/feature_gains.sh FOLDER DATA...    two at a time; interrupted, it goes on where it stopped
# Prints, for each group, the error in equity on positions held out, root mean squared and mean absolute, and how much
# worse than with all groups. The first two lines differ in their seed alone and say what chance does.
set -euo pipefail
folder=$1
shift
data=()
for file in "$@"; do data+=("$(realpath "$file")"); done
mkdir -p "$folder"
cargo build --quiet --release -p gammon-core --example fit
fit=$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/release/examples/fit
cd "$folder"

blind() { # blind NAME SEED: a fit without the group
    local name=$1
    [ -f "$name.net" ] && return
    {
        printf 'seed = %s\nfeatures = "full"\nhidden = 128\nepochs = 2\nhold_out = 50\nequity = 0.5\n' "$2"
        case $name in all*) ;; *) printf 'without = "%s"\n' "$name" ;; esac
    } >"$name.toml"
    "$fit" "$name.toml" "$name.net" "${data[@]}" --checkpoint "$name.checkpoint" --log "$name.csv" >"$name.out" 2>&1
}

groups=(all all-again off pips primes shots home windows trapped outside timing mobility least containment loss twice)
for name in "${groups[@]}"; do
    while [ "$(jobs -rp | wc -l)" -ge 2 ]; do wait -n; done
    blind "$name" "$([ "$name" = all-again ] && echo 78 || echo 77)" &
done
wait
for name in "${groups[@]}"; do # a bare wait says nothing of what failed
    [ -f "$name.net" ] || { echo "feature_gains.sh: the fit $name failed, see $PWD/$name.out" >&2; exit 1; }
done

echo "group,rms,mean,rms worse by %,mean worse by %"
for name in "${groups[@]}"; do tail -n 1 "$name.csv" | sed "s/^/$name,/"; done |
    awk -F, '$1 == "all" { rms = $6; mean = $7 }
        { printf "%s,%.5f,%.5f,%+.1f,%+.1f\n", $1, $6, $7, 100 * ($6 / rms - 1), 100 * ($7 / mean - 1) }'
