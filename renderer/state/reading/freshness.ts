// Derives the age of the picture and the state of the link to the service.
import type { StreamState } from "../../api/event-stream.ts";
import { offlineAfterMs, staleAfterMs } from "../../platform/viewer-limits.ts";
import { isLiveEvent, selectNewestObservedMs, selectSelectedEvent } from "../selectors.ts";
import type { ViewerState } from "../store.ts";

export type Freshness =
  | { readonly kind: "none" }
  /** A past event. */
  | { readonly kind: "historical" }
  | { readonly kind: "fresh" | "stale"; readonly ageMs: number };

export function toFreshness(live: boolean, newestObservedMs: number | undefined, nowMs: number): Freshness {
  if (newestObservedMs === undefined) return { kind: "none" };
  if (!live) return { kind: "historical" };
  const ageMs = Math.max(0, nowMs - newestObservedMs);
  return { kind: ageMs > staleAfterMs ? "stale" : "fresh", ageMs };
}

export type Link = "connecting" | "connected" | "reconnecting" | "offline";

export function toLink(stream: StreamState, silentSinceMs: number | undefined, nowMs: number): Link {
  if (silentSinceMs !== undefined && nowMs - silentSinceMs >= offlineAfterMs) return "offline";
  if (stream.kind === "open") return "connected";
  const first = stream.kind === "closed" || (stream.kind === "connecting" && stream.attempt === 1);
  return first && silentSinceMs === undefined ? "connecting" : "reconnecting";
}

export function selectLink(state: ViewerState): Link {
  const { selectedEventId, events, silentSinceMs, nowMs } = state;
  if (selectedEventId !== undefined) return toLink(state.stream, silentSinceMs, nowMs);
  // Without a chosen event there is no stream, so the answers decide.
  const isOpen = events.phase !== "loading" && silentSinceMs === undefined;
  return toLink({ kind: isOpen ? "open" : "closed" }, silentSinceMs, nowMs);
}

export function selectFreshness(state: ViewerState): Freshness {
  return toFreshness(isLiveEvent(selectSelectedEvent(state)), selectNewestObservedMs(state), state.nowMs);
}
