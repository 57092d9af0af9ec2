// Notices to 5,000 sockets on two readers, against 5,000 on one of them: from the answer of a commit to each socket.
import { once } from "node:events";
import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { toPath } from "../../../shared/contract/operations.ts";
import type { BenchRow } from "../bench-row.ts";
import { compare } from "../http/load.ts";
import { clockMs } from "../notices/clock.ts";
import type { Heard, ListenOrder } from "../notices/listeners.ts";
import { isShort, quantile, toRow } from "./service-row.ts";
import type { TwoReaders } from "./two-readers.ts";

const socketCount = isShort ? 50 : 5_000;
const rounds = isShort ? 2 : 30;
const warmUpRounds = isShort ? 1 : 3;
const mostRatio = 1.5;

export async function measureReaderNotices({ readers, publish }: TwoReaders): Promise<BenchRow[]> {
  const [first] = readers;
  const one = await startListeners("one", [first.origin]);
  const two = await startListeners(
    "two",
    readers.map(({ origin }) => origin),
  );
  const delays: { one: number[]; two: number[] } = { one: [], two: [] };
  try {
    for (let round = 0; round < warmUpRounds + rounds; round += 1) {
      for (const name of round % 2 === 0 ? (["one", "two"] as const) : (["two", "one"] as const)) {
        const heard = once(name === "one" ? one : two, "message") as Promise<[Heard]>;
        await publish(name);
        const committedMs = clockMs();
        const [{ atMs }] = await heard;
        const arrivals = atMs.map((arrivalMs) => Math.max(0, arrivalMs - committedMs));
        if (round >= warmUpRounds) delays[name].push(quantile(arrivals, 0.99));
      }
    }
  } finally {
    one.kill();
    two.kill();
  }
  const { ours, peer, ratio } = compare(delays.two, delays.one);
  return [
    toRow({
      name: `commit to ${socketCount} sockets on two readers`,
      metric: "ms, p99",
      ours,
      peer: { value: peer, name: "on one reader" },
      target: `p99 within ${mostRatio}x`,
      met: ratio <= mostRatio,
      note: `median of ${rounds} alternating broadcasts; all sockets are of one client`,
    }),
  ];
}

/** Opens the sockets of an event, as many at each reader. */
async function startListeners(eventId: string, origins: readonly string[]): Promise<ChildProcess> {
  const listeners = fork(fileURLToPath(new URL("../notices/listeners.ts", import.meta.url)));
  const urls = origins.map((origin) => `${origin.replace("http", "ws")}${toPath("openStream", { eventId })}`);
  const order: ListenOrder = { urls, socketCount: socketCount / urls.length, arrivalCount: socketCount };
  listeners.send(order);
  await once(listeners, "message");
  return listeners;
}
