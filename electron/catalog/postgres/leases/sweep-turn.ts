// Sweeping of the object store, by one process of a service every few hours. The lease is the turn: it is taken and
// left to expire, also after a sweep that failed.
import { randomUUID } from "node:crypto";
import { removeCondemned, removeOrphans, type SweepOptions } from "../../objects/sweep-objects.ts";
import type { ServiceWork } from "../../stores/backfill-queue.ts";
import type { Leases } from "./leases.ts";

const sweepMs = 6 * 3_600_000;

export function createSweep(leases: Leases, options: Omit<SweepOptions, "signal">): ServiceWork["sweep"] {
  return async (signal) => {
    const turn = await leases.acquire("sweep", randomUUID(), sweepMs);
    if (!turn) return undefined;
    const condemned = await removeCondemned({ ...options, signal });
    return condemned + (await removeOrphans({ ...options, signal }));
  };
}
