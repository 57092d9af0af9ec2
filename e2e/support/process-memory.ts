// Resident memory of a process as the kernel counts it; unavailable without /proc.
import { readFileSync, writeFileSync } from "node:fs";

export interface ProcessMemory {
  readonly residentMib: number;
  /** The highest value since the last reset of the peak. */
  readonly peakMib: number;
}

/** Returns undefined if there is no /proc. */
export function readMemory(pid: number): ProcessMemory | undefined {
  if (process.platform !== "linux") return undefined;
  const status = readFileSync(`/proc/${pid}/status`, "latin1");
  const read = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)![1]) / 1024;
  return { residentMib: read("VmRSS"), peakMib: read("VmHWM") };
}

/** Resets the peak to the current resident memory. */
export function forgetPeak(pid: number): void {
  // proc(5): writing 5 resets the peak.
  if (process.platform === "linux") writeFileSync(`/proc/${pid}/clear_refs`, "5");
}
