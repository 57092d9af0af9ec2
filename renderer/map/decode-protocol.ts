// What the map and its decode workers say to each other. Both ends are built together, so nothing here is parsed again.
import type { ErrorCode } from "../../shared/app-error.ts";
import type { DecodedFrame } from "./decoded-frame.ts";

export type DecodeRequest =
  | { readonly type: "load"; readonly id: number; readonly url: string; readonly maxTilePx: number }
  | { readonly type: "abort"; readonly id: number };

/** One for each "load" that was not aborted. */
export type DecodeReply =
  | { readonly id: number; readonly frame: DecodedFrame }
  | { readonly id: number; readonly problem: { readonly code: ErrorCode; readonly detail: string } };
