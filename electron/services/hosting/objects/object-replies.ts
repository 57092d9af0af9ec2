// Replies to object reads: media types and headers that make pushed bytes harmless in a browser, and entity tags, from
// which the listener derives its 304s.
import { isUtf8 } from "node:buffer";
import type { ApiReply } from "../../api/api-part.ts";
import type { RepositoryFile } from "./hosted-object-reader.ts";

/** A hash always names the same bytes; `private` because every request is authorized. */
const immutable = "private, max-age=31536000, immutable";
/** For refs, which move. */
const revalidated = "private, no-cache";

/** The only types that pushed bytes may have; browsers execute none of them. */
const safeTypes = {
  png: "image/png",
  json: "application/json",
  text: "text/plain; charset=utf-8",
  other: "application/octet-stream",
} as const;
type SafeType = (typeof safeTypes)[keyof typeof safeTypes];

export function replyWithJson(hash: string, result: unknown): ApiReply {
  return { result, headers: { etag: `"${hash}"`, "cache-control": immutable } };
}

export function replyWithBlob(hash: string, bytes: Buffer): ApiReply {
  return withBytes({ hash, bytes }, safeTypes.other, { "cache-control": immutable });
}

/** Sends the blob's bytes as a download. */
export function replyWithFile(file: RepositoryFile): ApiReply {
  return withBytes(file, safeTypes.other, { "cache-control": revalidated });
}

/** Sends the blob's bytes as the safe type that they look like. `path` gives the name to save it under. */
export function replyRaw(file: RepositoryFile, path: string): ApiReply {
  const type = sniffType(file.bytes);
  const disposition = type === safeTypes.other ? "attachment" : "inline";
  return withBytes(file, type, {
    "cache-control": revalidated,
    "content-disposition": `${disposition}; filename="${toSafeFilename(path)}"`,
  });
}

function withBytes(
  { hash, bytes }: Pick<RepositoryFile, "hash" | "bytes">,
  type: SafeType,
  headers: Readonly<Record<string, string>>,
): ApiReply {
  return {
    raw: bytes,
    headers: {
      "content-type": type,
      "content-length": String(bytes.length),
      etag: `"${hash}"`,
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
      "cross-origin-resource-policy": "same-origin",
      ...headers,
    },
  };
}

/** Returns the last segment with only characters that are safe in headers and file systems. */
export function toSafeFilename(path: string): string {
  const last = path.split("/").at(-1) ?? "";
  const safe = last
    .replaceAll(/[^A-Za-z0-9._-]/gu, "_")
    .replace(/^\.+/, "_")
    .slice(-100);
  return safe === "" ? "file" : safe;
}

/** PNG (third edition), 5.2. */
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Longer JSON is sent as text. */
const maxJsonBytes = 1024 * 1024;
/** C0 except tab, newline, form feed and return; DEL. */
const controlPattern = /[\u0000-\u0008\u000b\u000e-\u001f\u007f]/;

/** Derives the type from the bytes, never from the name. */
export function sniffType(bytes: Buffer): SafeType {
  if (bytes.subarray(0, pngSignature.length).equals(pngSignature)) return safeTypes.png;
  if (!isUtf8(bytes)) return safeTypes.other;
  const text = bytes.toString("utf8");
  if (controlPattern.test(text)) return safeTypes.other;
  return bytes.length <= maxJsonBytes && isJsonDocument(text) ? safeTypes.json : safeTypes.text;
}

/** True for an object or an array; a single number or word is text. */
function isJsonDocument(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
