import { afterEach, describe, expect, test } from "vitest";
import { isAppError } from "../../../shared/app-error.ts";
import { openDatabase } from "../../platform/postgres/database.ts";
import { usePostgres } from "../../platform/postgres/support/test-server.ts";
import { hasPostgres, postgresNeeds } from "../../support/engines/postgres-programs.ts";
import type { CatalogReader, PublishDraft } from "../catalog.ts";
import { createFolderObjectStore } from "../objects/engines/folder-object-store.ts";
import { publishAgainWhileFramesVanish } from "../stores/frame-vanished.ts";
import { assetOf, draftOf, hashOf, observedAfter, startMs, temporaryDirectory } from "../support/drafts.ts";
import { migrateServiceCatalog, openServiceCatalog } from "./open-service-catalog.ts";
import { checkServiceSchema, migrateService, serviceMigrations } from "./schema/service-schema.ts";
import { assumeFrames, createServiceTrial, type ServiceTrial } from "./support/service-trial.ts";

async function sequencesOf(catalog: CatalogReader, eventId: string): Promise<number[]> {
  return (await catalog.listRevisions(eventId, 1_000)).map(({ sequence }) => sequence);
}

function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, at) => at + 1);
}

describe.skipIf(!hasPostgres)(`the catalog of a service${postgresNeeds}`, () => {
  const server = usePostgres();
  const start = (): Promise<ServiceTrial> => createServiceTrial(server());

  describe("its schema", () => {
    test("is created by several migrations at once, and a database without it is refused", async () => {
      const url = server().url(await server().createDatabase());
      const objects = createFolderObjectStore({ folder: await temporaryDirectory() });
      await expect(openServiceCatalog({ url, objects })).rejects.toMatchObject({
        code: "conflict",
        detail: "The database of `catalog.url` has no catalog yet: run echotop migrate.",
      });
      const outcomes = await Promise.all([1, 2, 3].map(() => migrateServiceCatalog({ url })));
      const newest = serviceMigrations.length;
      expect(outcomes.map(({ from }) => from).toSorted()).toEqual([0, newest, newest]);
      await (await openServiceCatalog({ url, objects })).close();
    });

    test("of the version before is accepted, of a newer one refused and left unchanged", async () => {
      const { url } = await start();
      const database = await openDatabase({ url });
      const newest = serviceMigrations.length;
      const add = { version: newest + 1, sql: "ALTER TABLE events ADD COLUMN color text" };
      const next = { version: newest + 2, sql: "SELECT 1" };
      await checkServiceSchema(database, [...serviceMigrations, add]);
      await expect(checkServiceSchema(database, [...serviceMigrations, add, next])).rejects.toThrow(
        `version ${newest}: run echotop migrate`,
      );
      await migrateService(database, [...serviceMigrations, add]);
      const newer = {
        code: "conflict",
        detail: expect.stringContaining("made by a newer Echotop") as string,
      };
      await expect(migrateServiceCatalog({ url })).rejects.toMatchObject(newer);
      await expect(checkServiceSchema(database)).rejects.toMatchObject(newer);
      expect(await database.read("SELECT version FROM catalog_schema")).toEqual([{ version: newest + 1 }]);
      await database.close();
    });
  });

  test("four writers of two events leave no gap, although every third transaction fails as it commits", async () => {
    const trial = await start();
    await trial.database.transact("durable", ({ execute }) =>
      execute(`CREATE SEQUENCE attempts;
        CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF nextval('attempts') % 3 = 0 THEN RAISE EXCEPTION 'forced'; END IF; RETURN NULL; END $$;
        CREATE CONSTRAINT TRIGGER fail AFTER INSERT ON revisions DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION fail()`),
    );
    const failures = await Promise.all(
      upTo(4).map(async (writer) => {
        const node = assumeFrames(await trial.open());
        const drafts = upTo(15).map((round) =>
          draftOf(round % 2 === 0 ? "a" : "b", { seconds: (round * 4 + writer) * 120 - 9_000 }),
        );
        const failed: unknown[] = [];
        for (const draft of drafts) await node.publish(draft).catch((error: unknown) => failed.push(error));
        return failed;
      }),
    );
    expect(failures.flat()).toHaveLength(20);
    expect(failures.flat().every((error) => isAppError(error, "storage-failed"))).toBe(true);
    const reader = await trial.open();
    const [a, b] = await Promise.all([sequencesOf(reader, "a"), sequencesOf(reader, "b")]);
    expect([a, b]).toEqual([upTo(a.length), upTo(b.length)]);
    expect(a.length + b.length).toBe(40);
  });

  test("two publishers of the same message make one revision", async () => {
    const trial = await start();
    const [one, two] = [assumeFrames(await trial.open()), assumeFrames(await trial.open())];
    for (const round of upTo(10)) {
      const draft = draftOf("a", { seconds: round * 120 - 9_000 });
      const outcomes = await Promise.all([one.publish(draft), two.publish(draft)]);
      expect(outcomes.filter(({ revision }) => revision !== undefined)).toHaveLength(1);
    }
    expect(await sequencesOf(one, "a")).toEqual(upTo(10));
  });

  test("what one node was told, every other node can read", async () => {
    const trial = await start();
    const writer = assumeFrames(await trial.open());
    const [told, asked] = [await trial.open(), await trial.open()];
    await writer.publish(draftOf("a", { seconds: 0 }));
    const last = 30;
    let seen = 1;
    let misses = 0;
    const allSeen = new Promise<void>((resolve) => {
      told.onChange(() => {
        void told.listNotices("a", seen, 100).then(async (notices) => {
          for (const { revisionId, sequence } of notices) {
            seen = Math.max(seen, sequence);
            const [latest, revision] = await Promise.all([
              asked.findLatestRevision("a"),
              asked.findRevision("a", revisionId),
            ]);
            if (!revision || (latest?.sequence ?? 0) < sequence) misses += 1;
            if (sequence === last) resolve();
          }
        });
      });
    });
    for (const round of upTo(last - 1)) await writer.publish(draftOf("a", { seconds: round * 120 }));
    await allSeen;
    expect(misses).toBe(0);
  });

  test("changes are commits of events and revisions, in whatever order they are committed", async () => {
    const trial = await start();
    const [reader, writer] = [await trial.open(), assumeFrames(await trial.open())];
    await writer.publish(draftOf("a", { seconds: 0 }));
    await writer.publish(draftOf("b", { seconds: 0 }));
    const version = await reader.readVersion();
    const [id] = await writer.discoverAssets([assetOf("a", "/x/1")]);
    await writer.updateAsset(id!, { status: "complete" });
    await writer.appendFeedLog([{ at: observedAfter(0), source: "noaa", eventId: "a", kind: "started" }]);
    await writer.leases.acquire("feed a", "me", 1_000);
    expect(await reader.readVersion()).toBe(version);

    let between = version;
    await trial.database.transact("durable", async ({ query }) => {
      await query("UPDATE events SET version = nextval('event_versions') WHERE id = 'a'");
      await writer.publish(draftOf("b", { seconds: 120 }));
      between = await reader.readVersion();
      expect(between).toBeGreaterThan(version);
    });
    expect(await reader.readVersion()).toBeGreaterThan(between);
  });

  test("publication times come from the database, whatever the clock of a node says", async () => {
    const { open, setClock } = await start();
    const catalog = assumeFrames(await open());
    const nowMs = startMs + 5_000_000;
    await setClock(nowMs);
    const { revision } = await catalog.publish(draftOf("a", { seconds: 0 }));
    expect(revision?.publishedAt).toBe(observedAfter(5_000));
  });

  test("a frame that retention forgets while it is published is stored and published again", async () => {
    const trial = await start();
    const catalog = await trial.open();
    const frame = draftOf("a", { seconds: 0 }).layers[0]!.frameId;
    let uploads = 0;
    const store = async (): Promise<void> => {
      if ((await catalog.blobs.find(frame)) !== undefined) return;
      uploads += 1;
      await catalog.blobs.add(frame, `frames/${uploads}`, 1);
    };
    await store();
    let isFirst = true;
    const outcome = await publishAgainWhileFramesVanish(async () => {
      await store();
      // Nothing shows the frame yet.
      if (isFirst) await catalog.discardSources([frame]);
      isFirst = false;
      return catalog.publish(draftOf("a", { seconds: 0 }));
    });
    expect(outcome.revision?.sequence).toBe(1);
    expect(trial.deleted).toEqual(["frames/1"]);
    expect(await catalog.blobs.find(frame)).toMatchObject({ objectKey: "frames/2" });
    expect(await catalog.discardSources([frame])).toBe(0);
  });

  test("retention and publications of the same pictures never leave a manifest without its frame", async () => {
    const trial = await start();
    const [feed, other] = [await trial.open(), await trial.open()];
    const publish = (draft: PublishDraft, node: typeof feed): Promise<unknown> =>
      publishAgainWhileFramesVanish(async () => {
        for (const { frameId } of draft.layers) {
          if ((await node.blobs.find(frameId)) === undefined) {
            await node.blobs.add(frameId, `frames/${frameId}.${Math.random()}`, 1);
          }
        }
        return node.publish(draft);
      });
    const event = { id: "live", kind: "operational-feed" as const };
    for (const round of upTo(12)) {
      const seconds = round * 600 - 7_000;
      await publish({ ...draftOf("live", { seconds, message: `m${round}` }), event }, feed);
      // The other event shows the picture that the feed is about to remove.
      const again = draftOf("kept", { seconds, message: `m${round - 1}` });
      await Promise.all([feed.prune("live", 60_000), publish(again, other)]);
    }
    expect(await sequencesOf(feed, "live")).toEqual([12]);
    expect(await sequencesOf(other, "kept")).toEqual(upTo(12));
    const shown = await trial.database.read<{ object_key: string }>(
      "SELECT object_key FROM revision_layers JOIN blobs ON name = frame_id",
    );
    expect(shown).toHaveLength(13);
    expect(shown.filter(({ object_key }) => trial.deleted.includes(object_key))).toEqual([]);
    expect(await trial.database.read("SELECT * FROM condemned_objects")).toEqual([]);
  });

  test("the index of blobs keeps one key for a hash, and condemns a replaced one", async () => {
    const { blobs } = await (await start()).open();
    const [one, two] = [hashOf("1"), hashOf("2")];
    const added = await Promise.all([blobs.add(one, "frames/a", 3), blobs.add(one, "frames/b", 3)]);
    expect(added.toSorted()).toEqual([false, true]);
    const key = (await blobs.find(one))!.objectKey;
    expect(await blobs.findAll([one, two])).toEqual(new Map([[one, key]]));
    expect(await blobs.replace(one, "frames/z", "frames/c")).toBe(false);
    expect(await blobs.replace(one, key, "frames/c")).toBe(true);
    expect(await blobs.takeCondemned(10)).toEqual([key]);
    await blobs.forgetCondemned([key]);
    expect(await blobs.takeCondemned(10)).toEqual([]);
    expect(await blobs.find(one)).toEqual({ objectKey: "frames/c", byteLength: 3 });
  });

  afterEach(async () => {
    const open = await server().query<{ n: number }>(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE state = 'idle in transaction'",
    );
    expect(open).toEqual([{ n: 0 }]);
  });
});
