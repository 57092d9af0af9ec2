// Writes a small PMTiles archive (version 3) with one vector tile (Mapbox Vector Tile 2.1), without compression:
// upright lines around the world, so close that any view of a state shows some.

const extent = 4096;
const lineStep = 2;
const headerLength = 127;

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest >>>= 7;
  }
  return [...bytes, rest];
}

/** A field of a protocol buffer that has a length. */
function field(number: number, content: readonly number[]): number[] {
  return [...varint((number << 3) | 2), ...varint(content.length), ...content];
}

function text(value: string): number[] {
  return [...Buffer.from(value)];
}

/** A line from the top of the tile at `x` to its bottom: a move to a point, and a line by a step (zigzag encoding). */
function uprightLine(x: number): number[] {
  const moveTo = (1 << 3) | 1;
  const lineTo = (1 << 3) | 2;
  const geometry = [moveTo, x * 2, 0, lineTo, 0, extent * 2].flatMap(varint);
  return field(2, [(3 << 3) | 0, 2, ...field(4, geometry)]);
}

function createTile(layer: string): number[] {
  const lines = Array.from({ length: extent / lineStep }, (_, index) => uprightLine(index * lineStep)).flat();
  return field(3, [...field(1, text(layer)), ...lines, (5 << 3) | 0, ...varint(extent), (15 << 3) | 0, 2]);
}

/** Returns the bytes of an archive whose one layer has this name. */
export function createPmtiles(layer: string): Buffer {
  const tile = createTile(layer);
  // One entry: tile 0 once, its length, and the start of the tiles.
  const directory = [1, 0, 1, ...varint(tile.length), 1];
  const metadata = text(JSON.stringify({ vector_layers: [{ id: layer, fields: {} }] }));
  const header = Buffer.alloc(headerLength);
  header.write("PMTiles");
  header.writeUInt8(3, 7);
  const parts = [directory.length, metadata.length, 0, tile.length];
  let offset = headerLength;
  parts.forEach((length, index) => {
    header.writeBigUInt64LE(BigInt(offset), 8 + 16 * index);
    header.writeBigUInt64LE(BigInt(length), 16 + 16 * index);
    offset += length;
  });
  for (const at of [72, 80, 88]) header.writeBigUInt64LE(1n, at);
  // Clustered, no compression of directory and tiles, vector tiles, zoom 0 alone.
  header.set([1, 1, 1, 1, 0, 0], 96);
  [-180, -85, 180, 85].forEach((degrees, index) => {
    header.writeInt32LE(degrees * 1e7, 102 + 4 * index);
  });
  return Buffer.concat([header, Buffer.from(directory), Buffer.from(metadata), Buffer.from(tile)]);
}
