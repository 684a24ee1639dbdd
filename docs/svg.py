#!/usr/bin/env python3
"""Draws the plain output of a command as a terminal. usage: ./emu demo | docs/svg.py > docs/demo.svg"""
import html
import sys

WIDTH, LINE, MARGIN, SIZE = 7.85, 17, 14, 13
COLOURS = {"✓": "#7ee787", "✗": "#ff7b72"}

lines = [line.rstrip("\n") for line in sys.stdin]
width = max(map(len, lines)) * WIDTH + 2 * MARGIN
print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{len(lines) * LINE + 2 * MARGIN}" '
      f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="{SIZE}">')
print('<rect width="100%" height="100%" rx="8" fill="#0d1117"/>')
for number, line in enumerate(lines):
    colour = COLOURS.get(line[:1], "#c9d1d9")
    y = MARGIN + (number + 0.8) * LINE
    if line.strip():
        print(f'<text x="{MARGIN}" y="{y:.1f}" fill="{colour}" xml:space="preserve" textLength="{len(line) * WIDTH:.1f}">{html.escape(line)}</text>')
print("</svg>")
