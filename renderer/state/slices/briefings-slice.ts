// Which briefings are published here, and what is the state of their gateway?
import type { StateCreator } from "zustand";
import type { Briefing, GatewayState, GatewayZone } from "../../../shared/contract/briefings.ts";
import type { ReadPhase } from "../reading/read-phase.ts";

export interface BriefingsSlice {
  readonly briefings: { readonly phase: ReadPhase; readonly list: readonly Briefing[] };
  readonly gateway: {
    readonly phase: ReadPhase;
    readonly state: GatewayState | undefined;
    /** Number of readings; the panel repeats its own requests after each. */
    readonly readings: number;
  };
  readonly receiveBriefings: (list: readonly Briefing[]) => void;
  readonly failBriefings: () => void;
  readonly receiveGateway: (gateway: GatewayState) => void;
  readonly failGateway: () => void;
}

export const createBriefingsSlice: StateCreator<BriefingsSlice, [], [], BriefingsSlice> = (set) => ({
  briefings: { phase: "loading", list: [] },
  gateway: { phase: "loading", state: undefined, readings: 0 },

  receiveBriefings: (list) => {
    set({ briefings: { phase: "ready", list } });
  },

  failBriefings: () => {
    set(({ briefings }) => ({ briefings: { ...briefings, phase: "failed" } }));
  },

  receiveGateway: (state) => {
    set(({ gateway }) => ({ gateway: { phase: "ready", state, readings: gateway.readings + 1 } }));
  },

  failGateway: () => {
    set(({ gateway }) => ({ gateway: { ...gateway, phase: "failed" } }));
  },
});

/** Returns the chosen zone if it exists, else the one of the briefings, else the first. */
export function findZone(
  zones: readonly GatewayZone[],
  chosenId: string | undefined,
): GatewayZone | undefined {
  return zones.find(({ id }) => id === chosenId) ?? zones.find((zone) => zone.servesBriefings) ?? zones[0];
}
