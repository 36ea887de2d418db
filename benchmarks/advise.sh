#!/usr/bin/env bash
# Asks `stadium advise` about traces whose best answer is known, made by advising/Planted.java.
# Usage: benchmarks/advise.sh [runs] [budget] [kind ...]
#   misses  all gets miss: rocksdb with a filter        hot    1 % of the keys: no larger cache of rocksdb
#   queue   delete at the front, scan: no LSM tree      scans  of 1,000 entries: a B-tree
# Prints the answers, and how many are right: 9 of 10 is the goal. A run takes its budget (default: 2m).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

runs=${1:-10} budget=${2:-2m}
shift $(($# < 2 ? $# : 2))
kinds=${*:-misses hot queue scans}
./stadium --version >/dev/null
java=$(sh packaging/jdk.sh --javac)/bin/java
mkdir -p target
work=$(mktemp -d "$PWD/target/advise.XXXXXX")
trap 'rm -rf "$work"' EXIT

for kind in $kinds; do
  case $kind in
    misses) engines=rocksdb right='bloom_bits_per_key' wrong='^$' ;;
    hot) engines=rocksdb right='^rocksdb' wrong='cache_size' ;;
    queue | scans) engines=rocksdb,lmdb,sqlite right='^\(lmdb\|sqlite\)' wrong='^rocksdb' ;;
  esac
  found=0
  for run in $(seq "$runs"); do
    "$java" -cp "dist/lib/*" benchmarks/advising/Planted.java "$kind" "$run" "$work/$kind.trace"
    ./stadium advise --trace "$work/$kind.trace" --engines "$engines" --budget "$budget" \
      --seed "$run" --json --out "$work/out" >"$work/answer.json" 2>"$work/err" || true
    url=$(sed -n 's/^  "url" : "\(.*\)",$/\1/p' "$work/answer.json")
    if grep -q "$right" <<<"$url" && ! grep -q "$wrong" <<<"$url"; then
      found=$((found + 1))
    fi
    echo "$kind $run: $url"
    [ -n "$url" ] || tail -3 "$work/err"
    rm -rf "$work/out"
  done
  echo "$kind: $found of $runs right"
done
