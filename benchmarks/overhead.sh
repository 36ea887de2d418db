#!/usr/bin/env bash
# What library and adapters cost per get, put and scan, with JMH: see LibraryOverhead.java.
# Usage: benchmarks/overhead.sh [JMH's arguments], such as: get -p engine=lmdb,sqlite -f 2
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

JAVA_HOME=$(sh packaging/jdk.sh --javac)
export JAVA_HOME
./mvnw -q -Dquick -pl benchmarks -am package dependency:build-classpath -Dmdep.outputFile=target/classpath
exec "$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
  --add-opens java.base/java.nio=ALL-UNNAMED --add-exports java.base/sun.nio.ch=ALL-UNNAMED \
  -cp "benchmarks/target/quick/classes:$(cat benchmarks/target/classpath)" org.openjdk.jmh.Main "$@"
