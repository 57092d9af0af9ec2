// Compares servers under load: one client process, alternating rounds in one run, medians.
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { median } from "../timed-process.ts";

export interface LoadOrder {
  readonly client: LoadPlan["client"];
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly durationMs: number;
}

export interface LoadResult {
  readonly answers: number;
  readonly bytes: number;
  readonly elapsedMs: number;
  readonly status: number;
  /** 95th percentile of the response times, from the first byte sent to the last byte received. */
  readonly p95Ms: number;
  readonly p99Ms: number;
}

export interface Target {
  readonly port: number;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
}

export interface LoadPlan {
  readonly client: "node:http" | "bare socket";
  readonly connections: number;
  readonly rounds: number;
  readonly roundMs: number;
}

export interface Throughput {
  readonly answersPerSecond: number;
  readonly bytesPerSecond: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

const warmUpMs = 1_000;

/**
 * Returns the throughput: one array per target, in the same order, one entry per round. Throws if a target responds
 * with an unexpected status.
 */
export async function measure(targets: readonly Target[], plan: LoadPlan): Promise<Throughput[][]> {
  const client = startProcess("load-client.ts");
  try {
    const results = targets.map((): Throughput[] => []);
    for (const target of targets) await askOnce(client, target, { ...plan, roundMs: warmUpMs });
    for (let round = 0; round < plan.rounds; round += 1) {
      // Reverses the order in every other round, so that no target always goes first.
      const turn = targets.map((_, index) => (round % 2 === 0 ? index : targets.length - 1 - index));
      for (const index of turn)
        results[index]!.push(toThroughput(await askOnce(client, targets[index]!, plan)));
    }
    return results;
  } finally {
    client.kill();
  }
}

function toThroughput({ answers, bytes, elapsedMs, p95Ms, p99Ms }: LoadResult): Throughput {
  return {
    answersPerSecond: (answers / elapsedMs) * 1_000,
    bytesPerSecond: (bytes / elapsedMs) * 1_000,
    p95Ms,
    p99Ms,
  };
}

/**
 * Returns the medians of both, and of the ratio within each round, since a disturbance affects both sides of a round.
 */
export function compare(
  ours: readonly number[],
  peer: readonly number[],
): { ours: number; peer: number; ratio: number } {
  return {
    ours: median(ours),
    peer: median(peer),
    ratio: median(ours.map((value, round) => value / peer[round]!)),
  };
}

/** Runs one round. @throws Error if the target responds with an unexpected status */
export async function askOnce(client: ChildProcess, target: Target, plan: LoadPlan): Promise<LoadResult> {
  const message: LoadOrder = {
    client: plan.client,
    port: target.port,
    path: target.path,
    headers: target.headers ?? {},
    connections: plan.connections,
    durationMs: plan.roundMs,
  };
  client.send(message);
  const [result] = (await once(client, "message")) as [LoadResult];
  if (result.status !== target.status)
    throw new Error(`${target.path} responded with status ${result.status}.`);
  return result;
}

/** Forks a program in this folder; its messages may contain bytes. */
export function startProcess(file: string, args: readonly string[] = []): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), [...args], { serialization: "advanced" });
}
