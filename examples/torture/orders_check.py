"""Every acknowledged order is there, and the file is sound."""
import pathlib
import sqlite3
import sys

acknowledged = {int(line) for line in sys.stdin}
try:
    db = sqlite3.connect(pathlib.Path(sys.argv[1], "orders.db"))
    (sound,) = db.execute("PRAGMA integrity_check").fetchone()
    db.execute("CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, text TEXT)")
    found = {number for (number,) in db.execute("SELECT id FROM orders")}
except sqlite3.DatabaseError as error:
    sys.exit(f"the orders cannot be read: {error}")  # code 1
missing = sorted(acknowledged - found)
if sound != "ok" or missing:
    sys.exit(f"integrity: {sound}; {len(missing)} acknowledged orders are missing: {missing[:5]}")
