#!/bin/sh
# Makes the README's pictures from a real run of 'stadium bench', which takes three minutes: do nothing else meanwhile.
# Needs python3, chromium and a build. With a run's directory as argument, only the picture of its report is made.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
stadium=$here/../../stadium
run=${1:-}
if [ -z "$run" ]; then
  run=$(mktemp -d)/quick
  "$stadium" --version >/dev/null # builds it, if necessary
  python3 "$here/terminal.py" "$here/bench.svg" './stadium bench' "$stadium" bench --out "$run"
fi
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1280,"${HEIGHT:-980}" \
  --screenshot="$here/report.png" "file://$(realpath "$run")/report.html" >/dev/null 2>&1
echo "made from $run"
