#!/bin/sh
# Puts the library, its engines and what goes with them into the local Maven repository, for applications on this machine.
#
#   sh packaging/install.sh             further arguments are Maven's: -Dmaven.repo.local=DIR
#
# Needs a JDK 25 or newer, which it finds or downloads: see packaging/jdk.sh.
set -eu

cd "$(dirname "$0")/.."
JAVA_HOME=$(sh packaging/jdk.sh --javac)
export JAVA_HOME
log=$PWD/target/install.log
mkdir -p target
printf 'install: building, about a minute; libraries that are missing are downloaded first (log: %s)\n' "$log" >&2
began=$(date +%s)
# without what is not published
if ! ./mvnw -B -ntp -Dquick -Dstadium.dist="$PWD/target/install" -pl '!advise,!bench,!benchmarks,!cli,!cluster,!engines/cassandra/node,!examples,!packaging,!server,!server-rocksserver,!test-support' \
  "$@" install >"$log" 2>&1; then
  grep '^\[ERROR\]' "$log" | grep -v -e '^\[ERROR\] *$' -e 'Help 1\]' -e 'full stack trace' -e 'debug logging' | head -n 10 >&2
  printf 'install: failed; the full log is %s\n' "$log" >&2
  exit 1
fi
repository=$(sed -n 's|^\[INFO\] Installing .* to \(.*/io/kvstadium\)/kv-stadium/.*|\1|p' "$log" | head -n 1)
printf 'install: %s artifacts in %s, in %s s\n' \
  "$(grep -c '^\[INFO\] Installing .*\.jar to ' "$log")" "$repository" $(($(date +%s) - began))
