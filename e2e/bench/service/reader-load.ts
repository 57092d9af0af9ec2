// Requests of one reader against two: each reader has a client of its own, with as many connections, since requests at
// the same time share what they ask the database. What readers gain on a machine that they share with clients and
// engines shows in their processor time.
import { readFileSync } from "node:fs";
import { toPath } from "../../../shared/contract/operations.ts";
import type { BenchRow } from "../bench-row.ts";
import { askOnce, startProcess, type LoadPlan } from "../http/load.ts";
import { median } from "../timed-process.ts";
import { isShort, toRow } from "./service-row.ts";
import type { TwoReaders } from "./two-readers.ts";

const plan: LoadPlan = {
  client: "bare socket",
  connections: 16,
  rounds: isShort ? 1 : 15,
  roundMs: isShort ? 100 : 1_000,
};
const leastGain = 1.6;
const mostWork = 1.1;
const eventId = "load";
/** Linux counts processor time in hundredths of a second. */
const tickMs = 10;

interface Round {
  readonly answersPerSecond: number;
  /** Processor time of the readers for a request. */
  readonly workMs: number;
}

export async function measureReaderLoad({ readers, publish }: TwoReaders): Promise<BenchRow[]> {
  await publish(eventId);
  const clients = [0, 1].map(() => startProcess("load-client.ts"));
  const ports = readers.map(({ origin }) => Number(new URL(origin).port));
  const path = toPath("getLatestManifest", { eventId });
  const run = async (asked: readonly number[]): Promise<Round> => {
    const before = sumProcessorMs(readers.map(({ process: { pid } }) => pid!));
    const results = await Promise.all(
      asked.map((port, index) => askOnce(clients[index]!, { port, path, status: 200 }, plan)),
    );
    const answers = results.reduce((sum, result) => sum + result.answers, 0);
    const workMs = (sumProcessorMs(readers.map(({ process: { pid } }) => pid!)) - before) / answers;
    return {
      answersPerSecond: results.reduce((sum, result) => sum + (result.answers / result.elapsedMs) * 1_000, 0),
      workMs,
    };
  };
  const one: Round[] = [];
  const two: Round[] = [];
  try {
    await run(ports);
    for (let round = 0; round < plan.rounds; round += 1) {
      one.push(await run(ports.slice(0, 1)));
      two.push(await run(ports));
    }
  } finally {
    for (const client of clients) client.kill();
  }
  const medianOf = (rounds: readonly Round[], key: keyof Round): number =>
    median(rounds.map((each) => each[key]));
  const rates = { one: medianOf(one, "answersPerSecond"), two: medianOf(two, "answersPerSecond") };
  const work = { one: medianOf(one, "workMs"), two: medianOf(two, "workMs") };
  const isMet = rates.two >= leastGain * rates.one || work.two <= mostWork * work.one;
  const target = `>= ${leastGain}x requests, or <= ${mostWork}x work`;
  return [
    toRow({
      ...{ name: "two readers, latest manifest", metric: "requests/s", ours: rates.two, isRate: true },
      ...{ peer: { value: rates.one, name: "one reader" }, target, met: isMet },
    }),
    toRow({
      ...{ name: "two readers, latest manifest", metric: "reader ms/request", ours: work.two },
      ...{ peer: { value: work.one, name: "one reader" }, target, met: isMet },
    }),
  ];
}

function sumProcessorMs(pids: readonly number[]): number {
  const ticks = pids.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1")
      .replace(/^.*\) /, "")
      .split(" ");
    // User and system time are fields 14 and 15 (proc(5)).
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, each) => sum + each, 0) * tickMs;
}
