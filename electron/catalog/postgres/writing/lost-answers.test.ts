// Each kind of write on a connection that is cut after its commit, before the answer, and the same on a whole one.
import { describe, expect, onTestFinished, test } from "vitest";
import { usePostgres } from "../../../platform/postgres/support/test-server.ts";
import { hasPostgres, postgresNeeds } from "../../../support/engines/postgres-programs.ts";
import { startRelay } from "../../../support/engines/relay.ts";
import type { Catalog } from "../../catalog.ts";
import { assetOf, draftOf, layerOf, observedAfter } from "../../support/drafts.ts";
import { mirrorOf, offerOf, theirEvent } from "../../support/offers.ts";
import { createServiceTrial, type ServiceTrial } from "../support/service-trial.ts";

const window = { startedAt: observedAfter(0), endedAt: observedAfter(3_600) };
const live = { id: "live", kind: "operational-feed" } as const;
const entry = { at: observedAfter(0), source: "noaa", eventId: "live", kind: "received" } as const;

async function republishFirst(catalog: Catalog): Promise<unknown> {
  const [of] = await catalog.listRevisions("live", 1);
  return catalog.republish({ eventId: "again", after: 0, of: of! });
}

/** In this order: some need what others have written. */
const writes: readonly (readonly [name: string, write: (catalog: Catalog) => Promise<unknown>])[] = [
  ["registers an event", (catalog) => catalog.registerEvent({ id: "gone", label: "A", ...window })],
  ["removes an event", (catalog) => catalog.removeEvent("gone")],
  ["discovers assets", (catalog) => catalog.discoverAssets([assetOf("live", "/x/1")])],
  ["changes an asset", (catalog) => catalog.updateAsset(1, { status: "failed", errorMessage: "No." })],
  ["publishes", (catalog) => catalog.publish({ ...draftOf("live", { seconds: 0 }), event: live })],
  ["publishes later", (catalog) => catalog.publish({ ...draftOf("live", { seconds: 3_000 }), event: live })],
  ["republishes", republishFirst],
  ["completes an event", (catalog) => catalog.completeEvent("again")],
  ["archives an event", (catalog) => catalog.archiveEvent("again")],
  ["adopts an event", (catalog) => catalog.adoptEvent(mirrorOf, theirEvent())],
  ["adopts a revision", (catalog) => catalog.adopt(offerOf({ sequence: 3 }))],
  ["adopts revisions", (catalog) => catalog.adoptAll([offerOf({ sequence: 4, seconds: 120 })])],
  ["appends to the log", (catalog) => catalog.appendFeedLog([entry, { ...entry, kind: "published" }])],
  ["removes old revisions", (catalog) => catalog.prune("live", 60_000)],
];

/** Returns the rows that writes leave, without numbers that only have to rise. */
async function dump({ database }: ServiceTrial): Promise<unknown> {
  const tables = {
    events: "to_jsonb(t) - 'version'",
    revisions: "to_jsonb(t) - 'id'",
    revision_layers: "to_jsonb(t) - 'revision'",
    assets: "to_jsonb(t) - 'id' - 'discovery'",
    feed_log: "to_jsonb(t) - 'id'",
    condemned_files: "to_jsonb(t)",
    condemned_objects: "to_jsonb(t)",
  };
  const rows = Object.entries(tables).map(async ([table, row]) => [
    table,
    await database.read(`SELECT ${row} AS row FROM ${table} t ORDER BY (${row})::text`),
  ]);
  return Object.fromEntries(await Promise.all(rows)) as unknown;
}

describe.skipIf(!hasPostgres)(`writes whose answer is lost${postgresNeeds}`, () => {
  const server = usePostgres();

  test("are done once, as if it had come", async () => {
    const relay = await startRelay(server().port);
    onTestFinished(() => relay.close());
    const cut = await createServiceTrial(server(), (database) =>
      server().url(database).replace(String(server().port), String(relay.port)),
    );
    const whole = await createServiceTrial(server());
    const catalogs = [await cut.open(), await whole.open()];
    for (const { blobs } of catalogs) {
      for (const seconds of [0, 120, 3_000]) {
        const { frameId } = layerOf({ seconds });
        await blobs.add(frameId, `frames/${frameId}`, 1);
      }
    }
    let isArmed = false;
    let cuts = 0;
    relay.watch((bytes) => {
      if (isArmed && bytes.includes("COMMIT")) {
        isArmed = false;
        cuts += 1;
        setImmediate(relay.cut);
      }
      return true;
    });
    for (const [name, write] of writes) {
      isArmed = true;
      for (const catalog of catalogs) await write(catalog);
      expect(isArmed, name).toBe(false);
      expect(await dump(cut), name).toEqual(await dump(whole));
    }
    expect(cuts).toBe(writes.length);
    expect(await whole.database.read("SELECT 1 FROM feed_log")).toHaveLength(2);
    expect(await whole.database.read("SELECT 1 FROM revisions")).toHaveLength(4);
  });
});
