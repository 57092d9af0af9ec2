// SHA-256 hashes in lower-case hexadecimal: the names of frames, sources and manifests.
import { createHash } from "node:crypto";

export function sha256Of(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export function isSha256(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
