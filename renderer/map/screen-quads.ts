// Draws parts of the screen: one quad for each, all of them in one call.
import type { PixelBlock } from "./screen-blocks.ts";
import type { Screen } from "../frames/screen/screen-geometry.ts";

/** Location of the vertex shaders' only attribute: a quad's left, bottom, right and top in clip space. */
export const quadAttribute = 0;

export class ScreenQuads {
  readonly #gl: WebGL2RenderingContext;
  readonly #vertexArray: WebGLVertexArrayObject;
  readonly #buffer: WebGLBuffer;
  #count = 0;

  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl;
    this.#vertexArray = gl.createVertexArray();
    this.#buffer = gl.createBuffer();
    gl.bindVertexArray(this.#vertexArray);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer);
    gl.enableVertexAttribArray(quadAttribute);
    gl.vertexAttribPointer(quadAttribute, 4, gl.FLOAT, false, 0, 0);
    gl.vertexAttribDivisor(quadAttribute, 1);
    gl.bindVertexArray(null);
  }

  /** Chooses the parts that `draw` draws. Call it before each program's draws: MapLibre binds its own arrays. */
  bind(blocks: readonly PixelBlock[], { widthPx, heightPx }: Screen): void {
    const gl = this.#gl;
    const quads = blocks.flatMap(({ left, bottom, right, top }) => [
      (2 * left) / widthPx - 1,
      (2 * bottom) / heightPx - 1,
      (2 * right) / widthPx - 1,
      (2 * top) / heightPx - 1,
    ]);
    gl.bindVertexArray(this.#vertexArray);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(quads), gl.STREAM_DRAW);
    this.#count = blocks.length;
  }

  draw(): void {
    this.#gl.drawArraysInstanced(this.#gl.TRIANGLE_STRIP, 0, 4, this.#count);
  }

  unbind(): void {
    this.#gl.bindVertexArray(null);
  }

  release(): void {
    this.#gl.deleteVertexArray(this.#vertexArray);
    this.#gl.deleteBuffer(this.#buffer);
  }
}
