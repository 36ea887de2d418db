#!/usr/bin/env bash
# RocksDB through Stadium against RocksDB's own db_bench, in turns.
# Usage: benchmarks/db_bench.sh [rounds]; needs db_bench (Debian: rocksdb-tools). Takes about 20 s a round.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

rounds=${1:-5}
if ! command -v db_bench >/dev/null; then
  echo "db_bench is missing: install RocksDB's tools (Debian: apt-get install rocksdb-tools)" >&2
  exit 2
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/db_bench.XXXXXX")
trap 'rm -rf "$work"' EXIT

# What db_bench prints: "readrandom   :       1.234 micros/op 810000 ops/sec …"
theirs() {
  awk -v name="$1" '$1 == name { for (i = 2; i <= NF; i++) if ($i == "ops/sec") print $(i - 1) }' "$2"
}

# Operations per second of a phase in the CSV that Stadium prints.
ours() {
  awk -F, -v name="$1" '
    NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    $column["phase"] == name { print $column["operations"] * 1e9 / $column["nanos"] }' "$2"
}

for ((round = 1; round <= rounds; round++)); do
  db_bench --benchmarks=fillseq,readrandom --num=1000000 --reads=1000000 --key_size=16 --value_size=100 \
    --compression_type=none --compression_ratio=0.5 --block_size=4096 --cache_size=8388608 \
    --write_buffer_size=67108864 --open_files=-1 --threads=1 --seed="$round" --db="$work/theirs" \
    >"$work/theirs.txt" 2>&1
  rm -rf "$work/theirs"
  ./stadium bench benchmarks/db_bench.toml --seed "$round" --out "$work/ours" --format csv \
    >"$work/ours.csv" 2>"$work/ours.txt"
  rm -rf "$work/ours"
  echo "$round $(theirs fillseq "$work/theirs.txt") $(ours fillseq "$work/ours.csv")" \
    "$(theirs readrandom "$work/theirs.txt") $(ours readrandom "$work/ours.csv")" \
    "$(ours 'readrandom copied' "$work/ours.csv")" | tee -a "$work/rounds"
done

db_bench --version 2>/dev/null | head -1 || true
awk '
  function median(values, n, i, j, t) {
    for (i = 1; i < n; i++) for (j = i + 1; j <= n; j++) if (values[j] < values[i]) {
      t = values[i]; values[i] = values[j]; values[j] = t
    }
    return n % 2 ? values[(n + 1) / 2] : (values[n / 2] + values[n / 2 + 1]) / 2
  }
  { fill[NR] = $3 / $2; read[NR] = $5 / $4; copy[NR] = $6 / $4 }
  END {
    printf "Stadium / db_bench, median of %d rounds: fillseq %.3f, readrandom %.3f (lent), %.3f (copied)\n",
      NR, median(fill, NR), median(read, NR), median(copy, NR)
  }' "$work/rounds"
