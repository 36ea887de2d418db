#!/usr/bin/env python3
"""Runs a command and draws its output, as it came, as an animated SVG.

terminal.py FILE.svg 'what is shown as typed' COMMAND [ARGUMENT...]

Pauses are shortened to PAUSE seconds. Without animation, as where less motion is wanted, the picture shows the end.
"""

import html
import subprocess
import sys
import time

PAUSE = 1.2
COLUMNS = 80
CHARACTER, LINE, MARGIN = 8.4, 18, 16


def run(command):
    """Gives the lines of both outputs, each with the seconds until it came."""
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = [(time.monotonic() - began, line.rstrip("\n")) for line in process.stdout]
    if process.wait() != 0:
        sys.exit(f"{command[0]} ended with {process.returncode}:\n" + "\n".join(text for _, text in lines))
    return lines


def shown(lines):
    """Gives each line the moment at which the animation shows it."""
    moment, before = 1.0, 0.0
    for came, text in lines:
        moment += min(came - before, PAUSE)
        before = came
        yield moment, text


def svg(typed, lines):
    seconds = lines[-1][0] if lines else 0
    rows = [(0.0, "$ " + typed)] + list(shown(lines))
    width = round(COLUMNS * CHARACTER + 2 * MARGIN)
    height = len(rows) * LINE + 2 * MARGIN + LINE
    texts = "\n".join(
        f'<text x="{MARGIN}" y="{MARGIN + (row + 2) * LINE}" style="animation-delay:{moment:.2f}s">'
        f"{html.escape(text)}</text>"
        for row, (moment, text) in enumerate(rows)
        if text
    )
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">
<title>{html.escape(typed)}, which took {seconds:.0f} seconds</title>
<style>
rect {{ fill: #16181d }}
text {{ fill: #d8dce4; font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  white-space: pre; animation: come 0.01s both }}
.took {{ fill: #8a91a0; animation: none }}
@keyframes come {{ from {{ opacity: 0 }} }}
@media (prefers-reduced-motion) {{ text {{ animation: none }} }}
</style>
<rect width="100%" height="100%" rx="8"/>
<text class="took" x="{MARGIN}" y="{MARGIN + 8}">{seconds:.0f} seconds, pauses shortened</text>
{texts}
</svg>
"""


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    file, typed, command = sys.argv[1], sys.argv[2], sys.argv[3:]
    drawn = svg(typed, run(command))
    with open(file, "w", encoding="utf-8") as out:
        out.write(drawn)


main()
