// A virtual X display for tests of windows: Xvfb, which chooses a free number itself.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import type { Readable } from "node:stream";

export const hasVirtualDisplay = ["/usr/bin/Xvfb", "/usr/local/bin/Xvfb"].some((path) => existsSync(path));

export interface VirtualDisplay {
  /** Value for `DISPLAY`, such as `:3`. */
  readonly name: string;
  readonly process: ChildProcess;
}

/** Resolves once windows can be opened on it. The caller kills the process. */
export async function startVirtualDisplay(): Promise<VirtualDisplay> {
  const child = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1280x800x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const [chunk] = (await once(child.stdio[3] as Readable, "data")) as [Buffer];
  return { name: `:${chunk.toString("latin1").trim()}`, process: child };
}
