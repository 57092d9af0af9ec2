// Paints frames on the screen, exact in Web Mercator and only where they have something to draw. A frame whose pixels
// depend on their neighbors, by marks, contours or the edge of a texture, is drawn in two passes.
import { ClassTargets } from "./class-targets.ts";
import { CoverageHatch } from "./coverage-hatch.ts";
import { cellsPerPixel, noClass, toFrameLook, type FrameLook } from "./frame-look.ts";
import type { FrameTexture } from "./frame-textures.ts";
import { createPrograms, pictureUnit, tableUnit } from "./raster-shaders.ts";
import type { RasterProgram, RasterPrograms } from "./raster-shaders.ts";
import { findScreenBlocks, wholeScreen, type PixelBlock } from "./screen-blocks.ts";
import {
  findCellView,
  oneCell,
  type CellView,
  type ClipTransform,
  type Screen,
} from "../frames/screen/screen-geometry.ts";
import { ScreenQuads } from "./screen-quads.ts";
import type { SwipeSide } from "./scene.ts";
import type { StageItem } from "./storm-stage.ts";

type FrameItem = StageItem<FrameTexture>;

/** A frame on the screen, ready to be drawn. */
interface Placed extends FrameLook {
  readonly item: FrameItem;
  readonly view: CellView;
  readonly blocks: readonly PixelBlock[];
}

interface ColorTableTexture {
  readonly texture: WebGLTexture;
  content: Uint8Array | undefined;
}

export class FramePainter {
  readonly #gl: WebGL2RenderingContext;
  readonly #programs: RasterPrograms;
  readonly #quads: ScreenQuads;
  readonly #hatch: CoverageHatch;
  readonly #targets: ClassTargets;
  /** By the id of the layer or overlay. */
  readonly #tables = new Map<string, ColorTableTexture>();
  #transform: ClipTransform | undefined;
  #placed: readonly Placed[] = [];

  /** @throws Error if the driver refuses a shader */
  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl;
    this.#programs = createPrograms(gl);
    this.#quads = new ScreenQuads(gl);
    this.#hatch = new CoverageHatch(gl);
    this.#targets = new ClassTargets(gl);
  }

  release(): void {
    const gl = this.#gl;
    for (const { program } of Object.values(this.#programs) as RasterProgram[]) gl.deleteProgram(program);
    for (const { texture } of this.#tables.values()) gl.deleteTexture(texture);
    this.#quads.release();
    this.#hatch.release();
    this.#targets.release();
  }

  /** Takes the picture, and finds the classes of its pixels where `paint` needs them. */
  prepare(items: readonly FrameItem[], transform: ClipTransform): void {
    const screen = this.#screen();
    this.#transform = transform;
    this.#placed = items.map((item) => this.#place(item, transform, screen));
    const needed = [...this.#placed.entries()].filter(([, placed]) => needsNeighbors(placed));
    if (needed.length === 0) return;
    this.#targets.begin();
    for (const [index, placed] of needed) {
      this.#targets.open(index);
      this.#quads.bind(placed.blocks, screen);
      this.#drawTiles(this.#programs.classes, placed);
    }
    this.#targets.end();
    this.#quads.unbind();
  }

  /** Paints what `prepare` took, bottom first. `swipe` is the place of the swipe line across the screen, 0 to 1. */
  paint(swipe: number | undefined): void {
    const screen = this.#screen();
    const quads = this.#quads;
    // Both products come from the same radars, so the coverage of the lowest layer that has one is enough.
    const coverage = this.#placed.find(({ item }) => item.coverage)?.item.coverage;
    if (coverage && this.#transform) {
      const hatched = { quads, transform: this.#transform, screen, pixelRatio: this.#pixelRatio() };
      this.#hatch.draw(this.#programs.hatch, coverage, hatched);
    }
    for (const [index, placed] of this.#placed.entries()) {
      const { item } = placed;
      this.#clip(item.side, swipe, screen);
      quads.bind(placed.blocks, screen);
      if (item.colorTable) this.#bindTable(item.id, item.colorTable);
      if (needsNeighbors(placed)) this.#paintClasses(index, placed);
      else this.#drawTiles(item.colorTable ? this.#programs.direct : this.#programs.color, placed);
    }
    this.#clip(undefined, undefined, screen);
    quads.unbind();
  }

  /** Limits what is painted next to one side of the swipe line. */
  #clip(side: SwipeSide | undefined, swipe: number | undefined, { widthPx, heightPx }: Screen): void {
    const gl = this.#gl;
    if (side === undefined || swipe === undefined) {
      gl.disable(gl.SCISSOR_TEST);
      return;
    }
    const linePx = Math.round(swipe * widthPx);
    gl.enable(gl.SCISSOR_TEST);
    if (side === "left") gl.scissor(0, 0, linePx, heightPx);
    else gl.scissor(linePx, 0, widthPx - linePx, heightPx);
  }

  #screen(): Screen {
    return { widthPx: this.#gl.drawingBufferWidth, heightPx: this.#gl.drawingBufferHeight };
  }

  /** Returns the device pixels in a CSS pixel. */
  #pixelRatio(): number {
    const { canvas, drawingBufferWidth } = this.#gl;
    return canvas instanceof HTMLCanvasElement ? drawingBufferWidth / canvas.clientWidth : 1;
  }

  #place(item: FrameItem, transform: ClipTransform, screen: Screen): Placed {
    const { texture, frame } = item;
    const view = findCellView({ bounds: frame.bounds, ...texture }, transform, screen);
    const look = toFrameLook(item, view, this.#pixelRatio());
    const { occupied } = texture;
    const marginPx = look.markPx + look.outline[2];
    const blocks = occupied ? findScreenBlocks(occupied, view, screen, marginPx) : wholeScreen(screen);
    return { item, view, blocks, ...look };
  }

  /** Gives the classes found by `prepare` their colors, marks and contours. */
  #paintClasses(index: number, { item, markPx, outline }: Placed): void {
    const gl = this.#gl;
    const program = this.#programs.paint;
    gl.useProgram(program.program);
    gl.uniform1f(program.opacity, item.opacity);
    gl.uniform2i(program.mark, item.markedFrom ?? noClass, markPx);
    gl.uniform3i(program.outline, ...outline);
    gl.activeTexture(gl.TEXTURE0 + pictureUnit);
    gl.bindTexture(gl.TEXTURE_2D, this.#targets.textureOf(index));
    this.#quads.draw();
  }

  /** Draws every texture of a frame into the bound quads. */
  #drawTiles(program: RasterProgram, { item: { texture, opacity }, view }: Placed): void {
    const gl = this.#gl;
    const { base, origin, perPixel } = view;
    // Without levels, the order of the indices has no meaning.
    const gathers = perPixel.map((cells) => Number(texture.levels > 1 && Math.abs(cells) > oneCell));
    gl.useProgram(program.program);
    gl.uniform1f(program.opacity, opacity);
    gl.uniform2f(program.origin, ...origin);
    gl.uniform2f(program.perPixel, ...perPixel);
    gl.uniform2i(program.gathers, gathers[0]!, gathers[1]!);
    gl.uniform2i(program.levels, ...findLevels(cellsPerPixel(view), texture.levels));
    gl.activeTexture(gl.TEXTURE0 + pictureUnit);
    for (const { texture: picture, block } of texture.tiles) {
      gl.bindTexture(gl.TEXTURE_2D, picture);
      gl.uniform2i(program.base, base[0] - block.columnStart, base[1] - block.rowStart);
      gl.uniform2i(program.last, block.columnEnd - block.columnStart - 1, block.rowEnd - block.rowStart - 1);
      this.#quads.draw();
    }
  }

  #bindTable(id: string, content: Uint8Array): void {
    const gl = this.#gl;
    gl.activeTexture(gl.TEXTURE0 + tableUnit);
    let table = this.#tables.get(id);
    if (!table) {
      table = { texture: gl.createTexture(), content: undefined };
      this.#tables.set(id, table);
      gl.bindTexture(gl.TEXTURE_2D, table.texture);
      gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, content.length / 4, 1);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    } else {
      gl.bindTexture(gl.TEXTURE_2D, table.texture);
    }
    if (table.content === content) return;
    table.content = content;
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, content.length / 4, 1, gl.RGBA, gl.UNSIGNED_BYTE, content);
  }
}

/** Returns true if a pixel's color depends on other pixels, or on several textures. */
function needsNeighbors({ item, markPx, outline }: Placed): boolean {
  return item.colorTable !== undefined && (markPx > 1 || outline[2] > 0 || item.texture.tiles.length > 1);
}

/**
 * Returns the level of which a pixel covers about a cell, and the one of which it covers at most four. Up to four cells
 * per pixel the latter is the frame itself, and what it finds is exact.
 */
function findLevels(perPixel: number, levels: number): [coarse: number, fine: number] {
  const toLevel = (cells: number): number =>
    Math.min(levels - 1, Math.max(0, Math.ceil(Math.log2(perPixel / cells))));
  return [toLevel(1), toLevel(4)];
}
