#!/usr/bin/env bash
# RocksDB through Stadium against RocksDB's own db_bench, alternately. A distribution's db_bench has an older
# RocksDB than the engine, so the same loops in C also run on the engine's own library (benchmarks/native.c).
# Usage: benchmarks/db_bench.sh [rounds]; needs db_bench (Debian: rocksdb-tools), gcc, unzip. 20 s per round.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

rounds=${1:-5}
for tool in db_bench gcc unzip; do
  if ! command -v "$tool" >/dev/null; then
    echo "$tool is missing: install it (Debian: apt-get install rocksdb-tools gcc unzip)" >&2
    exit 2
  fi
done
./stadium --version >/dev/null # builds if necessary
work=$(mktemp -d "${TMPDIR:-/tmp}/db_bench.XXXXXX")
trap 'rm -rf "$work"' EXIT

# The engine's native library.
unzip -oq dist/engines/rocksdb/rocksdbjni-*.jar librocksdbjni-linux64.so -d "$work"
gcc -O2 -o "$work/native" benchmarks/native.c "$work/librocksdbjni-linux64.so" -Wl,-rpath,"$work" -lstdc++

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
  "$work/native" "$work/native.db" "$round" >"$work/native.txt"
  rm -rf "$work/native.db"
  ./stadium bench benchmarks/db_bench.toml --seed "$round" --out "$work/ours" --format csv \
    >"$work/ours.csv" 2>"$work/ours.txt"
  rm -rf "$work/ours"
  echo "$round $(theirs fillseq "$work/theirs.txt") $(ours fillseq "$work/ours.csv")" \
    "$(theirs readrandom "$work/theirs.txt") $(ours readrandom "$work/ours.csv")" \
    "$(ours 'readrandom copied' "$work/ours.csv")" \
    "$(awk '{ print $2 }' "$work/native.txt" | xargs)" | tee -a "$work/rounds"
done

db_bench --version 2>/dev/null | head -1 || true
awk '
  function median(values, n, i, j, t) {
    for (i = 1; i < n; i++) for (j = i + 1; j <= n; j++) if (values[j] < values[i]) {
      t = values[i]; values[i] = values[j]; values[j] = t
    }
    return n % 2 ? values[(n + 1) / 2] : (values[n / 2] + values[n / 2 + 1]) / 2
  }
  { fill[NR] = $3 / $2; read[NR] = $5 / $4; copy[NR] = $6 / $4
    fill2[NR] = $3 / $7; read2[NR] = $5 / $8; copy2[NR] = $6 / $8 }
  END {
    printf "Stadium / db_bench, medians of %d rounds: fillseq %.3f, readrandom %.3f (lent), %.3f (copied)\n",
      NR, median(fill, NR), median(read, NR), median(copy, NR)
    printf "Stadium / C on the same library: fillseq %.3f, readrandom %.3f (lent), %.3f (copied)\n",
      median(fill2, NR), median(read2, NR), median(copy2, NR)
  }' "$work/rounds"
