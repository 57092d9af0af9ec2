// The files of overlays that are held in memory, by their hash.
import type { OverlayFile } from "../../../shared/contract/overlays.ts";
import { sha256Of } from "../../platform/sha256.ts";

export interface HeldFile extends OverlayFile {
  readonly bytes: Uint8Array;
}

export function holdFile(
  name: string,
  bytes: Uint8Array,
  times: Pick<OverlayFile, "readAt" | "modifiedAt">,
): HeldFile {
  return { name, sha256: sha256Of(bytes), byteLength: bytes.byteLength, ...times, bytes };
}

export function toOverlayFile({ name, sha256, byteLength, readAt, modifiedAt }: HeldFile): OverlayFile {
  return { name, sha256, byteLength, readAt, modifiedAt };
}

/** Returns null for a time that no clock shows: anybody may give a file or an answer any time of change. */
export function toInstantOrNull(ms: number): string | null {
  return ms >= 0 && ms <= latestMs ? new Date(ms).toISOString() : null;
}

/** The last that has a year of four digits. */
const latestMs = Date.UTC(9999, 11, 31);
