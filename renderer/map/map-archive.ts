// Opens a PMTiles archive that the user chose, and reads its parts from the file: no request leaves this page. The
// file may be hostile: nothing in it is unpacked beyond a limit, because a few kilobytes can claim gigabytes.
import type { Compression, Header, PMTiles } from "pmtiles";
import * as z from "zod";
import { toStream } from "../frames/inflate-stream.ts";

/** Packed and unpacked length of a directory; holds 260,000 tiles, many times what writers put into one. */
const mostDirectoryBytes = 2 ** 20;
/** Packed and unpacked length of a tile or of the metadata. */
const mostContentBytes = 4 * 2 ** 20;
/** Directories in memory. */
const mostDirectories = 16;
const mostLayers = 64;

/** The layers that a vector archive names; none if its metadata are not what the specification says. */
const Metadata = z
  .object({
    vector_layers: z.array(z.object({ id: z.string(), fields: z.record(z.string(), z.unknown()).catch({}) })),
  })
  .catch({ vector_layers: [] });

export type VectorLayer = z.infer<typeof Metadata>["vector_layers"][number];

export interface MapArchive {
  readonly key: string;
  readonly isVector: boolean;
  /** Layers with different ids; empty for an archive of pictures. */
  readonly layers: readonly VectorLayer[];
  readonly tiles: PMTiles;
}

/** Thrown for a file that cannot be shown as a map; the message is a sentence for a person. */
export class NotAMapError extends Error {
  override readonly name = "NotAMapError";
}

let opened = 0;

/** Opens a PMTiles file, of version 3 or before. Throws a NotAMapError if it cannot be used. */
export async function openArchive(file: File): Promise<MapArchive> {
  const { PMTiles, SharedPromiseCache, TileType } = await import("pmtiles");
  const key = `file-${++opened}`;
  const limits = new WeakMap<ArrayBuffer, number>();
  let header: Header | undefined;
  const source = {
    getKey: () => key,
    getBytes: async (offset: number, length: number) => {
      const limit = header && isDirectory(header, offset) ? mostDirectoryBytes : mostContentBytes;
      if (length > limit) throw tooLarge(file);
      const data = await file.slice(offset, offset + length).arrayBuffer();
      limits.set(data, limit);
      return { data };
    },
  };
  const decompress = async (data: ArrayBuffer, compression: Compression): Promise<ArrayBuffer> => {
    // The root directory alone is a copy out of what was read.
    const unpacked = await unpack(data, compression, limits.get(data) ?? mostDirectoryBytes);
    if (!unpacked) throw tooLarge(file);
    return unpacked;
  };
  // The cache unpacks directories, the archive all else.
  const tiles = new PMTiles(source, new SharedPromiseCache(mostDirectories, true, decompress), decompress);
  let metadata: unknown;
  try {
    header = await tiles.getHeader();
    metadata = await tiles.getMetadata();
  } catch (error) {
    if (error instanceof NotAMapError) throw error;
    throw new NotAMapError(`${file.name} is not a PMTiles file.`, { cause: error });
  }
  const isVector = header.tileType === TileType.Mvt;
  return { key, isVector, layers: isVector ? findLayers(file, metadata) : [], tiles };
}

function isDirectory({ leafDirectoryOffset, leafDirectoryLength = 0 }: Header, offset: number): boolean {
  return offset >= leafDirectoryOffset && offset < leafDirectoryOffset + leafDirectoryLength;
}

function tooLarge({ name }: File): NotAMapError {
  return new NotAMapError(`${name} unpacks to more than this viewer can hold.`);
}

function findLayers({ name }: File, metadata: unknown): VectorLayer[] {
  const named = Metadata.parse(metadata).vector_layers;
  const layers = [...new Map(named.map((layer) => [layer.id, layer])).values()];
  if (layers.length === 0) throw new NotAMapError(`${name} names no layers.`);
  if (layers.length <= mostLayers) return layers;
  throw new NotAMapError(`${name} has ${layers.length} layers. The viewer shows at most ${mostLayers}.`);
}

/** Returns undefined, and stops, if the result would be longer than `limit` bytes. */
async function unpack(
  data: ArrayBuffer,
  compression: Compression,
  limit: number,
): Promise<ArrayBuffer | undefined> {
  const { Compression: known } = await import("pmtiles");
  if (compression === known.None || compression === known.Unknown) {
    return data.byteLength > limit ? undefined : data;
  }
  if (compression !== known.Gzip) throw new Error(`The compression ${compression} is not supported.`);
  const reader = toStream([new Uint8Array(data)])
    .pipeThrough(new DecompressionStream("gzip"))
    .getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(pieces).arrayBuffer();
    length += value.length;
    if (length > limit) {
      await reader.cancel();
      return undefined;
    }
    pieces.push(value);
  }
}
