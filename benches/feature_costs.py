"""What each group of features costs: `python benches/feature_costs.py [--rounds N]`.

In a copy of the sources the lines that make a group's rows are taken out, and the evaluation of contact
positions is timed (`cargo bench -p gammon-core --bench eval`) with and without them in turn: what is saved
is the cost of finding the group and of adding its rows in the first layer.
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FULL = "rust/core/src/nn/full.rs"
FEATURES = "rust/core/src/nn/features.rs"
PUSH = "rows.push(first + const {{ start({}) }}"

#: For each group the file, the beginning of the code that is taken out, and its end.
GROUPS = {
    "pips": (FEATURES, "    rows.push(base::PIPS[0]", "    sums\n"),
    "primes": (FULL, "            primes_of(", "            let shots"),
    "home": (FULL, "        rows.push(first + home * 3", "        for (i, point)"),
    "windows": (FULL, "        for (i, point) in WINDOWS", "        " + PUSH.format(5)),
    "trapped": (FULL, "        " + PUSH.format(5), "\n        let (mut outside"),
    "outside, timing, mobility": (FULL, "        let (mut outside", "        // How an enemy checker"),
    "least, containment": (FULL, "        // How an enemy checker", "        " + PUSH.format(11)),
    "shots, loss, twice": (FULL, "            let shots = [", "            for (owner, hits)"),
}
#: What has to stand in the place of what is taken out.
INSTEAD = {"shots, loss, twice": "            let shots = [Hits::default(), Hits::default()];\n"}


def without(group: str, text: str) -> str:
    _, first, last = GROUPS[group]
    begin = text.index(first)
    end = text.index(last, begin)
    text = text[:begin] + INSTEAD.get(group, "") + text[end:]
    if group == "shots, loss, twice":
        begin = text.index("        " + PUSH.format(11))
        text = text[:begin] + text[text.index("\n    }\n", begin) + 1 :]
    return text


def built(folder: Path, target: Path) -> Path:
    """Build the benchmark of the sources in `folder` and return the program."""
    command = ["cargo", "bench", "-p", "gammon-core", "--bench", "eval", "--no-run"]
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    found = re.search(r"\((\S*deps/eval-[0-9a-f]+)\)", done.stderr)
    assert found, done.stderr
    return Path(found[1])


def nanoseconds(program: Path) -> float:
    """Time of one evaluation of a contact position on the best instruction set."""
    lines = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
    return min(float(line.split()[3]) for line in lines if line.startswith("contact"))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    programs: dict[str, Path] = {}
    with tempfile.TemporaryDirectory() as work:
        folder, target = Path(work, "sources"), Path(work, "target")
        ignore = shutil.ignore_patterns("target", ".git", ".venv")
        shutil.copytree(ROOT, folder, ignore=ignore)
        for group in ["", *GROUPS]:
            path, original = None, ""
            if group:
                path = folder / GROUPS[group][0]
                original = path.read_text()
                path.write_text(without(group, original))
            kept = Path(work, f"program{len(programs)}")
            shutil.copy(built(folder, target), kept)
            programs[group] = kept
            if path:
                path.write_text(original)
        times: dict[str, list[float]] = {group: [] for group in programs}
        for _ in range(rounds):
            for group, program in programs.items():
                times[group].append(nanoseconds(program))
    whole = statistics.median(times[""])
    print(f"all groups: {whole:.0f} ns, {1e9 / whole:,.0f} a second")
    for group in GROUPS:
        saved = [all_ - less for all_, less in zip(times[""], times[group], strict=True)]
        print(f"{group}: {statistics.median(saved):.0f} ns ({min(saved):.0f} to {max(saved):.0f})")


if __name__ == "__main__":
    main()
