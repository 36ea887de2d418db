#!/usr/bin/env python3
"""Compares what `stadium advise` takes with the best of an exhaustive search.

Usage: benchmarks/exhaustive.py [budget [suite/phase ...]]

On each trace, made of a phase of a suite, 66 configurations of three engines run once, and advise has its budget (2m).
Then the best four of the search and what advise took run three times more, or the luckiest would win; and the best of
these against what advise took five times more, since to be chosen by its speed makes that speed too good. Goal: advise
has nine tenths of the best one's speed on 9 of 10 traces. A trace takes about 9 minutes.
"""

import itertools
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
PHASES = ["ycsb-a/run", "ycsb-b/run", "ycsb-c/run", "ycsb-d/run", "ycsb-e/run", "ycsb-f/run", "mixgraph/mixgraph",
          "quick/read", "quick/update", "queue/put and take"]
RECORDS, OPERATIONS = 50_000, 200_000
GRID = {
    "rocksdb": {"cache_size": "64m", "bloom_bits_per_key": "10", "block_size": "16k", "compression": "none zstd",
                "write_buffer_size": "256m"},
    "lmdb": {"no_readahead": "true"},
    "sqlite": {"cache_size": "16m", "page_size": "16k", "mmap_size": "64m", "wal_autocheckpoint": "10000"},
}


def configurations():
    for engine, options in GRID.items():
        for chosen in itertools.product(*([None, *values.split()] for values in options.values())):
            yield engine, {name: value for name, value in zip(options, chosen) if value}


def stadium(*arguments):
    return subprocess.run([ROOT / "stadium", *arguments], check=True, stdout=subprocess.PIPE).stdout


def speeds(trace, asked, trials, out):
    """Operations per second of each of the configurations that ran."""
    urls = [f"{engine}:?{urllib.parse.urlencode(options)}" for engine, options in asked]
    stadium("bench", "--trace", trace, "--durability", "process", "--wait-quiet", "0", "--trials", str(trials),
            "--out", out, "--format", "json", "--engines", ",".join(urls))
    results = json.loads((out / "results.json").read_text())
    shutil.rmtree(out)
    found = {}
    for each in results["experiments"][0]["configurations"]:
        rates = [phase["operations"] * 1e9 / phase["nanos"] for trial in each["trials"] if not trial["failure"]
                 for phase in trial["phases"] if phase["name"] == "replay"]
        if rates:
            found[each["plan"]["engine"], frozenset(each["plan"]["options"].items())] = statistics.median(rates)
    return found


def advised(trace, budget, out):
    answer = json.loads(stadium("advise", "--trace", trace, "--durability", "process", "--engines", ",".join(GRID),
                                "--budget", budget, "--json", "--out", out))
    shutil.rmtree(out)
    engine, _, query = answer["url"].partition(":")
    options = dict(urllib.parse.parse_qsl(query.partition("?")[2]))
    options.pop("durability", None)
    return engine, options


def main(budget="2m", *phases):
    java = subprocess.run(["sh", ROOT / "packaging/jdk.sh", "--javac"], check=True, capture_output=True, text=True)
    stadium("--version")
    right = 0
    phases = phases or PHASES
    for phase in phases:
        with tempfile.TemporaryDirectory(dir=ROOT / "target", prefix="exhaustive.") as work:
            trace, out = pathlib.Path(work, "app.trace"), pathlib.Path(work, "out")
            subprocess.run([f"{java.stdout.strip()}/bin/java", "-cp", f"{ROOT}/dist/lib/*",
                            ROOT / "benchmarks/advising/FromSuite.java", *phase.split("/"), str(RECORDS),
                            str(OPERATIONS), trace], check=True)
            once = speeds(trace, list(configurations()), 1, out)
            taken = advised(trace, budget, out)
            best = sorted(once, key=once.get)[-4:]
            own = taken[0], frozenset(taken[1].items())
            again = speeds(trace, [(engine, dict(options)) for engine, options in {*best, own}], 3, out)
            top = max(again, key=again.get)
            last = speeds(trace, [(engine, dict(options)) for engine, options in {top, own}], 5, out)
        share = last.get(own, 0) / last[top]
        right += share >= 0.9
        print(f"{phase}: advise took {taken[0]} {taken[1]}: {share:.2f} of the best of {len(once)}, "
              f"{top[0]} {dict(top[1])}", flush=True)
    print(f"{right} of {len(phases)} within 10 %")


main(*sys.argv[1:])
