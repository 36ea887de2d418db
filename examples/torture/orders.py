"""Orders in SQLite.

orders.py DIR            right: each commit is synced
orders.py DIR careless   wrong: the operating system may write later, in any order
"""
import pathlib
import sqlite3
import sys

careless = sys.argv[2:] == ["careless"]
db = sqlite3.connect(pathlib.Path(sys.argv[1], "orders.db"))
db.execute("PRAGMA journal_mode = WAL")
db.execute(f"PRAGMA synchronous = {'OFF' if careless else 'FULL'}")
db.execute("CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, text TEXT)")
(last,) = db.execute("SELECT coalesce(max(id), 0) FROM orders").fetchone()
for number in range(last + 1, last + 100_000):
    with db:
        db.execute("INSERT INTO orders VALUES (?, ?)", (number, f"order {number}"))
    print(number, flush=True)  # acknowledged
