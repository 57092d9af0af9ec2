// The custom MapLibre layer that draws storm frames: class indices looked up in a color table, nearest cell, exact in
// Web Mercator. It gives the stage this page's clock, decode workers and GPU, and draws what the stage collects.
import type { CustomLayerInterface, CustomRenderMethodInput } from "maplibre-gl";
import type { ProductId } from "../../shared/contract/index.ts";
import { onNextFrame, schedule } from "../platform/page-effects.ts";
import { uploadSliceBytes, type FrameBudget } from "../platform/viewer-limits.ts";
import { CoverageHatch } from "./coverage-hatch.ts";
import { FrameLoader } from "./frame-loader.ts";
import { beginFrameUpload, releaseFrameTexture } from "./frame-textures.ts";
import type { FrameTexture, TextureTile } from "./frame-textures.ts";
import { createPrograms, pictureUnit, tableUnit } from "./raster-shaders.ts";
import type { RasterProgram, RasterPrograms } from "./raster-shaders.ts";
import { StormStage } from "./storm-stage.ts";
import type { StageEvents, StageItem } from "./storm-stage.ts";
import { findVisiblePart, toClipTransform } from "./visible-part.ts";
import type { ClipTransform, VisiblePart } from "./visible-part.ts";

interface ColorTableTexture {
  readonly texture: WebGLTexture;
  content: Uint8Array | undefined;
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
    this.#tables.clear();
    this.#gl = gl;
    this.stage.resume();
  }

  onRemove(_map: unknown, gl: WebGL2RenderingContext): void {
    for (const { program } of Object.values(this.#programs ?? {}) as RasterProgram[])
      gl.deleteProgram(program);
    this.#hatch?.release();
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

  render(gl: WebGL2RenderingContext, { defaultProjectionData }: CustomRenderMethodInput): void {
    const programs = this.#programs;
    if (!programs) return;
    const transform = toClipTransform(defaultProjectionData.mainMatrix);
    gl.bindVertexArray(this.#vertexArray);
    const items = this.stage.collect();
    // Both products come from the same radars, so the coverage of the lowest layer that has one is enough.
    const coverage = items.find((item) => item.coverage)?.coverage;
    if (coverage) this.#hatch?.draw(programs.hatch, coverage, transform);
    for (const item of items) this.#draw(gl, programs[item.texture.kind], item, transform);
    gl.bindVertexArray(null);
    this.stage.painted();
  }

  #draw(
    gl: WebGL2RenderingContext,
    program: RasterProgram,
    { id, texture, frame, opacity, colorTable }: StageItem<FrameTexture>,
    transform: ClipTransform,
  ): void {
    gl.useProgram(program.program);
    gl.uniform1f(program.opacity, opacity);
    if (colorTable) this.#bindTable(gl, id, colorTable);
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
