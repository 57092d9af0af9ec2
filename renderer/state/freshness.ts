// Why is the picture as old as it is? The source has published nothing newer, the link is down, or the person is looking
// at the past: three different things, told apart here from facts alone.
import type { StreamState } from "../api/event-stream.ts";
import { offlineAfterMs, staleAfterMs } from "../platform/viewer-limits.ts";
import { isLiveEvent, selectNewestObservedMs, selectSelectedEvent } from "./selectors.ts";
import type { ViewerState } from "./store.ts";

export type Freshness =
  | { readonly kind: "none" }
  /** A past event: its age is its date. */
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
  // With no event chosen there is no stream to stand; then the answers alone say whether the service is there.
  if (state.selectedEventId === undefined) {
    if (state.events.phase === "loading") return toLink({ kind: "closed" }, state.silentSinceMs, state.nowMs);
    return toLink(
      { kind: state.silentSinceMs === undefined ? "open" : "closed" },
      state.silentSinceMs,
      state.nowMs,
    );
  }
  return toLink(state.stream, state.silentSinceMs, state.nowMs);
}

export function selectFreshness(state: ViewerState): Freshness {
  return toFreshness(isLiveEvent(selectSelectedEvent(state)), selectNewestObservedMs(state), state.nowMs);
}
