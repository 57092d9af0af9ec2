import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { assemblePng } from "../../electron/platform/png/assemble.ts";
import { readChunks } from "./chunks.ts";
import { parseText, type PngText } from "./png-text.ts";
import { insertTexts } from "./text-chunks.ts";

const png = assemblePng({ widthPx: 2, heightPx: 1, bitDepth: 8, colorType: "rgb" }, [
  deflateSync(Uint8Array.of(0, 1, 2, 3, 4, 5, 6)),
]);

test("texts stand after the header, in their order, and everything else stays", () => {
  const texts: PngText[] = [
    { keyword: "Title", text: "Hagelkörner · ½ in 雹 🌩" },
    { keyword: "echotop:picture", text: '{"percent":"50 %"}\nsecond line' },
    { keyword: "Comment", text: "" },
  ];
  const chunks = readChunks(Buffer.concat(insertTexts(png, texts)));
  expect(chunks.map(({ type }) => type)).toEqual(["IHDR", "iTXt", "iTXt", "iTXt", "IDAT", "IEND"]);
  expect(chunks.slice(1, 4).map(parseText)).toEqual(texts);
  const before = readChunks(png);
  expect(chunks[4]!.content).toEqual(before[1]!.content);
});

test("no text leaves the file as it is", () => {
  expect(Buffer.concat(insertTexts(png, []))).toEqual(Buffer.from(png));
});

test("half a character becomes the mark of a damaged one", () => {
  const [, chunk] = readChunks(Buffer.concat(insertTexts(png, [{ keyword: "Title", text: "a\ud83cb" }])));
  expect(parseText(chunk!).text).toBe("a\ufffdb");
});
