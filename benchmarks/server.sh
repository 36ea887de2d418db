#!/usr/bin/env bash
# stadium serve compared with redis-server, alternately, by redis-benchmark on the same machine, and with
# pipelines of 16 compared with the library on its own with batches of 16: ratios of medians.
# Usage: benchmarks/server.sh [rounds] [URL...]   (default: 3 rounds; null, memory, lmdb and rocksdb)
# Needs redis-server and redis-benchmark. Everything is on loopback, and ends with this script.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

rounds=${1:-3}
shift || true
mkdir -p target
work=$(mktemp -d "$PWD/target/server.XXXXXX")
urls=("$@")
[[ ${#urls[@]} -gt 0 ]] || urls=(null: memory: "lmdb:$work/lmdb" "rocksdb:$work/rocksdb")
servers=()
trap 'for each in "${servers[@]}"; do kill "$each" 2>/dev/null || true; done; wait; rm -rf "$work"' EXIT
./stadium --version >/dev/null

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

port=$(free_port)
redis-server --port "$port" --save '' --appendonly no --dir "$work" >/dev/null &
servers+=($!)
declare -A ports=([redis]=$port)
names=()
for url in "${urls[@]}"; do
  name=${url%%:*}
  names+=("$name")
  raw=$([[ $name == null ]] && echo --raw || true)
  # shellcheck disable=SC2086
  ./stadium serve "$url" --port 0 --no-http $raw >"$work/$name.out" 2>"$work/$name.err" &
  servers+=($!)
  for _ in $(seq 100); do
    ports[$name]=$(sed -n 's/^ready: redis on 127\.0\.0\.1:\([0-9]*\).*/\1/p' "$work/$name.out")
    [[ -z ${ports[$name]} ]] || break
    sleep 0.1
  done
  [[ -n ${ports[$name]} ]] || { cat "$work/$name.err" >&2; exit 1; }
done

measure() { # name pipeline: "set N" and "get N" lines
  timeout 120 redis-benchmark -p "${ports[$1]}" -c 50 -d 100 -P "$2" -r 100000 -t set,get -q --csv \
    -n $(($2 == 1 ? 150000 : 1000000)) | sed -n 's/^"\([SG]ET\)","\([0-9.]*\)".*/\1 \2/p' |
    while read -r command rate; do echo "$1 $2 $command $rate" >>"$work/rates"; done
}
# The library on its own, with batches of 16, on a separate store next to the server's.
library() { # name URL
  local store=${2%%\?*}
  local options=${2#"$store"}
  [[ $store == *: ]] || store+=-library
  STADIUM_PROGRAM=benchmarks/Batches.java timeout 120 ./stadium dist "$store$options" 1000000 |
    while read -r command rate; do echo "$1 library $command $rate" >>"$work/rates"; done
}
for name in redis "${names[@]}"; do measure "$name" 1; done # warms up both sides
: >"$work/rates"
for ((round = 0; round < rounds; round++)); do
  for pipeline in 1 16; do
    for name in "${names[@]}"; do
      measure redis "$pipeline"
      measure "$name" "$pipeline"
    done
  done
  for i in "${!names[@]}"; do library "${names[i]}" "${urls[i]}"; done
done
python3 - "$work/rates" <<'P'
import collections, statistics, sys
rates = collections.defaultdict(list)
for line in open(sys.argv[1]):
    name, pipeline, command, rate = line.split()
    rates[name, pipeline, command].append(float(rate))
names = [name for name in dict.fromkeys(key[0] for key in rates) if name != "redis"]
print(f"{'':12}" + "".join(f"{c + ' -P ' + p:>15}" for p in ("1", "16") for c in ("SET", "GET")), end="")
print("".join(f"{c + '/library':>15}" for c in ("SET", "GET")))
for name in ["redis"] + names:
    cells = []
    for p in ("1", "16"):
        for c in ("SET", "GET"):
            own = statistics.median(rates[name, p, c])
            base = statistics.median(rates["redis", p, c])
            cells.append(f"{own:,.0f}" if name == "redis" else f"{own / base:.2f}")
    if name != "redis":  # pipelines of 16 compared with the library's batches of 16
        for c in ("SET", "GET"):
            cells.append(f"{statistics.median(rates[name, '16', c]) / statistics.median(rates[name, 'library', c]):.2f}")
    print(f"{name:12}" + "".join(f"{cell:>15}" for cell in cells))
P
