// Runs a command as a whole process and measures its wall time and peak memory from outside.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

export interface TimedRun {
  readonly wallMs: number;
  /** Peak resident memory in MiB, from the kernel's high-water mark; null without /proc. */
  readonly peakMib: number | null;
}

const sampleEveryMs = 4;

function readPeakMib(pid: number): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    const kib = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1];
    return kib === undefined ? null : Number(kib) / 1024;
  } catch (error) {
    // The process may end between two samples; any other error is a bug in the benchmark.
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return null;
    throw error;
  }
}

/** Runs the command to its end; if it fails, throws an error with its output. */
export async function runTimed(command: string, args: readonly string[], cwd: string): Promise<TimedRun> {
  const startedMs = performance.now();
  const child = spawn(command, args, { cwd, stdio: ["ignore", "ignore", "pipe"] });
  let peakMib: number | null = null;
  const sampler = setInterval(() => {
    const sample = child.pid === undefined ? null : readPeakMib(child.pid);
    if (sample !== null) peakMib = Math.max(peakMib ?? 0, sample);
  }, sampleEveryMs);
  const said: string[] = [];
  child.stderr.setEncoding("utf8").on("data", (text: string) => said.push(text));
  try {
    const status = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    if (status !== 0) throw new Error(`${command} ended with ${String(status)}: ${said.join("")}`);
    return { wallMs: performance.now() - startedMs, peakMib };
  } finally {
    clearInterval(sampler);
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((first, second) => first - second);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
