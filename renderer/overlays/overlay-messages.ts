// Messages to the overlay worker and back. Both ends are built together, so messages are not parsed.
import type { ErrorCode } from "../../shared/app-error.ts";
import type { OverlayContent } from "../../shared/overlays/overlay.ts";

export interface OverlayRequest {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export type OverlayReply =
  | { readonly content: OverlayContent }
  | { readonly problem: { readonly code: ErrorCode; readonly detail: string } };
