#!/usr/bin/env python3
"""Measures what docs/results shows, most of it twice, and writes README.md from it: some 45 minutes, and an hour for the runs that
must be named; do nothing else meanwhile.
The pictures of the project's README, in docs/img, are those of its first run: its terminal, and its page by chromium.

Usage: docs/results/make.py [NAME …]     (names of runs below; default: all but ONCE. The others' sections stay as they are.)
STADIUM names another command than this checkout's.
"""
import csv, io, json, os, pathlib, re, shutil, statistics, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = pathlib.Path("docs/results")
IMAGES = pathlib.Path("docs/img")
STADIUM = os.environ.get("STADIUM", "./stadium")

# the folder, the heading, the command
RUNS = [
    ("quick", "quick, at `process` and `power`", "bench"),
    ("field", "stores of C, Go, Java and Rust, at `process` and `power`",
     "bench --language java,c,go,rust --engines lmdb,rocksdb,sqlite,leveldb,bbolt,pebble,badger,redb,fjall --budget 5m"),
    ("ycsb-a-process", "YCSB's workload A, at `process`", "bench ycsb-a --durability process --budget 3m"),
    ("ycsb-a-power", "YCSB's workload A, at `power`", "bench ycsb-a --durability power --budget 3m"),
    ("crud-process", "crud, at `process`", "bench crud --durability process --budget 2m"),
    ("crud-power", "crud, at `power`", "bench crud --durability power --budget 2m"),
    ("scale-process", "scale, at `process`", "bench scale --scale 0.05 --durability process --trials 1"),
    ("size", "100,000,000 entries in 4 GiB of memory, at `process`", "bench docs/results/size.toml"),
    ("pressure", "the rate of updates that is held, at `process`", "bench docs/results/pressure.toml"),
    ("serve", "serve beside redis-server", ""),
]
# Runs that are named, and made once. size runs in a control group that the caller has made: "echo 4G >memory.max".
ONCE = {"scale-process", "size", "pressure", "serve"}
SERVED = ["benchmarks/server.sh", "3"]
NOT_COMPARED = {"overall", "create", "open", "close"}
SHOWN_OF_SWEEPS = {"fill random", "read random", "read and update"}


def stadium(*arguments):
    return subprocess.run([STADIUM, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def measure(command, directory, recorder=()):
    shutil.rmtree(directory, ignore_errors=True)
    subprocess.run(
        [*recorder, STADIUM, *command.split(), "--out", str(directory)], check=True, stdout=subprocess.DEVNULL)
    publish(directory)


def publish(directory):
    """Where this checkout is does not belong into a published file."""
    subprocess.run(
        [STADIUM, str(ROOT), str(directory / "results.json")], check=True,
        env=os.environ | {"STADIUM_PROGRAM": "docs/results/Publish.java"})


def screenshot(directory):
    subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1280,955",
         f"--screenshot={IMAGES / 'report.png'}", (ROOT / directory / "report.html").as_uri()],
        check=True, stderr=subprocess.DEVNULL)


def quote(directory):
    """The table of the project's README, which PagesTest compares with the report."""
    lines = stadium("report", str(directory)).splitlines()
    end = next(i for i, line in enumerate(lines) if line.startswith("The fastest of"))
    start = max(i for i in range(end) if lines[i].endswith("trials each.") or lines[i].endswith("trials."))
    table = "\n".join(lines[start + 1 : end]).strip("\n")
    readme = pathlib.Path("README.md")
    before, old, after = re.split(r"^(```\n {20}.*?^```\n)", readme.read_text(), maxsplit=1, flags=re.M | re.S)
    readme.write_text(f"{before}```\n{table}\n```\n{after}")


def how_far(first, second):
    """How much the figures of the second run differ from the first's: in the middle, and the most."""
    rows = csv.DictReader(io.StringIO(stadium("compare", str(first), str(second), "--format", "csv")))
    factors = [
        (float(row["factor"]), row["configuration"], row["phase"], row["verdict"])
        for row in rows
        if row["factor"] and row["measure"] and row["phase"] not in NOT_COMPARED
    ]
    off = sorted((max(f, 1 / f) - 1, configuration, phase) for f, configuration, phase, _ in factors)
    middle = statistics.median(o for o, _, _ in off)
    most, configuration, phase = off[-1]
    differ = sum(verdict in ("slower", "faster") for *_, verdict in factors)
    return (
        f"A second run: half of the {len(off)} figures within {middle:.0%}, the farthest {most:.0%} off "
        f"({configuration}, {phase}); significantly different: {differ}."
    )


def answer(markdown):
    """What a report says of speed: circumstances, and the engine in use, are on its page."""
    blocks = [block.strip() for block in re.sub(r"^### .*$", "", markdown, flags=re.M).split("\n\n")]
    kept = []
    of_interest = True
    for block in filter(None, blocks):
        if block.startswith("|"):  # a sweep has one for each phase, and below it who is fastest
            phase, swept, _ = block[1:].partition(" by ")
            of_interest = not swept or phase.strip() in SHOWN_OF_SWEEPS
        elif block.startswith("- "):
            block = "\n".join(line for line in block.splitlines() if line.startswith("- Overall"))
            of_interest = True
        if of_interest and block and not block.startswith("The fastest of"):
            kept.append(block)
    return "\n\n".join(kept)


def served():
    """What server.sh prints, as a table."""
    printed = subprocess.run(SERVED, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    heads, *rows = [re.split(r" {2,}", line.strip()) for line in printed]
    lines = [["", *heads], ["---", *["--:"] * len(heads)], *rows]
    return "\n".join("| " + " | ".join([*line, *["–"] * (len(heads) + 1 - len(line))]) + " |" for line in lines)


def section(name, heading, command, directory, second):
    if name == "serve":
        return (
            f"## {heading}\n\n`{' '.join(SERVED)}`\n\nRequests per second of redis-server 7.0, and the share of them that `./stadium serve` "
            f"answers on an engine, in turn: redis-benchmark with 50 connections, values of 100 bytes, 100,000 keys, one request at a time "
            f"and 16 in a pipeline. The last two columns: the same beside the library on its own with batches of 16.\n\n{served()}\n"
        )
    text = answer(stadium("report", str(directory), "--format", "markdown"))
    if name == "size":
        text += "\n\nThe kernel reads ahead of LMDB's and Sparkey's page faults, which is of no use here and drives other pages out."
    return (
        f"## {heading}\n\n`./stadium {command}` · [page]({name}/report.html) · [results.json]({name}/results.json)\n\n"
        f"{machine(directory)}\n\n"
        f"{text}\n\n{how_far(directory, second) if second else 'It ran once.'}\n"
    )


def machine(directory):
    found = json.loads((directory / "results.json").read_text())["machine"]
    return (
        f"{found['cpu']}, {found['cores']} virtual processors, {found['memoryBytes'] / 2**30:.1f} GiB of memory, "
        f"{found['fileSystem']} on a virtual disk, {found['system']}, Java {found['java'].split()[-1]}, Stadium 0.1.0."
    )


INTRODUCTION = (
    "<!-- Made by make.py. -->\n\n# Results\n\n"
    "Which engine is fast at what, measured by the commands that are named, and how far off the same "
    "command was when it ran again. Repeat them all with `docs/results/make.py`; compare yours with ours by "
    "`./stadium compare docs/results/quick results/YOURS`. [How to read a table](../methodology.md). A page opens "
    "once it is downloaded; it also says which figures to take with care. "
    "Other machines give other figures and, where engines are close, another order.\n\n"
    "The fastest of each phase shows its figure; ×3: three times slower; \\~: not decided yet.\n"
)


def main():
    os.chdir(ROOT)
    subprocess.run([STADIUM, "--version"], check=True)  # builds it, if necessary
    wanted = sys.argv[1:] or [name for name, *_ in RUNS if name not in ONCE]
    page = HERE / "README.md"
    old = page.read_text().split("\n## ")[1:] if page.exists() else []
    sections = {text.split("\n", 1)[0]: f"## {text.rstrip()}\n" for text in old}
    with tempfile.TemporaryDirectory() as work:
        for name, heading, command in RUNS:
            if name in wanted:
                second = None if name in ONCE else pathlib.Path(work) / name
                if name == "serve":
                    pass  # it leaves no files
                elif name == "quick":
                    measure(command, HERE / name, [IMAGES / "terminal.py", IMAGES / "bench.svg", "./stadium bench"])
                    screenshot(HERE / name)
                    quote(HERE / name)
                else:
                    measure(command, HERE / name)
                if second:
                    measure(command, second)
                sections[heading] = section(name, heading, command, HERE / name, second)
                page.write_text(INTRODUCTION + "".join("\n" + sections[h] for _, h, _ in RUNS if h in sections))
    stadium("report", "--board", str(HERE), "--out", str(HERE / "boards" / "index.html"))


main()
