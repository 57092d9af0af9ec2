// The flood trial: at each listener of a host, one address opens many connections full of requests and reads no
// answer, while honest clients ask.
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
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
  /** Starts another host for each attack: a process keeps much of the memory that it has once used. */
  readonly freshHosts: boolean;
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
  /** Growth of the host's memory, from before its first attack to the peak in this one. */
  readonly growthMib: number;
}

/** Limits on what honest clients and the machine may notice of an attack. */
export const floodBudget = { answerMs: 1_000, growthMib: 200 } as const;

/** @throws Error if an honest client gets no answer, or another one than without the attack */
export async function runFloodTrial(options: FloodOptions): Promise<FloodFigures[]> {
  let host = await startWarmHost(options.root, 0);
  try {
    const all: FloodFigures[] = [];
    for (const index of host.targets.keys()) {
      if (options.freshHosts && index > 0) {
        await host.stop();
        host = await startWarmHost(options.root, index);
      }
      const target = host.targets[index]!;
      forgetPeak(host.pid);
      const figures = await flood(target, options);
      const growthMib = readMemory(host.pid)!.peakMib - host.warmMib;
      all.push({ listener: target.name, ...figures, growthMib });
      options.onFigures?.(all.at(-1)!);
    }
    return all;
  } finally {
    await host.stop();
  }
}

/** Also asks each listener once: the first answers load modules. */
async function startWarmHost(root: string, index: number) {
  const host = await startFloodedHost(join(root, String(index)));
  for (const target of host.targets) await askUntil(target, Promise.resolve());
  return { ...host, warmMib: readMemory(host.pid)!.residentMib };
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
