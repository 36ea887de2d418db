"""The worker's command: describe, trial, entries, once. See docs/workers.md."""

from __future__ import annotations

import sys

USAGE = "give describe, trial or entries, and see docs/workers.md"


def main() -> None:
    what = sys.argv[1] if len(sys.argv) > 1 else ""
    if what == "once":
        _once(*sys.argv[2:])
        return
    if sys.version_info < (3, 11):
        sys.exit("Python 3.11 or newer is needed, and this is " + sys.version.split()[0])
    # engines may print in any encoding, but the link is UTF-8
    sys.stdin.reconfigure(encoding="utf-8")
    sys.stdout.reconfigure(encoding="utf-8")
    if what == "describe":
        _describe()
    elif what == "trial":
        _trial()
    elif what == "entries":
        _entries()
    else:
        sys.exit(USAGE)


def _describe() -> None:
    from .engines import MODULES, engine
    from .link import Link

    Link().hello([engine(name).declare() for name in sorted(MODULES)])


def _trial() -> None:
    from .link import Link, live_with_parent, read_line
    from .trial import Trial
    from .usage import Collections, Memory

    link, memory = Link(), Memory()
    link.hello()
    plan = read_line()
    live_with_parent(memory)
    Trial(plan, link, memory, Collections()).run()


def _entries() -> None:
    """The first entries of some plans' data in generations 0 and 1, for checks."""
    import itertools

    from .link import Link, read_line
    from .workset import workset

    link = Link()
    link.hello()
    for plan in read_line():
        entries = workset(plan)
        for key, value in itertools.islice(entries.entries(), 20):
            link.send("entry", key=key.hex(), value=value.hex())
        for i in range(min(20, entries.size)):
            link.send("entry", key=entries.key(i).hex(), value=entries.value(i, 1).hex())


def _once(engine_name, directory, options, level, access, key) -> None:
    """What a script that reads one key does."""
    import json

    from .engines import engine

    store = engine(engine_name).open(directory, json.loads(options), level, access, False)
    value = store.get(bytes.fromhex(key))
    store.close()
    sys.stdout.buffer.write(value or b"")
