// State of the connection to the remote service, updated by every request.
import type { MirrorLog } from "./mirror-log.ts";

export type Link = ReturnType<typeof createLink>;

export function createLink(log: MirrorLog, now: () => Date, onUp: () => void) {
  const link = {
    /** A sentence while the service is unreachable. */
    problem: undefined as string | undefined,
    lastCheckedAt: null as string | null,
    lastReachedAt: null as string | null,
    /** Takes undefined after any response, a sentence if there was none. */
    report(next: string | undefined): void {
      const was = link.problem;
      link.problem = next;
      link.lastCheckedAt = now().toISOString();
      if (next === undefined) link.lastReachedAt = link.lastCheckedAt;
      if (next !== undefined && was === undefined) {
        log.complain({ eventId: "", kind: "link-down", message: next });
      } else if (next === undefined && was !== undefined) {
        log.forgive("");
        log.note({ eventId: "", kind: "link-up" });
        onUp();
      }
    },
  };
  return link;
}
