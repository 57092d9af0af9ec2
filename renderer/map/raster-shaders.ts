// The GLSL programs of the storm layer. They output premultiplied colors, as MapLibre blends them.

/** A quad of the visible part: the vertex number gives the corner, everything else is uniform. */
const vertexSource = `#version 300 es
precision highp float;
uniform vec4 u_clip;   // left, top, right, bottom
uniform vec4 u_cells;  // the same corners in cells
out vec2 v_cell;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  v_cell = mix(u_cells.xy, u_cells.zw, corner);
  gl_Position = vec4(mix(u_clip.xy, u_clip.zw, corner), 0.0, 1.0);
}`;

const cellSource = `#version 300 es
precision highp float;
precision highp int;
in vec2 v_cell;
uniform ivec2 u_base;
uniform ivec2 u_last;  // the last column and row of the texture
uniform float u_opacity;
out vec4 color;
ivec2 cell() { return clamp(u_base + ivec2(floor(v_cell)), ivec2(0), u_last); }
`;

const indexSource = `${cellSource}
uniform highp usampler2D u_picture;
uniform sampler2D u_table;
void main() {
  int index = int(texelFetch(u_picture, cell(), 0).r);
  vec4 entry = texelFetch(u_table, ivec2(index, 0), 0);
  float alpha = entry.a * u_opacity;
  // Most of a frame is empty, and skipping the blend is faster.
  if (alpha == 0.0) discard;
  color = vec4(entry.rgb * alpha, alpha);
}`;

const colorSource = `${cellSource}
uniform sampler2D u_picture;
void main() {
  color = texelFetch(u_picture, cell(), 0) * u_opacity;
}`;

/** Thin diagonals outside radar coverage, anchored to the map so that they move with it. */
const hatchSource = `#version 300 es
precision highp float;
precision highp int;
in vec2 v_cell;
uniform ivec2 u_base;
uniform ivec2 u_last;
uniform float u_opacity;
uniform vec2 u_hatch;  // distance of the lines and the map's offset across them, in device pixels
uniform highp usampler2D u_picture;
out vec4 color;
void main() {
  float across = mod(gl_FragCoord.x + gl_FragCoord.y + u_hatch.y, u_hatch.x);
  float line = 1.5 - abs(across - 0.5 * u_hatch.x);
  if (line <= 0.0) discard;
  ivec2 cell = u_base + ivec2(floor(v_cell));
  bool inside = all(greaterThanEqual(cell, ivec2(0))) && all(lessThanEqual(cell, u_last));
  if (inside && texelFetch(u_picture, cell, 0).r != 0u) discard;
  float alpha = min(line, 1.0) * u_opacity;
  color = vec4(vec3(0.55, 0.6, 0.66) * alpha, alpha);
}`;

export interface RasterProgram {
  readonly program: WebGLProgram;
  readonly clip: WebGLUniformLocation | null;
  readonly cells: WebGLUniformLocation | null;
  readonly base: WebGLUniformLocation | null;
  readonly last: WebGLUniformLocation | null;
  readonly opacity: WebGLUniformLocation | null;
  readonly hatch: WebGLUniformLocation | null;
}

export interface RasterPrograms {
  readonly indexed: RasterProgram;
  readonly color: RasterProgram;
  readonly hatch: RasterProgram;
}

/** Texture units of the picture and of an indexed picture's color table. */
export const pictureUnit = 0;
export const tableUnit = 1;

export function createPrograms(gl: WebGL2RenderingContext): RasterPrograms {
  return {
    indexed: createProgram(gl, indexSource),
    color: createProgram(gl, colorSource),
    hatch: createProgram(gl, hatchSource),
  };
}

/** @throws Error with the driver's message if it refuses a shader */
function createProgram(gl: WebGL2RenderingContext, fragmentSource: string): RasterProgram {
  const program = gl.createProgram();
  const shaders = [
    compile(gl, gl.VERTEX_SHADER, vertexSource),
    compile(gl, gl.FRAGMENT_SHADER, fragmentSource),
  ];
  for (const shader of shaders) gl.attachShader(program, shader);
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    throw new Error(`The raster layer's program does not link: ${gl.getProgramInfoLog(program) ?? ""}`);
  }
  for (const shader of shaders) gl.deleteShader(shader);
  gl.useProgram(program);
  gl.uniform1i(gl.getUniformLocation(program, "u_picture"), pictureUnit);
  gl.uniform1i(gl.getUniformLocation(program, "u_table"), tableUnit);
  return {
    program,
    clip: gl.getUniformLocation(program, "u_clip"),
    cells: gl.getUniformLocation(program, "u_cells"),
    base: gl.getUniformLocation(program, "u_base"),
    last: gl.getUniformLocation(program, "u_last"),
    opacity: gl.getUniformLocation(program, "u_opacity"),
    hatch: gl.getUniformLocation(program, "u_hatch"),
  };
}

function compile(gl: WebGL2RenderingContext, type: number, source: string): WebGLShader {
  const shader = gl.createShader(type);
  if (!shader) throw new Error("The graphics context is lost.");
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) {
    throw new Error(`A shader of the raster layer does not compile: ${gl.getShaderInfoLog(shader) ?? ""}`);
  }
  return shader;
}
