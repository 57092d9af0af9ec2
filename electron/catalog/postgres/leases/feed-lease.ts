// The lease of the feed of an event. It is renewed until it is closed or lost.
import { randomUUID } from "node:crypto";
import { isAppError } from "../../../../shared/app-error.ts";
import type { Lease, Leases } from "./leases.ts";

/** Another node takes over this long after the holder has died. */
const leaseMs = 15_000;
const renewalMs = 4_000;

export interface FeedLease {
  readonly lease: Lease;
  /** Aborted when another process has taken the lease over. */
  readonly lost: AbortSignal;
  /** Gives the lease back. Idempotent. */
  close(): Promise<void>;
}

/** Returns undefined while another process feeds the event. */
export async function tryFeedLease(leases: Leases, eventId: string): Promise<FeedLease | undefined> {
  const lease = await leases.acquire(`feed ${eventId}`, randomUUID(), leaseMs);
  if (!lease) return undefined;
  const losing = new AbortController();
  const renew = async (): Promise<void> => {
    try {
      if (!(await leases.renew(lease, leaseMs))) losing.abort();
    } catch (error) {
      // The database is away, so nobody else can take the lease.
      if (!isAppError(error)) throw error;
    }
    if (!losing.signal.aborted) timer.refresh();
  };
  const timer = setTimeout(() => void renew(), renewalMs).unref();
  let closed: Promise<void> | undefined;
  return {
    lease,
    lost: losing.signal,
    close: () => {
      clearTimeout(timer);
      return (closed ??= leases.release(lease));
    },
  };
}
