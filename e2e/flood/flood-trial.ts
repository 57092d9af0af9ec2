// The flood trial: at each listener of a host, one address opens many connections full of requests and reads no
// answer, while honest clients ask.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { forgetPeak, readMemory } from "../support/process-memory.ts";
import type { AttackOrder, AttackReport } from "./attacker.ts";
import { startFloodedHost, type FloodTarget } from "./flooded-host.ts";
import { askUntil } from "./honest-client.ts";

/** Every address of 127.0.0.0/8 belongs to this machine, and the kernel tells a process's memory. */
export const canFlood = process.platform === "linux";

export interface FloodOptions {
  /** Path of an empty folder. */
  readonly root: string;
  /** Hostile connections at a time. */
  readonly connections: number;
  /** Duration of each attack. */
  readonly durationMs: number;
  readonly onFigures?: (figures: FloodFigures) => void;
}

export interface FloodFigures {
  readonly listener: string;
  /** Hostile connections of all waves. */
  readonly opened: number;
  /** Honest requests, all answered. */
  readonly answers: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly slowestMs: number;
  /** Growth of the host's memory, from before the first attack to the peak in this one. */
  readonly growthMib: number;
}

/** What honest clients and the machine may notice of an attack. */
export const floodBudget = { answerMs: 1_000, growthMib: 200 } as const;

/** @throws Error if an honest client gets no answer, or another one than without the attack */
export async function runFloodTrial(options: FloodOptions): Promise<FloodFigures[]> {
  const host = await startFloodedHost(options.root);
  try {
    // The first answers load modules.
    for (const target of host.targets) await askUntil(target, Promise.resolve());
    const { residentMib } = readMemory(host.pid)!;
    const all: FloodFigures[] = [];
    for (const target of host.targets) {
      forgetPeak(host.pid);
      const figures = await flood(target, options);
      const growthMib = readMemory(host.pid)!.peakMib - residentMib;
      all.push({ listener: target.name, ...figures, growthMib });
      options.onFigures?.(all.at(-1)!);
    }
    return all;
  } finally {
    await host.stop();
  }
}

async function flood(
  target: FloodTarget,
  { connections, durationMs }: FloodOptions,
): Promise<Omit<FloodFigures, "listener" | "growthMib">> {
  const attacker = fork(fileURLToPath(new URL("attacker.ts", import.meta.url)));
  try {
    const order: AttackOrder = { ...target, connections, durationMs };
    attacker.send(order);
    const reported = once(attacker, "message") as Promise<[AttackReport]>;
    const timesMs = (await askUntil(target, reported)).sort((a, b) => a - b);
    const [{ opened }] = await reported;
    return {
      opened,
      answers: timesMs.length,
      medianMs: timesMs[timesMs.length >> 1]!,
      p99Ms: timesMs[Math.floor((timesMs.length - 1) * 0.99)]!,
      slowestMs: timesMs.at(-1)!,
    };
  } finally {
    attacker.kill("SIGKILL");
  }
}
