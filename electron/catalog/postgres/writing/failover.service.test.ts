import { describe, expect, onTestFinished, test } from "vitest";
import { usePostgres, usePostgresPassword } from "../../../platform/postgres/support/test-server.ts";
import { startPostgresPair } from "../../../support/engines/postgres-pair.ts";
import { hasPostgres, postgresNeeds } from "../../../support/engines/postgres-programs.ts";
import { draftOf } from "../../support/drafts.ts";
import { expectWhole, startPublishing, waitFor } from "../support/publishing-nodes.ts";
import { assumeFrames, createServiceTrial } from "../support/service-trial.ts";

describe.skipIf(!hasPostgres)(`the catalog of a service, killed again and again${postgresNeeds}`, () => {
  const server = usePostgres();

  test("loses nothing acknowledged at 60 points", { timeout: 300_000 }, async () => {
    const trial = await createServiceTrial(server());
    const { acknowledged, done } = await startPublishing(trial, 250);
    for (let kill = 1; kill <= 60; kill += 1) {
      const before = acknowledged.length;
      await waitFor(() => acknowledged.length > before + ((kill * 7) % 11));
      await server().kill();
      await server().start();
    }
    await done;
    await expectWhole(trial, acknowledged, 1_000);
  });
});

describe.skipIf(!hasPostgres)(`a service of two database machines${postgresNeeds}`, () => {
  usePostgresPassword();

  test("loses nothing acknowledged when its primary is killed and the standby promoted", async () => {
    const pair = await startPostgresPair();
    onTestFinished(pair.remove);
    const { primary, standby } = pair;
    const trial = await createServiceTrial(primary, (database) =>
      primary.url(database).replace("/test_", `,127.0.0.1:${standby.port}/test_`),
    );
    const { acknowledged, done } = await startPublishing(trial, 40);
    await waitFor(() => acknowledged.length > 60);
    await primary.kill();
    const decidedMs = performance.now();
    await pair.promote();
    const before = acknowledged.length;
    await waitFor(() => acknowledged.length > before);
    expect(performance.now() - decidedMs).toBeLessThan(5_000);
    await done;
    await expectWhole(trial, acknowledged, 160);
    await pair.rejoin();
    const catalog = assumeFrames(await trial.open());
    expect((await catalog.publish(draftOf("a", { seconds: 1_200 }))).revision).toBeDefined();
  });
});
