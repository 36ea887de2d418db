#!/usr/bin/env bash
# What a listener costs per call, and conditional writes above a put: see Calls.java.
# Usage: benchmarks/calls.sh [engines] [blocks]; uses what ./stadium has built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

./stadium --version >/dev/null
home=${STADIUM_JAVA_HOME:-${JAVA_HOME:-}} # of a JDK 25 or newer
java=${home:+$home/bin/}java
mkdir -p target
work=$(mktemp -d "$PWD/target/calls.XXXXXX")
trap 'rm -rf "$work"' EXIT
"$java" -Xmx1g --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
  --add-opens java.base/java.nio=ALL-UNNAMED --add-opens java.base/sun.nio.ch=ALL-UNNAMED \
  -cp 'dist/lib/*' benchmarks/Calls.java dist "$work" "${2:-800}" "${1:-memory,mvstore,lmdb}"
