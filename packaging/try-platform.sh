#!/bin/sh
# Tries the command on this machine, for platforms that nobody has tried yet: paste what it prints into an issue.
#
#   packaging/try-platform.sh [ENGINE …]     (default: those that need nothing else)
#
#   STADIUM   the command (default: ./stadium of this checkout)
#
# Each engine: opened, written, read, scanned, its process killed, then verified and read again. After that a server with
# redis-cli, a benchmark of two engines, and kills by torture. Some minutes; everything is in a folder that goes again.
# The exit code is 1 if something did not work.
set -u

home=$(cd "$(dirname "$0")/.." && pwd)
stadium=${STADIUM:-$home/stadium}
work=$(mktemp -d)
failed=0
pid=

end() {
  [ -z "$pid" ] || kill -9 "$pid" 2>/dev/null || :
  touch "$work/over"
  rm -rf "$work"
}
trap end EXIT
trap 'exit 130' INT TERM

# Says whether the command worked, and what it printed if not.
try() {
  name=$1
  shift
  began=$(date +%s)
  if "$@" >"$work/said" 2>&1 </dev/null; then
    printf '%-36s ok, %s s\n' "$name" $(($(date +%s) - began))
  else
    printf '%-36s FAILED\n' "$name"
    sed 's/^/    /' "$work/said" | tail -n 20
    failed=1
  fi
}

# Waits up to three minutes until a file has a text, and fails if the process ends before.
await() {
  waited=0
  until grep -q "$1" "$2" 2>/dev/null; do
    kill -0 "$pid" 2>/dev/null && [ "$waited" -lt 180 ] || return 1
    sleep 1
    waited=$((waited + 1))
  done
}

# Writes, reads and scans in a process that is killed, which may lose nothing.
killed() {
  rm -f "$work/over" "$work/shell" # of the engine before
  {
    printf 'put k1 v1\nput k2 v2\nget k1\nscan\n'
    until [ -e "$work/over" ]; do sleep 1; done
  } | "$stadium" shell "$1" --create >"$work/shell" 2>&1 &
  pid=$!
  await '^k2.*v2' "$work/shell" || { cat "$work/shell"; touch "$work/over"; return 1; }
  kill -9 "$pid"
  touch "$work/over" # the other side of the pipe ends, too
  wait "$pid" 2>/dev/null
  pid=
}

read_again() {
  "$stadium" verify "$1" && [ "$("$stadium" get "$1" k1)" = v1 ]
}

# Written at once, and then only read.
once() {
  printf '{"key":"k1","value":"v1"}\n' >"$work/one.jsonl"
  "$stadium" import "$work/one.jsonl" "$1" --key key --value value && [ "$("$stadium" get "$1" k1)" = v1 ]
}

served() {
  "$stadium" serve "memory:" --port 0 --no-http >"$work/server" 2>&1 &
  pid=$!
  await 'ready' "$work/server" || { cat "$work/server"; return 1; }
  port=$(sed -n 's/^ready: redis on [0-9.]*:\([0-9]*\),.*/\1/p' "$work/server")
  [ "$(redis-cli -p "$port" SET greeting hello)" = OK ] && [ "$(redis-cli -p "$port" GET greeting)" = hello ] &&
    [ "$(redis-cli -p "$port" EVAL 'return 1 + 1' 0)" = 2 ]
  works=$?
  kill "$pid"
  wait "$pid" || works=1
  pid=
  return $works
}

uname -srm
"$stadium" --version || exit 1
try 'engines' "$stadium" engines
for engine in ${*:-rocksdb lmdb sqlite h2 mvstore berkeleydb xodus sparkey speedb halodb}; do
  url=$engine:$work/$engine
  case $engine in
    sparkey) try "$engine: write once, read" once "$url" ;;
    *)
      try "$engine: open, write, read, scan, kill" killed "$url"
      try "$engine: verify, read again" read_again "$url"
      ;;
  esac
done
if command -v redis-cli >/dev/null; then
  try 'serve, with redis-cli' served
fi
cd "$work" || exit 1
try 'bench of two engines' "$stadium" bench --engines mvstore,sqlite --scale 0.02 --trials 1 --out "$work/run"
try 'torture with kills' "$stadium" torture sqlite: --faults kill --durability process --rounds 1
exit $failed
