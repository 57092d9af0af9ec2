// A lease that is renewed until it is closed or lost.
import { randomUUID } from "node:crypto";
import { isAppError } from "../../../../shared/app-error.ts";
import type { Lease, Leases } from "./leases.ts";

/** Another node takes over this long after the holder has died. */
export const leaseMs = 15_000;
export const renewalMs = 4_000;

export interface HeldLease {
  readonly lease: Lease;
  /** Aborted when another process has taken the lease over. */
  readonly lost: AbortSignal;
  /** Gives the lease back. Idempotent. */
  close(): Promise<void>;
}

/** Returns undefined while another process holds the lease. */
export async function tryHoldLease(leases: Leases, name: string): Promise<HeldLease | undefined> {
  const lease = await leases.acquire(name, randomUUID(), leaseMs);
  if (!lease) return undefined;
  const losing = new AbortController();
  let closed: Promise<void> | undefined;
  const renew = async (): Promise<void> => {
    try {
      if (!(await leases.renew(lease, leaseMs)) && !closed) losing.abort();
    } catch (error) {
      // The database is away, so nobody else can take the lease.
      if (!isAppError(error)) throw error;
    }
    if (!losing.signal.aborted && !closed) timer.refresh();
  };
  const timer = setTimeout(() => void renew(), renewalMs).unref();
  return {
    lease,
    lost: losing.signal,
    close: () => {
      clearTimeout(timer);
      return (closed ??= leases.release(lease));
    },
  };
}
