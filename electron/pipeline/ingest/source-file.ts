// Reading a local source file: its first bytes for its header, or all of it for its picture, with what the file says of itself.
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { AppError } from "../../../shared/app-error.ts";
import { toInstant } from "../../catalog/instants.ts";
import type { FieldHeader } from "../grib2/field.ts";
import { MAX_MESSAGE_BYTES } from "../grib2/sections.ts";
import type { Product } from "../../../shared/products/product.ts";
import { PEEK_BYTES, peekFile } from "../raster/render-file.ts";

export interface SourceFacts {
  readonly byteLength: number;
  readonly lastModifiedAt: string;
}

export interface PeekedSource extends SourceFacts {
  readonly header: FieldHeader;
  readonly product: Product | undefined;
}

export interface ReadSource extends SourceFacts {
  /** The file's bytes as they are. */
  readonly bytes: Uint8Array;
  /** SHA-256 of `bytes`, lower-case hexadecimal. */
  readonly sha256: string;
}

/** Reads a file's header. @throws AppError `source-invalid`; errors of the disk */
export async function peekSource(path: string): Promise<PeekedSource> {
  return withFile(path, async (file, facts) => {
    const prefix = Buffer.alloc(Math.min(PEEK_BYTES, facts.byteLength));
    const { bytesRead } = await file.read(prefix, 0, prefix.length, 0);
    return { ...facts, ...peekFile(prefix.subarray(0, bytesRead)) };
  });
}

/** Reads a whole file. @throws AppError `source-invalid` for one that is too large; errors of the disk */
export async function readSource(path: string): Promise<ReadSource> {
  return withFile(path, async (file, facts) => {
    const bytes = await file.readFile();
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    return { ...facts, byteLength: bytes.byteLength, bytes, sha256 };
  });
}

/** The RFC 6920 name of a file by its SHA-256: what a client learns of where a local file came from. */
export function toNameUri(sha256: string): string {
  return `ni:///sha-256;${Buffer.from(sha256, "hex").toString("base64url")}`;
}

/** Without waiting: opening a pipe would else last until somebody writes into it. Windows has no such flag and needs none. */
const openFlags = constants.O_RDONLY | ((constants as Partial<typeof constants>).O_NONBLOCK ?? 0);

async function withFile<Result>(
  path: string,
  use: (file: FileHandle, facts: SourceFacts) => Promise<Result>,
): Promise<Result> {
  const file = await open(path, openFlags);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new AppError("source-invalid", "A file is expected, but it is none.");
    if (stats.size > MAX_MESSAGE_BYTES) {
      const text = `A file of at most ${MAX_MESSAGE_BYTES} bytes is expected, but it has ${stats.size}.`;
      throw new AppError("source-invalid", text);
    }
    return await use(file, { byteLength: stats.size, lastModifiedAt: toInstant(Math.floor(stats.mtimeMs)) });
  } finally {
    await file.close();
  }
}
