# The peer of the analysis benchmark: the same work with Pillow and numpy. Reads its task as JSON from a file.
import json
import sys
import time

import numpy
from PIL import Image


def load(frame):
    """Decodes a frame; returns one row for each row of cells."""
    image = Image.open(frame["file"])
    image.load()
    return numpy.asarray(image)[frame["pixelRows"]]


def swath(task):
    highest = numpy.zeros((task["rows"], task["columns"]), numpy.uint8)
    for frame in task["frames"]:
        cells = load(frame)
        top, left = frame["rowStart"], frame["columnStart"]
        part = highest[top : top + cells.shape[0], left : left + cells.shape[1]]
        numpy.maximum(part, cells, out=part)
    return numpy.bincount(highest.ravel(), minlength=256)[1:].tolist()


def place(task, frame):
    whole = numpy.zeros((task["rows"], task["columns"]), numpy.uint8)
    cells = load(frame)
    top, left = frame["rowStart"], frame["columnStart"]
    whole[top : top + cells.shape[0], left : left + cells.shape[1]] = cells
    coverage = frame["coverage"]
    bits = numpy.unpackbits(numpy.frombuffer(bytes.fromhex(coverage["bits"]), numpy.uint8))
    grid = bits[: coverage["width"] * coverage["height"]].reshape(coverage["height"], coverage["width"])
    covered = numpy.repeat(numpy.repeat(grid, 10, 0), 10, 1).astype(bool)
    return whole, covered


def difference(before, after):
    first, covered_first = before
    second, covered_second = after
    drawn_first, drawn_second = first > 0, second > 0
    both = drawn_first & drawn_second
    up = numpy.count_nonzero(both & (second > first))
    down = numpy.count_nonzero(both & (second < first))
    appeared = drawn_second & ~drawn_first & covered_first
    vanished = numpy.count_nonzero(drawn_first & ~drawn_second & covered_second)
    rise = numpy.where(both | appeared, second.astype(numpy.int16) - first, 0)
    cell = int(rise.argmax())
    return [up, down, numpy.count_nonzero(appeared), vanished, int(rise.flat[cell]), cell]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        task = json.load(file)
    if task["kind"] == "swath":
        print(json.dumps({"result": swath(task)}))
        return
    before, after = [place(task, frame) for frame in task["frames"]]
    elapsed = []
    for _ in range(task["rounds"]):
        started = time.perf_counter()
        result = difference(before, after)
        elapsed.append((time.perf_counter() - started) * 1000)
    print(json.dumps({"result": result, "elapsedMs": elapsed}))


main()
