#!/usr/bin/env bash
# The library on a Cassandra node compared with its driver used by hand: see CassandraByHand.java.
# Usage: benchmarks/cassandra.sh [rounds] [seconds]; uses what ./stadium has built, and a separate node, as
# `./stadium cluster start` finds it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mkdir -p target
work=$(mktemp -d "$PWD/target/cassandra.XXXXXX")
trap './stadium cluster stop --dir "$work/nodes" --remove; rm -rf "$work"' EXIT
./stadium cluster start --nodes 1 --port 0 --dir "$work/nodes" | tee "$work/started"
url=$(sed -n 's|^ready: cassandra://\([^/]*\)/.*|\1|p' "$work/started")
STADIUM_PROGRAM=benchmarks/CassandraByHand.java STADIUM_JAVA_OPTS='-Xmx1g -cp dist/lib/*:dist/engines/cassandra/*' \
  ./stadium dist "$url" "${1:-5}" "${2:-10}"
