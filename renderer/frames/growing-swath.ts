// A swath with its picture and its numbers. Once these are made, a further frame costs the cells that it raises and a
// copy of the picture.
import type { CellFrame } from "../../shared/analysis/cell-frame.ts";
import { sumClasses, SwathBuilder, type Swath, type SwathClass } from "../../shared/analysis/swath.ts";
import type { CellBlock } from "../../shared/geo/grid.ts";
import type { IndexedFrame } from "./decoded-frame.ts";
import { opaquePalette, toBlank } from "./derived-picture.ts";
import { SwathLevels } from "./swath-levels.ts";

export class GrowingSwath {
  readonly #builder = new SwathBuilder(undefined, (row, raised) => this.#levels?.raise(row, raised));
  /** Undefined until asked for, and after a frame outside its block. */
  #levels: SwathLevels | undefined;

  /** Takes the frames in ascending time of observation. */
  add(frame: CellFrame): void {
    if (this.#levels && frame.cells && !contains(this.#levels.block, frame.block)) this.#levels = undefined;
    this.#builder.add(frame);
  }

  get isUsed(): readonly boolean[] {
    return this.#builder.isUsed;
  }

  /** Returns the swath so far, which shares its memory; undefined before the first frame. */
  toSwath(): Swath | undefined {
    return this.#builder.toSwath();
  }

  /** Requires a frame. */
  toPicture(): IndexedFrame {
    const { classes, coverage } = this.toSwath()!;
    // Sent to another thread, while the swath grows.
    const copied = { ...coverage, bits: coverage.bits.slice() };
    const facts = { classes, coverage: copied, palette: opaquePalette(256) };
    const levels = this.#findLevels();
    return levels ? { ...levels.toPicture(classes), ...facts } : toBlank(facts);
  }

  /** Returns the classes that cells have, ascending. */
  toClasses(): SwathClass[] {
    const levels = this.#findLevels();
    return levels ? sumClasses(this.toSwath()!, (row) => levels.countsOf(row)) : [];
  }

  #findLevels(): SwathLevels | undefined {
    const { cells, block, highest } = this.toSwath() ?? {};
    if (cells && block && highest) this.#levels ??= new SwathLevels({ cells, block, highest });
    return this.#levels;
  }
}

function contains(outer: CellBlock, inner: CellBlock): boolean {
  return (
    inner.rowStart >= outer.rowStart &&
    inner.rowEnd <= outer.rowEnd &&
    inner.columnStart >= outer.columnStart &&
    inner.columnEnd <= outer.columnEnd
  );
}
