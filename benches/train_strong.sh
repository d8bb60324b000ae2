#!/usr/bin/env bash
# From nothing to nets like the shipped ones: `bash benches/train_strong.sh FOLDER [THREADS]`. Some eight hours of CPU time, by the logs of such steps.
# Interrupted, it goes on where it stopped. docs/training.md says what each step is for and what it brought.
# SHARE=100 plays a hundredth of the games: poor nets in some minutes, to see that every step works; in a folder of its own.
set -euo pipefail
folder=$1 threads=${2:-2} share=${SHARE:-1}
mkdir -p "$folder"
cargo build --release -p gammon-core --example train --example label --example fit
bin=$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/release/examples
cd "$folder"
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT # what runs beside a step that failed
[ -f share ] || echo "$share" >share
[ "$(cat share)" = "$share" ] ||
    { echo "train_strong.sh: $folder was begun with SHARE=$(cat share): take another folder for $share" >&2; exit 1; }

self_play() { # NAME HIDDEN GAMES RATE SEED
    printf 'seed = %s\ngames = %s\nhidden = %s\nrate_first = %s\nlambda_last = 0.6\n' "$5" "$((${3//_/} / share))" "$2" "$4" >"$1.toml"
    [ -f "$1.net" ] || "$bin/train" "$1.toml" "$1.net" --threads "$threads" --log "$1.csv" --checkpoint "$1.checkpoint"
}
label() { # NAME STRONG QUICK GAMES SEED
    printf 'seed = %s\ngames = %s\nfew = 0.25\nmany = 0.12\nscattered = 0.12\nthrown = 0.1\n' "$5" "$((${4//_/} / share))" >"$1.label.toml"
    "$bin/label" "$1.label.toml" "$1.data" --strong "$2.net" --quick "$3.net" --threads "$threads"
}
equity=0 # share of the error of equity in the loss
fit() { # NAME AFTER FEATURES HIDDEN EPOCHS FIRST LAST SEED DATA...
    local name=$1 after=$2
    printf 'seed = %s\nfeatures = "%s"\nhidden = %s\nepochs = %s\nrate_first = %s\nrate_last = %s\nequity = %s\n' \
        "$8" "$3" "$4" "$5" "$6" "$7" "$equity" >"$name.toml"
    shift 8
    [ -f "$name.net" ] || "$bin/fit" "$name.toml" "$name.net" "$@" --checkpoint "$name.checkpoint" --log "$name.csv" \
        ${after:+--after "$after.checkpoint"}
}
carried() { # NAME STRONG QUICK GAMES SEED SETTINGS: every turn of fewer games, later turns carried back
    printf 'seed = %s\ngames = %s\nkeep = 1.0\nfew = 0.25\n%s\n' "$5" "$(($4 / share))" "$6" >"$1.label.toml"
    "$bin/label" "$1.label.toml" "$1.data" --strong "$2.net" --quick "$3.net" --threads "$threads"
}
carry() { # NAME STRONG QUICK SHARE SEED
    carried "$1" "$2" "$3" 42000 "$5" $'many = 0.12\nscattered = 0.12\nthrown = 0.1\nnoisy = 0.3\nexploration = 0.08\n'"carry = $4"
}
reach() { # NAME STRONG QUICK SEED: to the end of the games, which hardly ever stray from the best plays
    carried "$1" "$2" "$3" 32000 "$4" $'many = 0.2\nscattered = 0.15\nthrown = 0.12\nnoisy = 0.15\nexploration = 0.01\ncarry = 0.99'
}
both() { # N AFTER EPOCHS FIRST LAST DATA...: a strong and a small net, one on each core
    local n=$1 after=$2 epochs=$3 first=$4 last=$5
    shift 5
    fit "strong$n" "${after:+strong$after}" plan 256 "$epochs" "$first" "$last" "1$n" "$@" &
    fit "small$n" "${after:+small$after}" core 128 "$epochs" "$first" "$last" "2$n" "$@"
    wait $!
}

self_play td256 256 1_400_000 2e-3 20261130
self_play td128 128 2_500_000 2.5e-3 20261131
label r1 td256 td128 180_000 201
both 1 "" 3 2e-3 1e-5 r1.data
label r2 strong1 small1 260_000 202
both 2 1 3 1e-3 1e-5 r2.data
for n in 3 4 5 6 7 8 9 10; do # many small rounds: values move about one turn a round
    label "r$n" "strong$((n - 1))" "small$((n - 1))" 60_000 "20$n"
    both "$n" "$((n - 1))" 1 5e-4 1e-4 "r$((n - 1)).data" "r$n.data"
done
label r11 strong10 small10 170_000 211
both 11 10 4 7e-4 5e-6 r6.data r7.data r8.data r9.data r10.data r11.data
label r12 strong11 small11 170_000 212
both 12 11 5 5e-4 3e-6 r11.data r12.data
label r13 strong12 small12 170_000 213
both 13 12 5 5e-4 3e-6 r12.data r13.data
label r14 strong13 small13 170_000 214
fit strong14 strong13 plan 256 5 5e-4 3e-6 114 r13.data r14.data
carry c1 strong14 small13 0.85 801
fit strong15 strong14 plan 256 5 5e-4 3e-6 115 c1.data
latest() { # latest PREFIX N COUNT: the last COUNT files of labels of that kind up to number N
    for ((k = $2 > $3 ? $2 - $3 + 1 : 1; k <= $2; k++)); do echo "$1$k.data"; done
}
carry c2 strong15 small13 0.9 802
for n in 3 4 5 6 7 8 9 10 11 12 13; do # each net is fitted while the one before it labels
    carry "c$n" "strong$((n + 12))" small13 0.9 "$((800 + n))" &
    label=$!
    if [ "$n" -ge 8 ]; then equity=0.7; fi
    fit "strong$((n + 13))" "strong$((n + 12))" plan 256 3 5e-4 3e-6 "$((113 + n))" $(latest c "$((n - 1))" 4)
    wait "$label"
done
fit strong27 strong26 plan 256 4 6e-4 1e-6 127 $(latest c 13 8) &
equity=0.5
fit small27 small13 core 128 4 7e-4 2e-6 227 $(latest c 13 6)
wait $!
equity=0.9
reach d1 strong27 small27 901
for n in 2 3 4 5 6 7 8 9 10; do # labels that reach further take the place of those that do not
    reach "d$n" "strong$((n + 25))" small27 "$((900 + n))" &
    label=$!
    fit "strong$((n + 26))" "strong$((n + 25))" plan 256 2 3e-4 1e-6 "$((126 + n))" \
        $(latest c 13 "$((n < 9 ? 9 - n : 0))") $(latest d "$((n - 1))" 8)
    wait "$label"
done
fit strong37 strong36 plan 256 2 2e-4 5e-7 137 $(latest d 10 10) &
fit small37 small27 core 128 4 5e-4 5e-7 237 $(latest d 10 10)
wait $!
