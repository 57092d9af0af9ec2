// The custom MapLibre layer that draws storm frames: class indices looked up in a colour table, nearest cell, exact in Web
// Mercator. It draws what it is told and holds only what the GPU needs for that; frames belong to the frame cache.
import type { CustomLayerInterface, CustomRenderMethodInput } from "maplibre-gl";
import type { Bounds, ProductId } from "../../shared/contract/index.ts";
import type { CoverageGrid } from "../../shared/frames/coverage-grid.ts";
import { CoverageHatch } from "./coverage-hatch.ts";
import type { FrameTexture, TextureTile } from "./frame-textures.ts";
import { createPrograms, pictureUnit, tableUnit } from "./raster-shaders.ts";
import type { RasterProgram, RasterPrograms } from "./raster-shaders.ts";
import { findVisiblePart, toClipTransform } from "./visible-part.ts";
import type { ClipTransform, VisiblePart } from "./visible-part.ts";

/** One frame to draw. */
export interface RasterItem {
  readonly id: ProductId;
  readonly texture: FrameTexture;
  readonly frame: { readonly bounds: Bounds };
  readonly opacity: number;
  /** 256 RGBA entries for indices; undefined for a picture in colours. A changed table is a new array. */
  readonly colourTable: Uint8Array | undefined;
  /** Undefined when the frame does not say. */
  readonly coverage: CoverageGrid | undefined;
}

interface ColourTableTexture {
  readonly texture: WebGLTexture;
  content: Uint8Array | undefined;
}

export interface RasterLayerEvents {
  /** A context, empty of ours: at the beginning, and again after it was lost. */
  onAdded(gl: WebGL2RenderingContext): void;
  /** What to draw in this repaint, bottom first. */
  collect(): readonly RasterItem[];
  /** It is drawn. */
  onPainted(): void;
}

export const rasterLayerId = "storm-frames";

export class RasterLayer implements CustomLayerInterface {
  readonly id = rasterLayerId;
  readonly type = "custom";
  readonly renderingMode = "2d";
  readonly #events: RasterLayerEvents;
  #programs: RasterPrograms | undefined;
  #vertexArray: WebGLVertexArrayObject | null = null;
  #hatch: CoverageHatch | undefined;
  readonly #tables = new Map<ProductId, ColourTableTexture>();

  constructor(events: RasterLayerEvents) {
    this.#events = events;
  }

  onAdd(_map: unknown, gl: WebGL2RenderingContext): void {
    this.#programs = createPrograms(gl);
    this.#vertexArray = gl.createVertexArray();
    this.#hatch = new CoverageHatch(gl);
    this.#tables.clear();
    this.#events.onAdded(gl);
  }

  onRemove(_map: unknown, gl: WebGL2RenderingContext): void {
    gl.deleteProgram(this.#programs?.indexed.program ?? null);
    gl.deleteProgram(this.#programs?.colour.program ?? null);
    gl.deleteProgram(this.#programs?.hatch.program ?? null);
    this.#hatch?.release();
    for (const { texture } of this.#tables.values()) gl.deleteTexture(texture);
    gl.deleteVertexArray(this.#vertexArray);
    this.#tables.clear();
    this.#programs = undefined;
  }

  render(gl: WebGL2RenderingContext, { defaultProjectionData }: CustomRenderMethodInput): void {
    const programs = this.#programs;
    if (!programs) return;
    const transform = toClipTransform(defaultProjectionData.mainMatrix);
    gl.bindVertexArray(this.#vertexArray);
    const items = this.#events.collect();
    // The lowest layer that knows says where radars see; both products come from the same radars.
    const coverage = items.find((item) => item.coverage)?.coverage;
    if (coverage) this.#hatch?.draw(programs.hatch, coverage, transform);
    for (const item of items) this.#draw(gl, programs[item.texture.kind], item, transform);
    gl.bindVertexArray(null);
    this.#events.onPainted();
  }

  #draw(
    gl: WebGL2RenderingContext,
    program: RasterProgram,
    item: RasterItem,
    transform: ClipTransform,
  ): void {
    const { texture, frame, opacity, colourTable } = item;
    gl.useProgram(program.program);
    gl.uniform1f(program.opacity, opacity);
    if (colourTable) this.#bindTable(gl, item.id, colourTable);
    const { widthPx, heightPx } = texture;
    for (const tile of texture.tiles) {
      const part = findVisiblePart({ bounds: frame.bounds, widthPx, heightPx }, tile.block, transform);
      if (part) drawTile(gl, program, tile, part);
    }
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

function drawTile(
  gl: WebGL2RenderingContext,
  program: RasterProgram,
  { texture, block }: TextureTile,
  { clip, cells, base }: VisiblePart,
): void {
  gl.activeTexture(gl.TEXTURE0 + pictureUnit);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.uniform4f(program.clip, ...clip);
  gl.uniform4f(program.cells, ...cells);
  gl.uniform2i(program.base, ...base);
  gl.uniform2i(program.last, block.columnEnd - block.columnStart - 1, block.rowEnd - block.rowStart - 1);
  gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
}
