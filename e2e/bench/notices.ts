// Row 5: a notice to 5,000 sockets of one room, against `ws` broadcasting the same bytes. Both servers share one
// process, all sockets another; broadcasts alternate. The delay starts when the sender learns of the message: our hub
// at the commit's announcement, the peer at the call.
import { once } from "node:events";
import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { makeTemporaryDirectory, removeDirectory } from "../../electron/support/host-process.ts";
import type { BenchRow } from "./bench-row.ts";
import { compare } from "./http/load.ts";
import type { Heard, ListenOrder } from "./notices/listeners.ts";
import type { Senders, Sent } from "./notices/senders.ts";

const socketCount = 5_000;
const rounds = 30;
const warmUpRounds = 3;
const mostRatio = 1.5;

export async function run(): Promise<BenchRow[]> {
  const directory = makeTemporaryDirectory("bench-notices");
  const senders = startProcess("senders.ts", [directory]);
  const listeners = startProcess("listeners.ts", []);
  try {
    const [urls] = (await once(senders, "message")) as [Senders];
    const order: ListenOrder = { urls: [urls.hub, urls.ws], socketCount, arrivalCount: socketCount };
    listeners.send(order);
    await once(listeners, "message");
    const delays: { hub: number[]; ws: number[] } = { hub: [], ws: [] };
    for (let round = 0; round < warmUpRounds + rounds; round += 1) {
      for (const sender of round % 2 === 0 ? (["hub", "ws"] as const) : (["ws", "hub"] as const)) {
        const p99Ms = await broadcast(sender, senders, listeners);
        if (round >= warmUpRounds) delays[sender].push(p99Ms);
      }
    }
    return [toRow(delays)];
  } finally {
    senders.kill();
    listeners.kill();
    removeDirectory(directory);
  }
}

function startProcess(file: string, args: readonly string[]): ChildProcess {
  return fork(fileURLToPath(new URL(`notices/${file}`, import.meta.url)), [...args]);
}

/** Returns the 99th percentile of one broadcast's delays in milliseconds. */
async function broadcast(
  sender: keyof Senders,
  senders: ChildProcess,
  listeners: ChildProcess,
): Promise<number> {
  const sent = once(senders, "message") as Promise<[Sent]>;
  const heard = once(listeners, "message") as Promise<[Heard]>;
  senders.send(sender);
  const [[{ atMs }], [{ atMs: arrivalsMs }]] = await Promise.all([sent, heard]);
  const sorted = arrivalsMs.map((arrivalMs) => arrivalMs - atMs).sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.99) - 1]!;
}

function toRow({ hub, ws }: { readonly hub: readonly number[]; readonly ws: readonly number[] }): BenchRow {
  const { ours, peer, ratio } = compare(hub, ws);
  return {
    row: 5,
    name: `notice to ${socketCount} sockets of one room`,
    metric: "ms, p99",
    ours,
    peer,
    peerName: "ws, same bytes",
    ratio: 1 / ratio,
    target: `p99 within ${mostRatio}x`,
    met: ratio <= mostRatio,
    note: `median of ${rounds} alternating broadcasts`,
  };
}
