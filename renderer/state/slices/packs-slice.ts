// Which packs are shared here, and which were fetched from others? The store never holds a token.
import type { StateCreator } from "zustand";
import type { HostingState, LanState, Pack, PackList, PackVersion } from "../../../shared/contract/packs.ts";
import type { ReadPhase } from "../reading/read-phase.ts";

export interface PacksSlice {
  readonly packs: { readonly phase: ReadPhase; readonly list: PackList | undefined };
  readonly receivePacks: (list: PackList) => void;
  readonly failPacks: () => void;
  readonly receiveHosting: (hosting: HostingState) => void;
  readonly receiveLan: (lan: LanState) => void;
}

export const createPacksSlice: StateCreator<PacksSlice, [], [], PacksSlice> = (set) => ({
  packs: { phase: "loading", list: undefined },

  receivePacks: (list) => {
    set({ packs: { phase: "ready", list } });
  },

  failPacks: () => {
    set(({ packs }) => ({ packs: { ...packs, phase: "failed" } }));
  },

  receiveHosting: (hosting) => {
    set(({ packs }) => ({ packs: { ...packs, list: packs.list && { ...packs.list, hosting } } }));
  },

  receiveLan: (lan) => {
    set(({ packs }) => ({ packs: { ...packs, list: packs.list && { ...packs.list, lan } } }));
  },
});

/** Sorts the chosen event's pack first, then shared packs, then the rest, each in the host's order. */
export function inPanelOrder(packs: readonly Pack[], selectedId: string | undefined): readonly Pack[] {
  const rank = ({ eventId, shared }: Pack): number => (eventId === selectedId ? 0 : shared !== null ? 1 : 2);
  return packs.toSorted((one, other) => rank(one) - rank(other));
}

/** The reason why nothing can be shared now. */
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
 * Returns the two versions to compare: the chosen ones if they exist in this order, else the oldest and the newest.
 * Returns undefined with fewer than two versions.
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
