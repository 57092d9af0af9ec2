// The time from the decision to promote the standby to the first commit that a node confirms, while four nodes publish;
// and that no confirmed revision is lost.
import { isAppError } from "../../../shared/app-error.ts";
import type { RevisionRecord } from "../../../electron/catalog/catalog.ts";
import type { ServiceCatalog } from "../../../electron/catalog/postgres/open-service-catalog.ts";
import type { PostgresPair } from "../../../electron/support/engines/postgres-pair.ts";
import { postgresUser } from "../../../electron/support/engines/postgres-server.ts";
import type { BenchRow } from "../bench-row.ts";
import { frameId, toServiceDraft } from "./crowded-database.ts";
import { isShort, toRow } from "./service-row.ts";

const failovers = isShort ? 1 : 5;
const nodeCount = 4;
const mostMs = 5_000;
const commitsBefore = 20;

export async function measureFailovers(
  pair: PostgresPair,
  url: string,
  open: (url: string) => Promise<ServiceCatalog>,
): Promise<BenchRow[]> {
  const { pathname } = new URL(url);
  const hosts = `127.0.0.1:${pair.primary.port},127.0.0.1:${pair.standby.port}`;
  const both = `postgres://${postgresUser}@${hosts}${pathname}?sslmode=disable`;
  const nodes = await Promise.all(Array.from({ length: nodeCount }, () => open(both)));
  await nodes[0]!.blobs.add(frameId, `frames/${frameId}`, 1);
  const confirmed: RevisionRecord[] = [];
  let waiting: { readonly count: number; readonly resolve: () => void } | undefined;
  let isOver = false;
  const publish = async (node: ServiceCatalog, writer: number): Promise<void> => {
    for (let window = writer; !isOver;) {
      try {
        const { revision } = await node.publish(toServiceDraft("failover", window));
        window += nodeCount;
        if (revision) confirmed.push(revision);
        if (waiting && confirmed.length >= waiting.count) waiting.resolve();
      } catch (error) {
        if (!isAppError(error, "storage-unavailable")) throw error;
      }
    }
  };
  const whenConfirmed = (more: number): Promise<void> =>
    new Promise((resolve) => (waiting = { count: confirmed.length + more, resolve }));
  const publishing = Promise.all(nodes.map(publish));
  const delays: number[] = [];
  for (let failover = 0; failover < failovers; failover += 1) {
    await Promise.race([publishing, whenConfirmed(commitsBefore)]);
    await pair.primary.kill();
    const decidedMs = performance.now();
    const promoted = pair.promote();
    await Promise.race([publishing, whenConfirmed(1)]);
    delays.push(performance.now() - decidedMs);
    await promoted;
    await pair.rejoin();
  }
  isOver = true;
  await publishing;
  const stored = await nodes[0]!.listRevisions("failover", 1_000_000);
  const ids = new Map(stored.map(({ sequence, revisionId }) => [sequence, revisionId]));
  const lost = confirmed.filter(({ sequence, revisionId }) => ids.get(sequence) !== revisionId).length;
  await Promise.all(nodes.map((node) => node.close()));
  const longestMs = Math.max(...delays);
  const note = `${failovers} failovers while four nodes publish`;
  return [
    toRow({
      ...{ name: "failover, decision to first commit", metric: "ms, longest", ours: longestMs },
      ...{ target: `<= ${mostMs}`, met: longestMs <= mostMs, note },
    }),
    toRow({
      ...{ name: `confirmed before and after failovers, ${confirmed.length}`, metric: "lost", ours: lost },
      ...{ target: "0", met: lost === 0, note },
    }),
  ];
}
