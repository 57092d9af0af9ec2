// The replies of object reads: headers under which pushed bytes do no harm in a browser, and entity tags, of which
// the listener makes its 304s.
import type { ApiReply } from "../../api/api-part.ts";
import type { RepositoryFile } from "./repository-objects.ts";
import { safeTypes, sniffType, type SafeType } from "./sniff.ts";

/** A hash names its bytes for ever; who may see them is asked each time, so no shared cache keeps them. */
const immutable = "private, max-age=31536000, immutable";
/** A ref moves. */
const revalidated = "private, no-cache";

const harmless = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "sandbox; default-src 'none'",
  "cross-origin-resource-policy": "same-origin",
} as const;

export function replyWithJson(hash: string, result: unknown): ApiReply {
  const kept = { etag: strongEtag(hash), "cache-control": immutable };
  return { result, headers: kept };
}

export function replyWithBlob(hash: string, bytes: Buffer): ApiReply {
  const kept = { etag: strongEtag(hash), "cache-control": immutable, ...harmless };
  return withBytes(bytes, safeTypes.other, kept);
}

/** The blob's bytes, never to be shown as anything. */
export function replyWithFile({ hash, bytes }: RepositoryFile): ApiReply {
  const kept = { etag: strongEtag(hash), "cache-control": revalidated, ...harmless };
  return withBytes(bytes, safeTypes.other, kept);
}

/** The blob's bytes as the safe type that they look like. `path` gives the name to save it under. */
export function replyRaw({ hash, bytes }: RepositoryFile, path: string): ApiReply {
  const kept = { etag: strongEtag(hash), "cache-control": revalidated, ...harmless };
  const type = sniffType(bytes);
  const disposition = type === safeTypes.other ? "attachment" : "inline";
  const filename = toSafeFilename(path);
  return withBytes(bytes, type, { ...kept, "content-disposition": `${disposition}; filename="${filename}"` });
}

/** The last segment with nothing in it that a header or a file system would take for more than a letter. */
export function toSafeFilename(path: string): string {
  const last = path.split("/").at(-1) ?? "";
  const safe = last
    .replaceAll(/[^A-Za-z0-9._-]/gu, "_")
    .replace(/^\.+/, "_")
    .slice(-100);
  return safe === "" ? "file" : safe;
}

function withBytes(raw: Buffer, type: SafeType, headers: Readonly<Record<string, string>>): ApiReply {
  return { raw, headers: { "content-type": type, "content-length": String(raw.length), ...headers } };
}

/** A hash is hex digits, which need no escaping. */
function strongEtag(hash: string): string {
  return `"${hash}"`;
}
