// Draws a faint hatch outside radar coverage, to distinguish it from coverage without echo. Part of the storm layer.
import type { CoverageGrid } from "../../shared/frames/coverage-grid.ts";
import { isSameCoverage, toCoverageMask, type CoverageMask } from "./coverage-mask.ts";
import { pictureUnit, type RasterProgram } from "./raster-shaders.ts";
import { hatchOpacity, toHatchPattern } from "./hatch-pattern.ts";
import { findCellView, type ClipTransform, type Screen } from "../frames/screen/screen-geometry.ts";
import { wholeScreen } from "./screen-blocks.ts";
import type { ScreenQuads } from "./screen-quads.ts";

interface HatchedScreen {
  readonly quads: ScreenQuads;
  readonly transform: ClipTransform;
  readonly screen: Screen;
  /** Device pixels in a CSS pixel. */
  readonly pixelRatio: number;
}

export class CoverageHatch {
  readonly #gl: WebGL2RenderingContext;
  readonly #texture: WebGLTexture;
  #grid: CoverageGrid | undefined;
  #mask: CoverageMask | undefined;

  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl;
    this.#texture = gl.createTexture();
  }

  draw(
    program: RasterProgram,
    grid: CoverageGrid,
    { quads, transform, screen, pixelRatio }: HatchedScreen,
  ): void {
    const gl = this.#gl;
    gl.activeTexture(gl.TEXTURE0 + pictureUnit);
    gl.bindTexture(gl.TEXTURE_2D, this.#texture);
    const mask = this.#setGrid(grid);
    const { base, origin, perPixel } = findCellView(mask, transform, screen);
    gl.useProgram(program.program);
    gl.uniform2i(program.base, ...base);
    gl.uniform2f(program.origin, ...origin);
    gl.uniform2f(program.perPixel, ...perPixel);
    gl.uniform2i(program.last, mask.widthPx - 1, mask.heightPx - 1);
    gl.uniform1f(program.opacity, hatchOpacity);
    gl.uniform2f(program.hatch, ...toHatchPattern(transform, screen, pixelRatio));
    quads.bind(wholeScreen(screen), screen);
    quads.draw();
  }

  release(): void {
    this.#gl.deleteTexture(this.#texture);
  }

  /** Uploads the mask if it differs from the current one; from frame to frame it rarely does. */
  #setGrid(grid: CoverageGrid): CoverageMask {
    if (this.#mask && this.#grid && isSameCoverage(grid, this.#grid)) return this.#mask;
    const gl = this.#gl;
    const mask = toCoverageMask(grid);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.texImage2D(
      gl.TEXTURE_2D,
      0,
      gl.R8UI,
      mask.widthPx,
      mask.heightPx,
      0,
      gl.RED_INTEGER,
      gl.UNSIGNED_BYTE,
      mask.cells,
    );
    this.#grid = grid;
    this.#mask = mask;
    return mask;
  }
}
