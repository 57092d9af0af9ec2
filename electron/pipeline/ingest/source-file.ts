// Reads a local source file, either its header or all of it, with its size and modification time.
import { createHash } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { open, stat, type FileHandle } from "node:fs/promises";
import { AppError } from "../../../shared/app-error.ts";
import { toInstant } from "../../catalog/plans/instants.ts";
import type { FieldHeader } from "../grib2/field.ts";
import { extraFieldLength } from "../grib2/gunzip.ts";
import { MAX_MESSAGE_BYTES } from "../grib2/sections.ts";
import type { Product } from "../../../shared/products/product.ts";
import { PEEK_BYTES, peekFile } from "../raster/peek-file.ts";

export interface SourceFacts {
  readonly byteLength: number;
  readonly lastModifiedAt: string;
}

export interface PeekedSource extends SourceFacts {
  readonly header: FieldHeader;
  readonly product: Product | undefined;
  /** Most bytes of memory that drawing takes, estimated. */
  readonly workBytes: number;
}

export interface ReadSource extends SourceFacts {
  readonly bytes: Uint8Array;
  /** SHA-256 of `bytes`, lower-case hexadecimal. */
  readonly sha256: string;
}

/** Reads a file's header. @throws AppError `source-invalid`; errors of the disk */
export async function peekSource(path: string): Promise<PeekedSource> {
  return withFile(path, async (file, facts) => {
    const prefix = await readStart(file, Math.min(PEEK_BYTES, facts.byteLength));
    const extraBytes = extraFieldLength(prefix);
    if (extraBytes === 0) return { ...facts, ...peekFile(prefix) };
    const longer = await readStart(file, Math.min(extraBytes + PEEK_BYTES, facts.byteLength));
    return { ...facts, ...peekFile(longer) };
  });
}

async function readStart(file: FileHandle, byteLength: number): Promise<Uint8Array> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(byteLength), 0, byteLength, 0);
  return buffer.subarray(0, bytesRead);
}

/** Reads a whole file. @throws AppError `source-invalid` if it is too large; errors of the disk */
export async function readSource(path: string): Promise<ReadSource> {
  return withFile(path, async (file, facts) => {
    const bytes = await file.readFile();
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    return { ...facts, byteLength: bytes.byteLength, bytes, sha256 };
  });
}

/** Returns the RFC 6920 name of a SHA-256, which is the source URL of a local file. */
export function toNameUri(sha256: string): string {
  return `ni:///sha-256;${Buffer.from(sha256, "hex").toString("base64url")}`;
}

/** Opens without blocking: a pipe would otherwise wait for a writer. Windows has no such flag and needs none. */
const openFlags = constants.O_RDONLY | ((constants as Partial<typeof constants>).O_NONBLOCK ?? 0);

function requireRegular(stats: Stats): void {
  if (!stats.isFile()) throw new AppError("source-invalid", "It is not a regular file.");
}

async function withFile<Result>(
  path: string,
  use: (file: FileHandle, facts: SourceFacts) => Promise<Result>,
): Promise<Result> {
  // A socket or a terminal cannot even be opened, and opening a device may change it.
  requireRegular(await stat(path));
  const file = await open(path, openFlags);
  try {
    const stats = await file.stat();
    requireRegular(stats);
    if (stats.size > MAX_MESSAGE_BYTES) {
      const text = `It has ${stats.size} bytes, more than the ${MAX_MESSAGE_BYTES} that a file may have.`;
      throw new AppError("source-invalid", text);
    }
    return await use(file, { byteLength: stats.size, lastModifiedAt: toInstant(Math.floor(stats.mtimeMs)) });
  } finally {
    await file.close();
  }
}
