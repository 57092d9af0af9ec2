import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { NotAMapError, openArchive } from "./map-archive.ts";

const none = 1;
const gzip = 2;
const vectorTiles = 1;
const pictures = 2;

interface Parts {
  readonly directory?: Uint8Array;
  readonly metadata?: Uint8Array | string;
  readonly tile?: Uint8Array;
  /** Compression of the directory and the metadata, and of the tile. */
  readonly compressions?: readonly [number, number];
  readonly tileType?: number;
}

/** Returns a PMTiles file, version 3, with one tile at zoom 0. */
function createFile(parts: Parts): File {
  const { compressions = [none, none], tileType = vectorTiles, tile = Buffer.from("tile") } = parts;
  // One entry: tile 0 once, its length, and the start of the tiles.
  const directory = parts.directory ?? Buffer.from([1, 0, 1, ...varint(tile.length), 1]);
  const metadata = Buffer.from(parts.metadata ?? "{}");
  const header = Buffer.alloc(127);
  header.write("PMTiles");
  header.writeUInt8(3, 7);
  const sections = [directory, metadata, Buffer.alloc(0), tile];
  let offset = header.length;
  sections.forEach(({ length }, index) => {
    header.writeBigUInt64LE(BigInt(offset), 8 + 16 * index);
    header.writeBigUInt64LE(BigInt(length), 16 + 16 * index);
    offset += length;
  });
  header.set([1, ...compressions, tileType, 0, 0], 96);
  return new File([new Uint8Array(Buffer.concat([header, ...sections]))], "town.pmtiles");
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)];
}

function named(...ids: readonly string[]): string {
  return JSON.stringify({ vector_layers: ids.map((id) => ({ id, fields: { name: "String" } })) });
}

async function problemOf(file: File): Promise<string> {
  const problem = await openArchive(file).catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(NotAMapError);
  return (problem as NotAMapError).message;
}

describe("a map file", () => {
  test("gives its layers and its tile, packed or not", async () => {
    for (const compression of [none, gzip]) {
      const pack = (data: Uint8Array): Uint8Array => (compression === gzip ? gzipSync(data) : data);
      const tile = pack(Buffer.from("the tile"));
      const file = createFile({
        tile,
        directory: pack(Buffer.from([1, 0, 1, ...varint(tile.length), 1])),
        metadata: pack(Buffer.from(named("roads", "towns"))),
        compressions: [compression, compression],
      });
      const { layers, isVector, tiles } = await openArchive(file);
      expect(isVector).toBe(true);
      expect(layers.map(({ id }) => id)).toEqual(["roads", "towns"]);
      expect(Buffer.from((await tiles.getZxy(0, 0, 0))!.data).toString()).toBe("the tile");
    }
  });

  test("has each layer once, whatever its metadata repeat", async () => {
    const { layers } = await openArchive(createFile({ metadata: named("roads", "towns", "roads") }));
    expect(layers.map(({ id }) => id)).toEqual(["roads", "towns"]);
  });

  test("of pictures needs no layers", async () => {
    const { isVector, layers } = await openArchive(createFile({ metadata: "5", tileType: pictures }));
    expect({ isVector, layers }).toEqual({ isVector: false, layers: [] });
  });

  test.each(["{}", "5", "null", "[]", '"roads"', '{"vector_layers":{}}', '{"vector_layers":[5]}', named()])(
    "without layers is refused: %s",
    async (metadata) => {
      expect(await problemOf(createFile({ metadata }))).toBe("town.pmtiles names no layers.");
    },
  );

  test("with too many layers is refused with their number", async () => {
    const ids = Array.from({ length: 65 }, (_, index) => `layer ${index}`);
    expect(await problemOf(createFile({ metadata: named(...ids) }))).toBe(
      "town.pmtiles has 65 layers. The viewer shows at most 64.",
    );
    expect((await openArchive(createFile({ metadata: named(...ids.slice(1)) }))).layers).toHaveLength(64);
  });

  test("is refused if it is something else, or damaged", async () => {
    const problem = "town.pmtiles is not a PMTiles file.";
    expect(await problemOf(new File(["Not a map. ".repeat(20)], "town.pmtiles"))).toBe(problem);
    expect(await problemOf(new File([], "town.pmtiles"))).toBe(problem);
    expect(await problemOf(createFile({ metadata: "{" }))).toBe(problem);
    expect(await problemOf(createFile({ compressions: [gzip, none] }))).toBe(problem);
  });
});

describe("a hostile map file", () => {
  const problem = "town.pmtiles unpacks to more than this viewer can hold.";

  test("is refused if its directory unpacks to more than a mebibyte", async () => {
    // Claims 15 million tiles in a few kilobytes.
    const directory = gzipSync(Buffer.concat([Buffer.from(varint(15_000_000)), Buffer.alloc(14e6)]));
    expect(directory.length).toBeLessThan(16_000);
    expect(await problemOf(createFile({ directory, compressions: [gzip, none] }))).toBe(problem);
  });

  test("is refused if its metadata are too long, packed or unpacked", async () => {
    const long = Buffer.from(`{"description":"${" ".repeat(5e6)}"}`);
    expect(await problemOf(createFile({ metadata: long }))).toBe(problem);
    const directory = gzipSync(Buffer.from([1, 0, 1, 4, 1]));
    const packed = createFile({ directory, metadata: gzipSync(long), compressions: [gzip, none] });
    expect(await problemOf(packed)).toBe(problem);
  });

  test("does not unpack a tile that is too long", async () => {
    const tile = gzipSync(Buffer.alloc(5e6));
    const file = createFile({ tile, metadata: named("roads"), compressions: [none, gzip] });
    const { tiles } = await openArchive(file);
    await expect(tiles.getZxy(0, 0, 0)).rejects.toThrow(problem);
  });
});
