// Interface of one running overlay: an address that is asked, or a folder that is watched.
import type { OverlayHealth } from "../../../shared/contract/overlays.ts";
import type { HeldFile } from "./held-files.ts";

/** Changes of health over time; `nextAt` stays null for a folder. */
export type SourceState = Pick<OverlayHealth, "lastReadAt" | "failingSince" | "problem" | "nextAt">;

export interface OverlayReader {
  readonly state: () => SourceState;
  /** Files in the order in which they are shown. */
  readonly files: () => readonly HeldFile[];
  /** Idempotent; resolves when nothing is asked or read any more. */
  readonly close: () => Promise<void>;
}

export const untouched: SourceState = { lastReadAt: null, failingSince: null, problem: null, nextAt: null };
