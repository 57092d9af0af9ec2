// The offscreen pictures between the two passes of the storm layer: the class of each pixel of the screen, one picture
// for each layer. Owns the graphics state of the first pass; MapLibre sets its own again afterward.

interface ClassTarget {
  readonly framebuffer: WebGLFramebuffer;
  readonly texture: WebGLTexture;
}

export class ClassTargets {
  readonly #gl: WebGL2RenderingContext;
  /** By number; those of layers that need none are absent. */
  readonly #targets = new Map<number, ClassTarget>();
  #widthPx = 0;
  #heightPx = 0;

  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl;
  }

  /** Sets up the first pass: whatever is drawn of a pixel, its highest value stays. */
  begin(): void {
    const gl = this.#gl;
    const { drawingBufferWidth: widthPx, drawingBufferHeight: heightPx } = gl;
    if (widthPx !== this.#widthPx || heightPx !== this.#heightPx) this.release();
    this.#widthPx = widthPx;
    this.#heightPx = heightPx;
    gl.viewport(0, 0, widthPx, heightPx);
    for (const test of [gl.DEPTH_TEST, gl.STENCIL_TEST, gl.SCISSOR_TEST, gl.CULL_FACE]) gl.disable(test);
    gl.colorMask(true, true, true, true);
    gl.enable(gl.BLEND);
    gl.blendEquation(gl.MAX);
  }

  /** Clears the target with this number, and draws into it from now on. */
  open(index: number): void {
    const gl = this.#gl;
    const target = this.#targets.get(index) ?? this.#create();
    this.#targets.set(index, target);
    gl.bindFramebuffer(gl.FRAMEBUFFER, target.framebuffer);
    gl.clearBufferfv(gl.COLOR, 0, [0, 0, 0, 0]);
  }

  end(): void {
    const gl = this.#gl;
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.blendEquation(gl.FUNC_ADD);
  }

  /** Returns the classes drawn into a target, each as its palette index / 255. */
  textureOf(index: number): WebGLTexture {
    return this.#targets.get(index)!.texture;
  }

  release(): void {
    for (const { framebuffer, texture } of this.#targets.values()) {
      this.#gl.deleteFramebuffer(framebuffer);
      this.#gl.deleteTexture(texture);
    }
    this.#targets.clear();
  }

  #create(): ClassTarget {
    const gl = this.#gl;
    const texture = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.R8, this.#widthPx, this.#heightPx);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    const framebuffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    return { framebuffer, texture };
  }
}
