// Renders the application's icon from its drawing: PNGs for Linux, an ICO for Windows, an ICNS for macOS. Run by hand
// after the drawing has changed: `node e2e/run/render-icons.ts`.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { findBrowser } from "./browser.ts";
import { projectRoot } from "./steps.ts";

const folder = join(projectRoot, "assets", "icons");
const sizes = [16, 32, 48, 64, 128, 256, 512, 1024] as const;
type Size = (typeof sizes)[number];
type Pictures = ReadonlyMap<Size, Buffer>;

/** Size of the window's icon in pixels. */
const windowSize: Size = 512;
const icoSizes: readonly Size[] = [16, 32, 48, 64, 128, 256];
/** Apple's type codes: first the plain sizes, then the same pictures as Retina versions of half the size. */
const icnsTypes: readonly (readonly [code: string, size: Size])[] = [
  ["ic07", 128],
  ["ic08", 256],
  ["ic09", 512],
  ["ic10", 1024],
  ["ic11", 32],
  ["ic12", 64],
  ["ic13", 256],
  ["ic14", 512],
];

async function renderPicture(page: Page, drawing: string, sizePx: Size): Promise<Buffer> {
  await page.setViewportSize({ width: sizePx, height: sizePx });
  await page.setContent(
    `<style>html,body{margin:0;background:transparent}svg{display:block;width:${sizePx}px;height:${sizePx}px}</style>${drawing}`,
  );
  return page.screenshot({ omitBackground: true });
}

/** Builds an ICO file: a directory of 16-byte entries, then the pictures as PNG, which Windows supports since Vista. */
function toIco(pictures: Pictures): Buffer {
  const header = Buffer.alloc(6 + 16 * icoSizes.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(icoSizes.length, 4);
  let offset = header.length;
  icoSizes.forEach((size, index) => {
    const entry = 6 + 16 * index;
    const { length } = pictures.get(size)!;
    // Each side takes one byte; 0 means 256.
    header.writeUInt8(size % 256, entry);
    header.writeUInt8(size % 256, entry + 1);
    header.writeUInt16LE(1, entry + 4);
    header.writeUInt16LE(32, entry + 6);
    header.writeUInt32LE(length, entry + 8);
    header.writeUInt32LE(offset, entry + 12);
    offset += length;
  });
  return Buffer.concat([header, ...icoSizes.map((size) => pictures.get(size)!)]);
}

/** Builds an ICNS file: "icns", the total length, then each picture as PNG after its type code and length. */
function toIcns(pictures: Pictures): Buffer {
  const chunks = icnsTypes.map(([code, size]) => toIcnsChunk(code, pictures.get(size)!));
  return toIcnsChunk("icns", Buffer.concat(chunks));
}

function toIcnsChunk(code: string, body: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.write(code, "latin1");
  header.writeUInt32BE(8 + body.length, 4);
  return Buffer.concat([header, body]);
}

const { executablePath } = await findBrowser();
const browser = await chromium.launch({
  executablePath,
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
try {
  const page = await browser.newPage();
  const drawing = readFileSync(join(folder, "echotop.svg"), "utf8");
  const pictures = new Map<Size, Buffer>();
  for (const size of sizes) pictures.set(size, await renderPicture(page, drawing, size));
  for (const [size, picture] of pictures) writeFileSync(join(folder, `${size}x${size}.png`), picture);
  writeFileSync(join(folder, "echotop.png"), pictures.get(windowSize)!);
  writeFileSync(join(folder, "echotop.ico"), toIco(pictures));
  writeFileSync(join(folder, "echotop.icns"), toIcns(pictures));
} finally {
  await browser.close();
}
