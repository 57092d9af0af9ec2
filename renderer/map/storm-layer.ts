// The custom MapLibre layer that draws storm frames, exact in Web Mercator: the class of each pixel, then its color
// from a table. It gives the stage this page's clock, decode workers and GPU, and draws what the stage collects.
import type { CustomLayerInterface, CustomRenderMethodInput } from "maplibre-gl";
import type { ProductId } from "../../shared/contract/index.ts";
import { onNextFrame, schedule } from "../platform/page-effects.ts";
import { uploadSliceBytes, type FrameBudget } from "../platform/viewer-limits.ts";
import { ClassTargets } from "./class-targets.ts";
import { CoverageHatch } from "./coverage-hatch.ts";
import { FrameLoader } from "./frame-loader.ts";
import { beginFrameUpload, releaseFrameTexture } from "./frame-textures.ts";
import type { FrameTexture, TextureTile } from "./frame-textures.ts";
import { markSizePx } from "../../shared/frames/marks.ts";
import { outlineWidthPx } from "../../shared/frames/outlines.ts";
import { createPrograms, pictureUnit, tableUnit } from "./raster-shaders.ts";
import type { RasterProgram, RasterPrograms } from "./raster-shaders.ts";
import { StormStage } from "./storm-stage.ts";
import type { StageEvents, StageItem } from "./storm-stage.ts";
import { findViewInCells, findVisiblePart, oneCell, toClipTransform, toPixelPart } from "./visible-part.ts";
import type { ClipTransform, PixelPart } from "./visible-part.ts";

interface ColorTableTexture {
  readonly texture: WebGLTexture;
  content: Uint8Array | undefined;
}

interface PaintWork {
  /** The item's number in drawing order. */
  readonly index: number;
  readonly item: StageItem<FrameTexture>;
  readonly colorTable: Uint8Array;
  readonly transform: ClipTransform;
}

/** Add it to the map, and add it again after the graphics context was lost. */
export class StormLayer implements CustomLayerInterface {
  readonly id = "storm-frames";
  readonly type = "custom";
  readonly renderingMode = "2d";
  readonly stage: StormStage<FrameTexture>;
  readonly #loader = new FrameLoader();
  /** Undefined before the layer is added and after the context is lost. */
  #gl: WebGL2RenderingContext | undefined;
  #programs: RasterPrograms | undefined;
  #vertexArray: WebGLVertexArrayObject | null = null;
  #hatch: CoverageHatch | undefined;
  #targets: ClassTargets | undefined;
  /** Collected before the map draws anything, and drawn with it. */
  #items: StageItem<FrameTexture>[] = [];
  readonly #tables = new Map<ProductId, ColorTableTexture>();

  /** `repaint` asks the map for a repaint. */
  constructor(budget: FrameBudget, events: StageEvents, repaint: () => void) {
    // One slice is uploaded at a time, so all uploads share one buffer.
    const slice = new Uint8Array(uploadSliceBytes);
    this.stage = new StormStage<FrameTexture>(
      budget,
      {
        load: (imageUrl, signal) => this.#loader.load(imageUrl, signal),
        beginUpload: (frame) => {
          if (!this.#gl) throw new Error("The graphics context is lost.");
          return beginFrameUpload(this.#gl, frame, slice);
        },
        releaseTexture: (texture) => {
          if (this.#gl) releaseFrameTexture(this.#gl, texture);
        },
        nowMs: () => performance.now(),
        schedule,
        onNextFrame,
        repaint,
      },
      events,
    );
  }

  onAdd(_map: unknown, gl: WebGL2RenderingContext): void {
    this.#programs = createPrograms(gl);
    this.#vertexArray = gl.createVertexArray();
    this.#hatch = new CoverageHatch(gl);
    this.#targets = new ClassTargets(gl);
    this.#tables.clear();
    this.#gl = gl;
    this.stage.resume();
  }

  onRemove(_map: unknown, gl: WebGL2RenderingContext): void {
    for (const { program } of Object.values(this.#programs ?? {}) as RasterProgram[])
      gl.deleteProgram(program);
    this.#hatch?.release();
    this.#targets?.release();
    for (const { texture } of this.#tables.values()) gl.deleteTexture(texture);
    gl.deleteVertexArray(this.#vertexArray);
    this.#tables.clear();
    this.#programs = undefined;
  }

  /** Call it when the graphics context is lost, and with it all textures. */
  loseContext(): void {
    this.#gl = undefined;
    this.stage.suspend();
  }

  close(): void {
    this.stage.close();
    this.#loader.close();
    this.#gl = undefined;
  }

  /** Finds the classes of the screen's pixels. MapLibre calls it before it draws anything of this repaint. */
  prerender(gl: WebGL2RenderingContext, { defaultProjectionData }: CustomRenderMethodInput): void {
    const [programs, targets] = [this.#programs, this.#targets];
    if (!programs || !targets) return;
    const transform = toClipTransform(defaultProjectionData.mainMatrix);
    this.#items = this.stage.collect();
    gl.bindVertexArray(this.#vertexArray);
    gl.useProgram(programs.classes.program);
    targets.begin();
    for (const [index, item] of this.#items.entries()) {
      if (!item.colorTable) continue;
      targets.open(index);
      drawTiles(gl, programs.classes, item, transform);
    }
    targets.end();
    gl.bindVertexArray(null);
  }

  render(gl: WebGL2RenderingContext, { defaultProjectionData }: CustomRenderMethodInput): void {
    const programs = this.#programs;
    if (!programs) return;
    const transform = toClipTransform(defaultProjectionData.mainMatrix);
    gl.bindVertexArray(this.#vertexArray);
    const items = this.#items;
    // Both products come from the same radars, so the coverage of the lowest layer that has one is enough.
    const coverage = items.find((item) => item.coverage)?.coverage;
    if (coverage) this.#hatch?.draw(programs.hatch, coverage, transform, pixelRatioOf(gl));
    for (const [index, item] of items.entries()) {
      if (item.colorTable)
        this.#paint(gl, programs.paint, { index, item, colorTable: item.colorTable, transform });
      else drawColors(gl, programs.color, item, transform);
    }
    gl.bindVertexArray(null);
    this.stage.painted();
  }

  /** Gives the classes found by `prerender` their colors. */
  #paint(
    gl: WebGL2RenderingContext,
    program: RasterProgram,
    { index, item, colorTable, transform }: PaintWork,
  ): void {
    gl.useProgram(program.program);
    gl.uniform1f(program.opacity, item.opacity);
    const perPixel = findCellsPerPixel(gl, item, transform);
    gl.uniform2i(program.mark, item.markedFrom ?? 0, toMarkPx(gl, item, perPixel));
    gl.uniform3i(program.outline, ...toOutline(gl, item, perPixel));
    this.#bindTable(gl, item.id, colorTable);
    gl.activeTexture(gl.TEXTURE0 + pictureUnit);
    gl.bindTexture(gl.TEXTURE_2D, this.#targets!.textureOf(index));
    gl.uniform4f(program.clip, -1, 1, 1, -1);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }

  #bindTable(gl: WebGL2RenderingContext, id: ProductId, content: Uint8Array): void {
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

/** Returns the width of a mark in device pixels; 1 where a pixel is no larger than a cell, or nothing is marked. */
function toMarkPx(
  gl: WebGL2RenderingContext,
  { markedFrom }: StageItem<FrameTexture>,
  perPixel: number,
): number {
  if (markedFrom === undefined || perPixel <= oneCell) return 1;
  return Math.max(markSizePx, Math.round(markSizePx * pixelRatioOf(gl)));
}

/** Above every palette index. */
const noClass = 256;

/** Returns the lowest classes inside the contours, and the width of their lines in device pixels, 0 for none. */
function toOutline(
  gl: WebGL2RenderingContext,
  { outlined }: StageItem<FrameTexture>,
  perPixel: number,
): [first: number, second: number, linePx: number] {
  const [first = noClass, second = noClass] = outlined;
  const ratio = pixelRatioOf(gl);
  const linePx = first === noClass ? 0 : outlineWidthPx(1 / (perPixel * ratio));
  return [first, second, Math.ceil(linePx * ratio)];
}

/** Returns the cells in the width or height of a device pixel, whichever has more. */
function findCellsPerPixel(
  gl: WebGL2RenderingContext,
  { texture, frame }: StageItem<FrameTexture>,
  transform: ClipTransform,
): number {
  const view = findViewInCells({ bounds: frame.bounds, ...texture }, transform);
  return Math.max(...toPixelPart(view, screenOf(gl), true).perPixel);
}

function screenOf(gl: WebGL2RenderingContext): { widthPx: number; heightPx: number } {
  return { widthPx: gl.drawingBufferWidth, heightPx: gl.drawingBufferHeight };
}

/** Returns the device pixels in a CSS pixel. */
function pixelRatioOf({ canvas, drawingBufferWidth }: WebGL2RenderingContext): number {
  return canvas instanceof HTMLCanvasElement ? drawingBufferWidth / canvas.clientWidth : 1;
}

function drawTiles(
  gl: WebGL2RenderingContext,
  program: RasterProgram,
  { texture, frame }: StageItem<FrameTexture>,
  transform: ClipTransform,
): void {
  const { widthPx, heightPx, levels } = texture;
  for (const tile of texture.tiles) {
    const visible = findVisiblePart({ bounds: frame.bounds, widthPx, heightPx }, tile.block, transform);
    if (!visible) continue;
    // Without levels, the order of the indices has no meaning.
    const part = toPixelPart(visible, screenOf(gl), levels > 1);
    gl.uniform2f(program.perPixel, ...part.perPixel);
    gl.uniform2i(program.levels, ...findLevels(part, levels));
    drawTile(gl, program, tile, part);
  }
}

/**
 * Returns the level of which a pixel covers about two cells, and the one of which it covers at most eight. Up to eight
 * cells per pixel the latter is the frame itself, and what it finds is exact.
 */
function findLevels({ perPixel }: PixelPart, levels: number): [coarse: number, fine: number] {
  const toLevel = (cells: number): number =>
    Math.min(levels - 1, Math.max(0, Math.ceil(Math.log2(Math.max(...perPixel) / cells))));
  return [toLevel(2), toLevel(8)];
}

function drawColors(
  gl: WebGL2RenderingContext,
  program: RasterProgram,
  { texture, frame, opacity }: StageItem<FrameTexture>,
  transform: ClipTransform,
): void {
  gl.useProgram(program.program);
  gl.uniform1f(program.opacity, opacity);
  for (const tile of texture.tiles) {
    const part = findVisiblePart({ bounds: frame.bounds, ...texture }, tile.block, transform);
    if (part) drawTile(gl, program, tile, part);
  }
}

function drawTile(
  gl: WebGL2RenderingContext,
  program: RasterProgram,
  { texture, block }: TextureTile,
  { clip, cells, base }: Pick<PixelPart, "clip" | "cells" | "base">,
): void {
  gl.activeTexture(gl.TEXTURE0 + pictureUnit);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.uniform4f(program.clip, ...clip);
  gl.uniform4f(program.cells, ...cells);
  gl.uniform2i(program.base, ...base);
  gl.uniform2i(program.last, block.columnEnd - block.columnStart - 1, block.rowEnd - block.rowStart - 1);
  gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
}
