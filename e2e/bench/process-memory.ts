// What a process holds resident, as the kernel counts it; nothing where there is no /proc.
import { readFileSync, writeFileSync } from "node:fs";

export interface ProcessMemory {
  readonly residentMib: number;
  /** The highest since the peak was last forgotten. */
  readonly peakMib: number;
}

/** Undefined where there is no /proc. */
export function readMemory(pid: number): ProcessMemory | undefined {
  if (process.platform !== "linux") return undefined;
  const status = readFileSync(`/proc/${pid}/status`, "latin1");
  const read = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)![1]) / 1024;
  return { residentMib: read("VmRSS"), peakMib: read("VmHWM") };
}

/** From now on the peak is what is resident now. */
export function forgetPeak(pid: number): void {
  // proc(5): 5 sets the peak to what is resident.
  if (process.platform === "linux") writeFileSync(`/proc/${pid}/clear_refs`, "5");
}
