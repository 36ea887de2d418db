#!/usr/bin/env python3
"""How far runs of `stadium bench` are from each other, with trials in slices and in rounds.

Usage: benchmarks/slices.py [RUNS] [arguments of bench, such as --budget 3m --engines lmdb,rocksdb]

Runs it RUNS times (default: 2) in each way, alternately, and prints for both how far two runs one after the
other are apart, how far the trials within a run are, and for which engines and phases the ways disagree.
"""
import itertools
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

HOME = pathlib.Path(__file__).resolve().parent.parent
WAYS = ("slices", "rounds")
OVERALL = "- Overall"


def rates(results):
    """Logarithms of operations per nanosecond: (engine, phase) -> one per trial."""
    cells = {}
    for experiment in results["experiments"]:
        for configuration in experiment["configurations"]:
            for trial in configuration["trials"]:
                for phase in trial["phases"]:
                    if trial["failure"] is None and phase["operations"] > 1:
                        cell = (configuration["title"], phase["name"])
                        cells.setdefault(cell, []).append(math.log(phase["operations"] / phase["nanos"]))
    return cells


def run(way, number, arguments, work):
    out = work / f"{way}-{number}"
    command = [str(HOME / "stadium"), "bench", *(["--slices"] if way == "slices" else []), "--seed", str(number), "--out", str(out), *arguments]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    results = json.loads((out / "results.json").read_text())
    lines = printed.splitlines()
    begin = next((i for i, line in enumerate(lines) if line.startswith(OVERALL)), len(lines))
    said = lines[begin : begin + 1] + list(itertools.takewhile(lambda each: each.startswith("  "), lines[begin + 1 :]))
    print(f"{way}, run {number}, {results['seconds']:.0f} s: {' '.join(each.strip() for each in said)}", flush=True)
    return rates(results)


def percent(log):
    return f"{100 * math.expm1(log):.0f} %"


def quantile(values, level):
    values = sorted(values)
    return values[min(len(values) - 1, int(level * len(values)))]


def means(cells):
    return {cell: statistics.fmean(values) for cell, values in cells.items()}


def relative(run_means):
    """Each engine's figure to the mean of all engines in the phase."""
    phases = {}
    for (engine, phase), value in run_means.items():
        phases.setdefault(phase, []).append(value)
    return {cell: value - statistics.fmean(phases[cell[1]]) for cell, value in run_means.items()}


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    arguments = sys.argv[2:]
    measured = {way: [] for way in WAYS}
    (HOME / "target").mkdir(exist_ok=True)
    work = pathlib.Path(tempfile.mkdtemp(prefix="slices.", dir=HOME / "target"))
    for number in range(1, runs + 1):
        for way in WAYS if number % 2 else reversed(WAYS):
            measured[way].append(run(way, number, arguments, work))
    for way in WAYS:
        within = [max(v) - min(v) for cells in measured[way] for v in cells.values() if len(v) > 1]
        print(f"{way}: trials of a figure within {percent(statistics.median(within))} in the median,"
              f" {percent(quantile(within, 0.9))} in nine of ten")
        for name, figures in (("figures", means), ("ratios", lambda cells: relative(means(cells)))):
            apart = [
                abs(one[cell] - other[cell])
                for one, other in itertools.pairwise(map(figures, measured[way]))
                for cell in one.keys() & other.keys()
            ]
            if apart:
                print(f"  two runs: half of {len(apart)} {name} within {percent(statistics.median(apart))},"
                      f" nine tenths within {percent(quantile(apart, 0.9))}, worst {percent(max(apart))}")
    ratios = {way: [relative(means(cells)) for cells in measured[way]] for way in WAYS}
    differences = []
    for cell in set.intersection(*(set(each) for way in WAYS for each in ratios[way])):
        each = {way: [one[cell] for one in ratios[way]] for way in WAYS}
        noise = max(statistics.pstdev(values) for values in each.values()) if runs > 1 else 0
        differences.append((statistics.fmean(each[WAYS[0]]) - statistics.fmean(each[WAYS[1]]), noise, cell))
    print(f"slices to rounds: half of {len(differences)} ratios within"
          f" {percent(statistics.median(abs(each[0]) for each in differences))}; the largest differences:")
    for difference, noise, (engine, phase) in sorted(differences, key=lambda each: -abs(each[0]))[:8]:
        print(f"  {engine}, {phase}: {'+' if difference > 0 else ''}{percent(difference)}"
              f" (runs of one way scatter by {percent(noise)})")
    print(f"results: {work}")


main()
