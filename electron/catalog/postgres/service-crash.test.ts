import { describe, expect, onTestFinished, test } from "vitest";
import { usePostgres } from "../../platform/postgres/support/test-server.ts";
import { hasPostgres, postgresNeeds } from "../../support/engines/postgres-programs.ts";
import { startRelay } from "../../support/engines/relay.ts";
import { draftOf } from "../support/drafts.ts";
import { expectWhole, startPublishing, waitFor } from "./support/publishing-nodes.ts";
import { assumeFrames, createServiceTrial } from "./support/service-trial.ts";

describe.skipIf(!hasPostgres)(`the catalog of a service on bad days${postgresNeeds}`, () => {
  const server = usePostgres();

  test("loses nothing acknowledged when the server is killed at any moment", async () => {
    const trial = await createServiceTrial(server());
    const { acknowledged, done } = await startPublishing(trial, 40);
    for (const share of [15, 50, 100]) {
      await waitFor(() => acknowledged.length > share);
      await server().kill();
      await server().start();
    }
    await done;
    await expectWhole(trial, acknowledged, 160);
  });

  test("makes one revision of each draft, wherever the connection is cut", async () => {
    const relay = await startRelay(server().port);
    onTestFinished(() => relay.close());
    const trial = await createServiceTrial(server(), (database) =>
      server().url(database).replace(String(server().port), String(relay.port)),
    );
    const catalog = assumeFrames(await trial.open());
    let outcomes = 0;
    let cuts = 0;
    for (let piece = 1; piece <= 20; piece += 1) {
      const draft = draftOf("a", { seconds: piece * 120 - 90_000 });
      await catalog.blobs.add(draft.layers[0]!.frameId, `frames/${piece}`, 1);
      let sent = 0;
      relay.watch(() => {
        sent += 1;
        // Half of the cuts come after the piece has arrived, so that only the answer is lost.
        if (sent !== piece) return true;
        cuts += 1;
        setImmediate(relay.cut);
        return piece % 2 === 0;
      });
      const { revision, unchanged } = await catalog.publish(draft);
      relay.watch(() => true);
      expect(revision !== undefined || unchanged.length === 1).toBe(true);
      outcomes += 1;
    }
    expect(cuts).toBeGreaterThan(12);
    const list = await catalog.listRevisions("a", 100);
    expect(list.map(({ sequence }) => sequence)).toEqual(Array.from({ length: outcomes }, (_, at) => at + 1));
  });
});
