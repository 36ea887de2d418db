#!/usr/bin/env bash
# A copy from LMDB to RocksDB and back beside scan and bulk load measured alone: see Copies.java.
# Usage: benchmarks/copy.sh [GB] [rounds]; uses what ./stadium has built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

./stadium --version >/dev/null
home=${STADIUM_JAVA_HOME:-${JAVA_HOME:-}} # of a JDK 25 or newer
java=${home:+$home/bin/}java
mkdir -p target
work=$(mktemp -d "$PWD/target/copy.XXXXXX")
trap 'rm -rf "$work"' EXIT
"$java" -Xmx256m --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
  --add-opens java.base/java.nio=ALL-UNNAMED --add-opens java.base/sun.nio.ch=ALL-UNNAMED \
  -cp 'dist/lib/*' benchmarks/Copies.java dist "$work" "${1:-1}" "${2:-3}"
