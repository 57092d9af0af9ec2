// What is handed on as packs here, to whom, and what was got from others? No token is ever in the store.
import type { StateCreator } from "zustand";
import type { HostingState, LanState, Pack, PackList, PackVersion } from "../../../shared/contract/packs.ts";
import type { ReadPhase } from "../read-phase.ts";

export const packViews = ["packs", "get", "changes", "hosting"] as const;
export type PackView = (typeof packViews)[number];

export interface PacksSlice {
  readonly packs: { readonly phase: ReadPhase; readonly list: PackList | undefined };
  /** Which part of the panel is open; kept while the panel is closed. */
  readonly packView: PackView;
  readonly receivePacks: (list: PackList) => void;
  readonly failPacks: () => void;
  readonly receiveHosting: (hosting: HostingState) => void;
  readonly receiveLan: (lan: LanState) => void;
  readonly setPackView: (view: PackView) => void;
}

export const createPacksSlice: StateCreator<PacksSlice, [], [], PacksSlice> = (set) => ({
  packs: { phase: "loading", list: undefined },
  packView: "packs",

  receivePacks: (list) => {
    set({ packs: { phase: "ready", list } });
  },

  // What was read before stays.
  failPacks: () => {
    set(({ packs }) => ({ packs: { ...packs, phase: "failed" } }));
  },

  receiveHosting: (hosting) => {
    set(({ packs }) => ({ packs: { ...packs, list: packs.list && { ...packs.list, hosting } } }));
  },

  receiveLan: (lan) => {
    set(({ packs }) => ({ packs: { ...packs, list: packs.list && { ...packs.list, lan } } }));
  },

  setPackView: (packView) => {
    set({ packView });
  },
});

/** The chosen event's pack first, then the shared ones, then the rest, each as the host lists them. */
export function inPanelOrder(packs: readonly Pack[], selectedId: string | undefined): readonly Pack[] {
  const rank = ({ eventId, shared }: Pack): number => (eventId === selectedId ? 0 : shared !== null ? 1 : 2);
  return packs.toSorted((one, other) => rank(one) - rank(other));
}

/** Why nothing can be shared now; undefined when it can. */
export type SharingObstacle = "git-missing" | "hosting-off" | "hosting-failed";

export function findSharingObstacle({ listener, git }: HostingState): SharingObstacle | undefined {
  if (git.status === "missing") return "git-missing";
  if (listener.status === "off") return "hosting-off";
  return listener.status === "failed" ? "hosting-failed" : undefined;
}

export interface VersionRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The two versions to be compared: what the person chose as far as it is there and in order, else everything from the oldest
 * to the newest. Undefined with fewer than two versions.
 */
export function toVersionRange(
  versions: readonly PackVersion[],
  chosen: Partial<VersionRange>,
): VersionRange | undefined {
  const sequences = versions.map(({ sequence }) => sequence);
  const [oldest, newest] = [sequences[0], sequences.at(-1)];
  if (oldest === undefined || newest === undefined || oldest === newest) return undefined;
  const has = (sequence: number | undefined): sequence is number =>
    sequence !== undefined && sequences.includes(sequence);
  const to = has(chosen.to) && chosen.to > oldest ? chosen.to : newest;
  const from = has(chosen.from) && chosen.from < to ? chosen.from : oldest;
  return { from, to };
}
