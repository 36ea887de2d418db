#!/bin/sh
# Makes the README's pictures from a real run of 'stadium bench', which takes three minutes: do nothing else meanwhile.
# Needs python3 and chromium. STADIUM names another command than this checkout's.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
stadium=${STADIUM:-$here/../../stadium}
"$stadium" --version # builds it, if necessary
cd "$(mktemp -d)"
python3 "$here/terminal.py" "$here/bench.svg" './stadium bench' "$stadium" bench
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1280,"${HEIGHT:-955}" \
  --screenshot="$here/report.png" "file://$(echo "$PWD"/results/*/report.html)" >/dev/null 2>&1
echo "The run is in $PWD/results."
