// Row 4: a manifest, a 304 and the event list, against bare node:http serving the same bytes from memory. Same client,
// alternating rounds.
import { toPath } from "../../shared/contract/operations.ts";
import { makeTemporaryDirectory, removeDirectory, startHost } from "../../electron/support/host-process.ts";
import type { BenchRow } from "./bench-row.ts";
import type { RecordedAnswer } from "./http/bare-server.ts";
import { compare, measure, type LoadPlan, type Target, type Throughput } from "./http/load.ts";
import { startRecordedPeer } from "./http/recorded-peer.ts";
import { benchEventId, seedDirectory } from "./http/seed.ts";

const plan: LoadPlan = { client: "bare socket", connections: 16, rounds: 15, roundMs: 500 };
const leastRatio = 0.7;

const manifestPath = toPath("getLatestManifest", { eventId: benchEventId });
const listPath = toPath("listStormEvents");

export async function run(): Promise<BenchRow[]> {
  const directory = makeTemporaryDirectory("bench-json");
  try {
    await seedDirectory(directory);
    const host = await startHost(directory);
    const bare = await startRecordedPeer(host.origin, [manifestPath, listPath]);
    try {
      const ports = [Number(new URL(host.origin).port), bare.port];
      const rows: BenchRow[] = [];
      for (const { name, target } of toCases(bare.answers[0]!)) {
        const [ours, peer] = await measure(
          ports.map((port): Target => ({ port, ...target })),
          plan,
        );
        const rates = (rounds: readonly Throughput[]): number[] =>
          rounds.map(({ answersPerSecond }) => answersPerSecond);
        rows.push(toRow(name, compare(rates(ours!), rates(peer!))));
      }
      return rows;
    } finally {
      bare.stop();
      await host.stop();
    }
  } finally {
    removeDirectory(directory);
  }
}

function toCases(manifest: RecordedAnswer): { name: string; target: Omit<Target, "port"> }[] {
  return [
    { name: "a manifest", target: { path: manifestPath, status: 200 } },
    {
      name: "a manifest, not modified (304)",
      target: { path: manifestPath, headers: { "if-none-match": manifest.etag }, status: 304 },
    },
    { name: "the event list (100 events)", target: { path: listPath, status: 200 } },
  ];
}

function toRow(name: string, { ours, peer, ratio }: ReturnType<typeof compare>): BenchRow {
  return {
    row: 4,
    name,
    metric: "requests/s",
    ours,
    peer,
    peerName: "bare node:http, same bytes",
    ratio,
    target: `${leastRatio}x`,
    met: ratio >= leastRatio,
    note: `${plan.client} client, ${plan.connections} connections, median of ${plan.rounds} alternating rounds`,
  };
}
