// Decides about an overlay that is to be kept with an event.
import { AppError } from "../../../shared/app-error.ts";
import { KeptOverlay, overlaySourceLimits } from "../../../shared/contract/overlays.ts";
import { overlayLimits } from "../../../shared/overlays/overlay.ts";
import { sha256Of } from "../../platform/sha256.ts";
import type { OverlayDraft } from "../catalog.ts";
import type { EventState } from "./event-state.ts";
import { requireEvent } from "./plan-event.ts";

/**
 * Returns the overlay to keep: the one that is there if only the time of the fetch differs.
 * @throws AppError `not-found` for an unknown event; `invalid-input` for an empty or too large file; `conflict` if the
 * event has too many others
 */
export function planOverlay(
  event: EventState | undefined,
  present: readonly KeptOverlay[],
  { eventId, facts, bytes }: OverlayDraft,
): KeptOverlay {
  requireEvent(event, eventId);
  const { byteLength } = bytes;
  if (byteLength === 0 || byteLength > overlayLimits.bytes) {
    throw new AppError(
      "invalid-input",
      `The overlay has ${byteLength} bytes; an event keeps files of 1 to ${overlayLimits.bytes} bytes.`,
    );
  }
  const overlay = KeptOverlay.parse({ ...facts, sha256: sha256Of(bytes), byteLength });
  const before = present.find(({ name }) => name === overlay.name);
  if (before && isSame({ ...before, fetchedAt: overlay.fetchedAt }, overlay)) return before;
  if (!before && present.length >= overlaySourceLimits.kept) {
    throw new AppError("conflict", `An event keeps at most ${overlaySourceLimits.kept} overlays.`);
  }
  return Object.freeze(overlay);
}

function isSame(left: KeptOverlay, right: KeptOverlay): boolean {
  return JSON.stringify(KeptOverlay.parse(left)) === JSON.stringify(right);
}
