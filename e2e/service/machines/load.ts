// Constant requests on the network of a site, as the test sees them.
import { once } from "node:events";
import { join } from "node:path";
import { projectRoot } from "../../../electron/support/host-process.ts";
import type { LoadReport } from "./inside/request-load.ts";
import type { Site } from "./site.ts";

export interface Load {
  /** Returns how often each status came so far, or each error. */
  readonly outcomes: () => Promise<LoadReport["outcomes"]>;
  readonly stop: () => void;
}

export function startLoad(site: Site, path: string): Load {
  const child = site.startProgram([
    join(projectRoot, "e2e", "service", "machines", "inside", "request-load.ts"),
    ...[join(site.machines[0].root, "root", "authority", "ca.crt"), "wx.example", path],
    ...["192.0.2.11", "192.0.2.12"],
  ]);
  return {
    outcomes: async () => {
      const answer = once(child, "message") as Promise<[LoadReport]>;
      child.send("report");
      return (await answer)[0].outcomes;
    },
    stop: () => child.kill(),
  };
}
