// Is the picture fresh: does the service answer, is its stream open, and how are its sources and feeds?
import type { StateCreator } from "zustand";
import type { FeedHealth } from "../../../shared/contract/feed-health.ts";
import type { DataProductStatus } from "../../../shared/contract/index.ts";
import type { ApiErrorCode } from "../../api/service-errors.ts";
import type { StreamState } from "../../api/event-stream.ts";
import type { ReadPhase } from "../reading/read-phase.ts";

export interface ConnectionSlice {
  /** Wall clock, in milliseconds since the Unix epoch; updated once a second. */
  readonly nowMs: number;
  readonly stream: StreamState;
  /** Start of the service's silence: neither an answer nor an open stream. Undefined while it answers. */
  readonly silentSinceMs: number | undefined;
  readonly sources: {
    readonly phase: ReadPhase;
    readonly products: readonly DataProductStatus[];
    readonly problem: ApiErrorCode | undefined;
  };
  readonly feeds: {
    readonly phase: ReadPhase;
    readonly list: readonly FeedHealth[];
    readonly problem: ApiErrorCode | undefined;
  };
  readonly tick: (nowMs: number) => void;
  readonly receiveStream: (stream: StreamState) => void;
  /** Notes whether the service answered. */
  readonly receiveContact: (answered: boolean) => void;
  readonly receiveSources: (products: readonly DataProductStatus[]) => void;
  readonly failSources: (problem: ApiErrorCode) => void;
  readonly receiveFeeds: (list: readonly FeedHealth[]) => void;
  readonly failFeeds: (problem: ApiErrorCode) => void;
}

export const createConnectionSlice: StateCreator<ConnectionSlice, [], [], ConnectionSlice> = (set, get) => ({
  nowMs: 0,
  stream: { kind: "closed" },
  silentSinceMs: undefined,
  sources: { phase: "loading", products: [], problem: undefined },
  feeds: { phase: "loading", list: [], problem: undefined },

  tick: (nowMs) => {
    set({ nowMs });
  },

  receiveStream: (stream) => {
    set({ stream });
    if (stream.kind === "open") get().receiveContact(true);
  },

  receiveContact: (answered) => {
    const { silentSinceMs, nowMs } = get();
    const next = answered ? undefined : (silentSinceMs ?? nowMs);
    if (next !== silentSinceMs) set({ silentSinceMs: next });
  },

  receiveSources: (products) => {
    set({ sources: { phase: "ready", products, problem: undefined } });
  },

  failSources: (problem) => {
    set(({ sources }) => ({ sources: { ...sources, phase: "failed", problem } }));
  },

  receiveFeeds: (list) => {
    set({ feeds: { phase: "ready", list, problem: undefined } });
  },

  failFeeds: (problem) => {
    set(({ feeds }) => ({ feeds: { ...feeds, phase: "failed", problem } }));
  },
});
