import { describe, expect, onTestFinished, test } from "vitest";
import { allowAlone, requireStandby } from "../../../platform/postgres/support/missing-standby.ts";
import { usePostgres } from "../../../platform/postgres/support/test-server.ts";
import { hasPostgres, postgresNeeds } from "../../../support/engines/postgres-programs.ts";
import { startRelay } from "../../../support/engines/relay.ts";
import { draftOf } from "../../support/drafts.ts";
import { expectWhole, startPublishing, waitFor } from "../support/publishing-nodes.ts";
import { assumeFrames, createServiceTrial } from "../support/service-trial.ts";

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
    // A publication that stores its frame first sends seven pieces.
    const pieces = 7;
    const total = 4 * pieces;
    let cuts = 0;
    for (let round = 0; round < total; round += 1) {
      let sent = 0;
      relay.watch(() => {
        sent += 1;
        if (sent !== (round % pieces) + 1) return true;
        cuts += 1;
        setImmediate(relay.cut);
        // Half of the pieces arrive, so that only the answer is lost.
        return round % 2 === 0;
      });
      const { revision, unchanged } = await catalog.publish(draftOf("a", { seconds: round * 120 - 90_000 }));
      relay.watch(() => true);
      expect(revision !== undefined || unchanged.length === 1).toBe(true);
    }
    expect(cuts).toBe(total);
    const list = await catalog.listRevisions("a", 100);
    expect(list.map(({ sequence }) => sequence)).toEqual(Array.from({ length: total }, (_, at) => at + 1));
  });

  test("says that no standby confirms a publication, which makes one revision when it is repeated", async () => {
    const trial = await createServiceTrial(server());
    const catalog = assumeFrames(await trial.open({ patienceMs: { commit: 100, statement: 100 } }));
    await catalog.publish(draftOf("a", { seconds: 0 }));
    await requireStandby(server());
    const draft = draftOf("a", { seconds: 120, message: "mrms-mesh 0" });
    await expect(catalog.publish(draft)).rejects.toMatchObject({
      code: "storage-unavailable",
      detail: expect.stringContaining("No standby has confirmed") as string,
    });
    expect(await catalog.listRevisions("a", 9)).toHaveLength(1);
    await allowAlone(server());
    expect(await catalog.publish(draft)).toMatchObject({ revision: undefined, unchanged: ["mrms-mesh"] });
    expect((await catalog.listRevisions("a", 9)).map(({ sequence }) => sequence)).toEqual([1, 2]);
  });
});
