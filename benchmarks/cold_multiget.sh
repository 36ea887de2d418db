#!/usr/bin/env bash
# Cold multi-gets of 10,000 keys through Stadium against fio's random reads of 4 KiB at queue depth 32,
# alternately on the same disk. Usage: benchmarks/cold_multiget.sh [rounds]; needs fio, and root to drop caches.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

rounds=${1:-3}
if ! command -v fio >/dev/null; then
  echo "fio is missing: install it (Debian: apt-get install fio)" >&2
  exit 2
fi
mkdir -p target
work=$(mktemp -d "$PWD/target/cold_multiget.XXXXXX")
trap 'rm -rf "$work"' EXIT

reads_per_second() {
  fio --name=reads --directory="$work" --filename=fio --rw=randread --bs=4k --direct=1 --ioengine=libaio \
    --iodepth=32 --size=1g --runtime=10 --time_based --output-format=terse --terse-version=3 |
    cut -d';' -f8
}

# Keys per second of a configuration's phase in the CSV that Stadium prints.
ours() {
  awk -F, -v configuration="$1" -v name="$2" '
    NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    $column["configuration"] == configuration && $column["phase"] == name {
      print $column["entries"] * 1e9 / $column["nanos"] }' "$3"
}

for ((round = 1; round <= rounds; round++)); do
  before=$(reads_per_second)
  ./stadium bench benchmarks/cold_multiget.toml --seed "$round" --out "$work/ours" --format csv \
    >"$work/ours.csv" 2>"$work/ours.txt"
  rm -rf "$work/ours"
  after=$(reads_per_second)
  for engine in lmdb rocksdb; do
    awk -v before="$before" -v after="$after" -v keys="$(ours $engine cold "$work/ours.csv")" \
      -v engine=$engine -v round="$round" 'BEGIN {
        fio = (before + after) / 2
        printf "round %d, %s: %.0f keys/s, fio %.0f reads/s, ratio %.2f\n", round, engine, keys, fio, keys / fio }'
  done
done
