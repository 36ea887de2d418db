#!/usr/bin/env bash
# How long the first open takes after a process was killed while it updated a store: see Reopen.java.
# Usage: benchmarks/reopen.sh [entries] [engine …]; prints the second open's times, too, after a close.
# Uses what ./stadium has built. With no memory limit; the page cache is as the process left it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

entries=${1:-10000000}
[ $# -lt 1 ] || shift
[ $# -gt 0 ] || set -- rocksdb lmdb sqlite mvstore berkeleydb xodus
mkdir -p target
work=$(mktemp -d "$PWD/target/reopen.XXXXXX")
trap 'rm -rf "$work"' EXIT
step() {
  STADIUM_PROGRAM=benchmarks/Reopen.java STADIUM_JAVA_OPTS=-Xmx1g ./stadium "$@"
}
for engine; do
  url=$engine:$work/store?durability=process
  step fill dist "$url" "$entries"
  printf '%-12s after a kill: %s; after a close: %s; %s\n' "$engine" "$(step open dist "$url" "$entries")" \
    "$(step open dist "$url" "$entries")" "$(du -sh "$work/store" | cut -f 1)"
  rm -rf "$work/store"
done
