// A crowd of viewers on the network of a site, as the test sees it.
import { join } from "node:path";
import { projectRoot } from "../../../electron/support/host-process.ts";
import type { Site } from "./site.ts";
import type { CrowdOrder, CrowdReport } from "./inside/viewer-crowd.ts";

export interface Heard {
  readonly revisionId: string;
  readonly atMs: number;
}

export interface Crowd {
  /** When each sequence was first heard, by any viewer. */
  readonly heard: ReadonlyMap<number, Heard>;
  /** Answers that contradict earlier ones. */
  readonly contradictions: readonly string[];
  readonly openStreams: () => number;
  /** Most streams that were closed at a time since this was last asked. */
  readonly takeMostLost: () => number;
  /** Resolves with the time when the last viewer heard of this sequence or a later one. */
  readonly whenAllHeard: (sequence: number) => Promise<number>;
  /** All viewers read the newest revision; returns the answers, and how many viewers got each. */
  readonly readNewest: () => Promise<Readonly<Record<string, number>>>;
  readonly stop: () => void;
}

export function startCrowd(site: Site, size: number, eventId: string): Crowd {
  const [db1] = site.machines;
  const child = site.startProgram([
    join(projectRoot, "e2e", "service", "machines", "inside", "viewer-crowd.ts"),
    ...[String(size), join(db1.root, "root", "authority", "ca.crt"), "wx.example", eventId],
    ...["192.0.2.11", "192.0.2.12"],
  ]);
  const heard = new Map<number, Heard>();
  const contradictions: string[] = [];
  let open = 0;
  let fewest = size;
  let onAllHeard: ((atMs: number) => void) | undefined;
  let onNewest: ((answers: Readonly<Record<string, number>>) => void) | undefined;
  child.on("message", (report: CrowdReport) => {
    if (report.kind === "heard") heard.set(report.sequence, report);
    else if (report.kind === "contradiction") contradictions.push(report.text);
    else if (report.kind === "all-heard") onAllHeard?.(report.atMs);
    else if (report.kind === "newest") onNewest?.(report.answers);
    else {
      open = report.count;
      fewest = Math.min(fewest, open);
    }
  });
  const order = (text: CrowdOrder): void => void child.send(text);
  return {
    heard,
    contradictions,
    openStreams: () => open,
    takeMostLost: () => {
      const lost = size - fewest;
      fewest = open;
      return lost;
    },
    whenAllHeard: (sequence) =>
      new Promise((resolve) => {
        onAllHeard = resolve;
        order({ kind: "await-sequence", sequence });
      }),
    readNewest: () =>
      new Promise((resolve) => {
        onNewest = resolve;
        order({ kind: "read-newest" });
      }),
    stop: () => child.kill(),
  };
}
