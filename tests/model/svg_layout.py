#!/usr/bin/python3
"""Fails if an SVG is not well-formed, or if text overlaps other text or leaves the picture.

usage: svg_layout.py FILE…
Text is taken as fixed-width with 0.602 em for each column, as DejaVu Sans Mono has it.
"""

import sys
import unicodedata
import xml.etree.ElementTree as ElementTree

SPACE = "{http://www.w3.org/2000/svg}"


def box_of(text):
    size = float(text.get("font-size", "12"))
    shown = text.text or ""
    columns = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in shown)
    x, y = float(text.get("x")), float(text.get("y"))
    return x, y - 0.75 * size, x + columns * 0.602 * size, y + 0.2 * size


def problems_of(path):
    root = ElementTree.parse(path).getroot()
    width, height = float(root.get("width")), float(root.get("height"))
    boxes = [(box_of(text), text.text) for text in root.iter(SPACE + "text") if text.text]
    if not boxes:
        yield "no text at all"
    for (left, top, right, bottom), text in boxes:
        if left < 0 or top < 0 or right > width or bottom > height:
            yield f"{text!r} leaves the picture"
    boxes.sort(key=lambda entry: entry[0][1])
    for i, ((left, top, right, bottom), text) in enumerate(boxes):
        for (other_left, other_top, other_right, _), other in boxes[i + 1 :]:
            if other_top >= bottom:
                break
            if other_left < right and left < other_right:
                yield f"{text!r} overlaps {other!r}"


def main():
    found = [f"{path}: {problem}" for path in sys.argv[1:] for problem in problems_of(path)]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
