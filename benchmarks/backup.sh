#!/usr/bin/env bash
# Reads of a RocksDB store that is updated 10,000 times a second, with and without a backup
# beside them: see BackupsBeside.java.
# Usage: benchmarks/backup.sh [GB] [rounds] [bytes a second at most, such as 50m] [true: links]; uses what
# ./stadium has built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

./stadium --version >/dev/null
home=${STADIUM_JAVA_HOME:-${JAVA_HOME:-}} # of a JDK 25 or newer
java=${home:+$home/bin/}java
mkdir -p target
work=$(mktemp -d "$PWD/target/backup.XXXXXX")
trap 'rm -rf "$work"' EXIT
"$java" -Xmx256m --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
  -cp 'dist/lib/*' benchmarks/BackupsBeside.java dist "$work" "${1:-1}" "${2:-3}" "${3:-1t}" "${4:-false}"
