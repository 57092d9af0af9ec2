// The GLSL programs of the storm layer. A frame of classes is drawn by `direct`, or in two passes where pixels depend
// on their neighbors: `classes` finds the class of each pixel of the screen, and `paint` gives it its color. All but
// `classes` output premultiplied colors, as MapLibre blends them.
import { outlineColors } from "../../shared/frames/outlines.ts";
import { toRgba } from "../../shared/products/palettes.ts";
import { centerSlack } from "../frames/screen/screen-geometry.ts";
import { hatchColor } from "./hatch-pattern.ts";
import { quadAttribute } from "./screen-quads.ts";

/** The quads of an instanced draw: the vertex number gives the corner, and each quad is a rectangle of clip space. */
const vertexSource = `#version 300 es
precision highp float;
layout(location = ${quadAttribute}) in vec4 a_quad;  // left, bottom, right, top
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  gl_Position = vec4(mix(a_quad.xy, a_quad.zw, corner), 0.0, 1.0);
}`;

/** Counts cells: the place of a pixel in the picture, as in `CellView`. */
const cellSource = `#version 300 es
precision highp float;
precision highp int;
uniform ivec2 u_base;
uniform vec2 u_origin;
uniform vec2 u_perPixel;
uniform ivec2 u_last;  // the last column and row of the texture
vec2 place() { return u_origin + gl_FragCoord.xy * u_perPixel; }
bool isOutside(ivec2 cell) { return any(lessThan(cell, ivec2(0))) || any(greaterThan(cell, u_last)); }
`;

/**
 * Finds the class of each pixel: that of the cell at its center where a cell is at least as large as a pixel, else the
 * highest of all cells whose centers it contains. The blocks of a level that contain those cells reach beyond the pixel
 * by less than its size.
 */
const classSource = `${cellSource}
uniform ivec2 u_gathers;  // 1 across and down where a pixel is larger than a cell
uniform ivec2 u_levels;   // the level to look for any class, and the level to find the highest
uniform highp usampler2D u_picture;

int highest(ivec2 first, ivec2 last, int level) {
  ivec2 from = first >> level;
  ivec2 to = last >> level;
  uint most = 0u;
  for (int row = from.y; row <= to.y; row++) {
    for (int column = from.x; column <= to.x; column++) {
      most = max(most, texelFetch(u_picture, ivec2(column, row), level).r);
    }
  }
  return int(most);
}

int classHere() {
  vec2 at = place();
  ivec2 center = u_base + ivec2(floor(at));
  vec2 reach = 0.5 * abs(u_perPixel) + ${centerSlack};
  ivec2 begin = u_base + ivec2(ceil(at - reach - 0.5));
  ivec2 end = u_base + ivec2(floor(at + reach - 0.5));
  ivec2 first = ivec2(u_gathers.x == 1 ? max(begin.x, 0) : center.x, u_gathers.y == 1 ? max(begin.y, 0) : center.y);
  ivec2 last = ivec2(
    u_gathers.x == 1 ? min(end.x, u_last.x) : center.x,
    u_gathers.y == 1 ? min(end.y, u_last.y) : center.y
  );
  if (any(lessThan(last, first)) || isOutside(first) || isOutside(last)) return 0;
  int most = highest(first, last, u_levels.x);
  // Most of a frame is empty.
  return most == 0 || u_levels.y == u_levels.x ? most : highest(first, last, u_levels.y);
}
`;

/** The classes alone, for `paint`. */
const classesSource = `${classSource}
out vec4 found;
void main() {
  int index = classHere();
  if (index == 0) discard;
  found = vec4(float(index) / 255.0, 0.0, 0.0, 1.0);
}`;

/** Classes and colors at once, for a picture without marks and contours. */
const directSource = `${classSource}
uniform sampler2D u_table;
uniform float u_opacity;
out vec4 color;
void main() {
  int index = classHere();
  if (index == 0) discard;
  vec4 entry = texelFetch(u_table, ivec2(index, 0), 0);
  float alpha = entry.a * u_opacity;
  color = vec4(entry.rgb * alpha, alpha);
}`;

const paintSource = `#version 300 es
precision highp float;
precision highp int;
uniform sampler2D u_picture;  // the classes of the screen's pixels
uniform sampler2D u_table;
uniform float u_opacity;
uniform ivec2 u_mark;  // the lowest class that is marked, and the width of a mark in device pixels
uniform ivec3 u_outline;  // the lowest class inside each contour, and the width of the lines in device pixels
out vec4 color;

int classAt(ivec2 pixel) {
  bool isOutside = any(lessThan(pixel, ivec2(0))) || any(greaterThanEqual(pixel, textureSize(u_picture, 0)));
  return isOutside ? 0 : int(texelFetch(u_picture, pixel, 0).r * 255.0 + 0.5);
}

// A marked class grows to the right and down from its left and top edge, so that only what is too narrow grows.
int marked(ivec2 pixel) {
  int most = 0;
  for (int down = 0; down < u_mark.y; down++) {
    for (int right = 0; right < u_mark.y; right++) {
      ivec2 corner = pixel + ivec2(-right, down);
      int index = classAt(corner);
      if (index <= most || index < u_mark.x) continue;
      bool isLeft = right == 0 || classAt(corner - ivec2(1, 0)) < u_mark.x;
      bool isTop = down == 0 || classAt(corner + ivec2(0, 1)) < u_mark.x;
      if (isLeft && isTop) most = index;
    }
  }
  return most;
}

// The distance in pixels from outside a contour to its inside; 0 if that is more than the width of a line. The same as
// traceOutlines of shared/frames/outlines.ts.
int distanceInside(ivec2 pixel, int index) {
  int edge = index < u_outline.x ? u_outline.x : u_outline.y;
  if (index >= edge) return 0;
  for (int away = 1; away <= u_outline.z; away++) {
    // Around the square at this distance, on its four sides at once.
    for (int along = -away; along < away; along++) {
      bool isInside = classAt(pixel + ivec2(along, -away)) >= edge || classAt(pixel + ivec2(away, along)) >= edge ||
        classAt(pixel + ivec2(-along, away)) >= edge || classAt(pixel + ivec2(-away, -along)) >= edge;
      if (isInside) return away;
    }
  }
  return 0;
}

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  int index = classAt(pixel);
  if (u_mark.y > 1) index = max(index, marked(pixel));
  int away = distanceInside(pixel, index);
  if (away > 0) {
    vec3 line = 2 * away <= u_outline.z ? ${toVec3(outlineColors.light)} : ${toVec3(outlineColors.dark)};
    color = vec4(line * u_opacity, u_opacity);
    return;
  }
  if (index == 0) discard;
  vec4 entry = texelFetch(u_table, ivec2(index, 0), 0);
  float alpha = entry.a * u_opacity;
  color = vec4(entry.rgb * alpha, alpha);
}`;

const colorSource = `${cellSource}
uniform float u_opacity;
uniform sampler2D u_picture;
out vec4 color;
void main() {
  ivec2 cell = u_base + ivec2(floor(place()));
  if (isOutside(cell)) discard;
  color = texelFetch(u_picture, cell, 0) * u_opacity;
}`;

/** Thin diagonals outside radar coverage, anchored to the map so that they move with it. */
const hatchSource = `${cellSource}
uniform float u_opacity;
uniform vec2 u_hatch;  // distance of the lines and the map's offset across them, in device pixels
uniform highp usampler2D u_picture;
out vec4 color;
void main() {
  float across = mod(gl_FragCoord.x + gl_FragCoord.y + u_hatch.y, u_hatch.x);
  float line = 1.5 - abs(across - 0.5 * u_hatch.x);
  if (line <= 0.0) discard;
  ivec2 cell = u_base + ivec2(floor(place()));
  if (!isOutside(cell) && texelFetch(u_picture, cell, 0).r != 0u) discard;
  float alpha = min(line, 1.0) * u_opacity;
  color = vec4(vec3(${hatchColor.join(", ")}) * alpha, alpha);
}`;

export interface RasterProgram {
  readonly program: WebGLProgram;
  readonly base: WebGLUniformLocation | null;
  readonly origin: WebGLUniformLocation | null;
  readonly perPixel: WebGLUniformLocation | null;
  readonly last: WebGLUniformLocation | null;
  readonly opacity: WebGLUniformLocation | null;
  readonly hatch: WebGLUniformLocation | null;
  readonly gathers: WebGLUniformLocation | null;
  readonly levels: WebGLUniformLocation | null;
  readonly mark: WebGLUniformLocation | null;
  readonly outline: WebGLUniformLocation | null;
}

export interface RasterPrograms {
  readonly classes: RasterProgram;
  readonly paint: RasterProgram;
  readonly direct: RasterProgram;
  readonly color: RasterProgram;
  readonly hatch: RasterProgram;
}

/** Texture units of the picture, or its classes, and of the color table. */
export const pictureUnit = 0;
export const tableUnit = 1;

export function createPrograms(gl: WebGL2RenderingContext): RasterPrograms {
  return {
    classes: createProgram(gl, classesSource),
    paint: createProgram(gl, paintSource),
    direct: createProgram(gl, directSource),
    color: createProgram(gl, colorSource),
    hatch: createProgram(gl, hatchSource),
  };
}

/** Returns a color as GLSL. */
function toVec3(color: string): string {
  const [red, green, blue] = toRgba(color).map((value) => (value / 255).toFixed(4));
  return `vec3(${red}, ${green}, ${blue})`;
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
    base: gl.getUniformLocation(program, "u_base"),
    origin: gl.getUniformLocation(program, "u_origin"),
    perPixel: gl.getUniformLocation(program, "u_perPixel"),
    last: gl.getUniformLocation(program, "u_last"),
    opacity: gl.getUniformLocation(program, "u_opacity"),
    hatch: gl.getUniformLocation(program, "u_hatch"),
    gathers: gl.getUniformLocation(program, "u_gathers"),
    levels: gl.getUniformLocation(program, "u_levels"),
    mark: gl.getUniformLocation(program, "u_mark"),
    outline: gl.getUniformLocation(program, "u_outline"),
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
