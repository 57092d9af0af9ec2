// How different two colors look, for the tests of palettes: CIEDE2000 in CIELAB, and the colors that people with color
// vision deficiencies see.

/** Red, green and blue, 0 to 1, as sRGB encodes them. */
export type Rgb = readonly [red: number, green: number, blue: number];
/** Lightness 0 to 100, then green to red and blue to yellow; white is D65. */
export type Lab = readonly [lightness: number, a: number, b: number];

type Matrix = readonly [Rgb, Rgb, Rgb];

export const visions = ["usual", "protanopia", "deuteranopia", "tritanopia"] as const;
export type Vision = (typeof visions)[number];

/** On linear RGB, severity 1: Machado, Oliveira and Fernandes, IEEE TVCG 15(6), 2009, table 1. */
const simulations: Readonly<Record<Vision, Matrix>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** IEC 61966-2-1: linear sRGB to CIE XYZ, each divided by that of the white D65. */
const whiteXyz: Rgb = [0.95047, 1, 1.08883];
const toXyz: Matrix = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
];

/** Returns the color that a person with this color vision sees. */
export function toLab(color: Rgb, vision: Vision): Lab {
  const linear = multiply(simulations[vision], mapRgb(color, toLinear));
  const xyz = multiply(
    toXyz,
    mapRgb(linear, (value) => Math.min(1, Math.max(0, value))),
  );
  const [x, y, z] = mapRgb(xyz, (value, channel) => toCubeRoot(value / whiteXyz[channel]!));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function toLinear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function toCubeRoot(value: number): number {
  return value > 216 / 24_389 ? Math.cbrt(value) : ((24_389 / 27) * value + 16) / 116;
}

function multiply(rows: Matrix, [x, y, z]: Rgb): Rgb {
  return mapRgb([0, 1, 2], (row) => rows[row]![0] * x + rows[row]![1] * y + rows[row]![2] * z);
}

function mapRgb([first, second, third]: Rgb, map: (value: number, channel: number) => number): Rgb {
  return [map(first, 0), map(second, 1), map(third, 2)];
}

/**
 * Returns CIEDE2000 with weights of 1: about 1 is just noticeable, 10 is plain at a glance. Names as in Sharma, Wu and
 * Dalal, Color Research and Application 30(1), 2005.
 */
export function colorDifference([L1, a1, b1]: Lab, [L2, a2, b2]: Lab): number {
  const meanC = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const G = 0.5 * (1 - Math.sqrt(meanC ** 7 / (meanC ** 7 + 25 ** 7)));
  const C1 = Math.hypot(a1 * (1 + G), b1);
  const C2 = Math.hypot(a2 * (1 + G), b2);
  const h1 = toHue(a1 * (1 + G), b1);
  const h2 = toHue(a2 * (1 + G), b2);
  const isGray = C1 * C2 === 0;
  const dh = isGray ? 0 : toTurn(h2 - h1);
  const dL = L2 - L1;
  const dC = C2 - C1;
  const dH = 2 * Math.sqrt(C1 * C2) * Math.sin(radians(dh / 2));
  const L = (L1 + L2) / 2;
  const C = (C1 + C2) / 2;
  const h = isGray ? h1 + h2 : h1 + dh / 2;
  const T =
    1 -
    0.17 * Math.cos(radians(h - 30)) +
    0.24 * Math.cos(radians(2 * h)) +
    0.32 * Math.cos(radians(3 * h + 6)) -
    0.2 * Math.cos(radians(4 * h - 63));
  const positiveH = ((h % 360) + 360) % 360;
  const turnBlue = 30 * Math.exp(-(((positiveH - 275) / 25) ** 2));
  const RC = 2 * Math.sqrt(C ** 7 / (C ** 7 + 25 ** 7));
  const RT = -Math.sin(radians(2 * turnBlue)) * RC;
  const SL = 1 + (0.015 * (L - 50) ** 2) / Math.sqrt(20 + (L - 50) ** 2);
  const SC = 1 + 0.045 * C;
  const SH = 1 + 0.015 * C * T;
  return Math.sqrt((dL / SL) ** 2 + (dC / SC) ** 2 + (dH / SH) ** 2 + RT * (dC / SC) * (dH / SH));
}

/** Returns the shorter way around, -180 to 180 degrees. */
function toTurn(degrees: number): number {
  if (degrees > 180) return degrees - 360;
  return degrees < -180 ? degrees + 360 : degrees;
}

function toHue(a: number, b: number): number {
  return a === 0 && b === 0 ? 0 : ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360;
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
