// Is what we see fresh: does the service answer, does its stream stand, and what do the sources do?
import type { StateCreator } from "zustand";
import type { DataProductStatus } from "../../../shared/contract/index.ts";
import type { ApiErrorCode } from "../../api/service-errors.ts";
import type { StreamState } from "../../api/event-stream.ts";
import type { ReadPhase } from "../read-phase.ts";

export interface ConnectionSlice {
  /** The wall clock, in milliseconds since the Unix epoch; moves once a second. */
  readonly nowMs: number;
  readonly stream: StreamState;
  /** Since when nothing has been heard from the service: neither an answer nor an open stream. Undefined while all is well. */
  readonly silentSinceMs: number | undefined;
  readonly sources: {
    readonly phase: ReadPhase;
    readonly products: readonly DataProductStatus[];
    readonly problem: ApiErrorCode | undefined;
  };
  readonly tick: (nowMs: number) => void;
  readonly receiveStream: (stream: StreamState) => void;
  /** An answer came, or none did. */
  readonly receiveContact: (answered: boolean) => void;
  readonly receiveSources: (products: readonly DataProductStatus[]) => void;
  readonly failSources: (problem: ApiErrorCode) => void;
}

export const createConnectionSlice: StateCreator<ConnectionSlice, [], [], ConnectionSlice> = (set, get) => ({
  nowMs: 0,
  stream: { kind: "closed" },
  silentSinceMs: undefined,
  sources: { phase: "loading", products: [], problem: undefined },

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
});
