// State of the connection to the remote service, updated by every request.
import type { MirrorLog } from "./mirror-log.ts";

export interface Link {
  /** A sentence while the service is unreachable. */
  readonly problem: string | undefined;
  readonly lastCheckedAt: string | null;
  readonly lastReachedAt: string | null;
}

export interface ReportedLink extends Link {
  /** Takes undefined after any response, a sentence if there was none. */
  report(problem: string | undefined): void;
}

export function createLink(log: MirrorLog, now: () => Date, onUp: () => void): ReportedLink {
  const link = {
    problem: undefined as string | undefined,
    lastCheckedAt: null as string | null,
    lastReachedAt: null as string | null,
    report(next: string | undefined) {
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
