import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../../catalog/support/drafts.ts";
import { createSystemEffects } from "../../../platform/effects.ts";
import { hasGit, makeRepository, startGitService } from "../support/git-service.ts";
import { openDesk, publish } from "../support/sample-event.ts";
import { exportAndPush, fetchAndImport } from "./carry-pack.ts";

const token = "art_v1_0123?expires=1800000000";

describe.skipIf(!hasGit)("getting a pack", () => {
  test("of an event created here is refused before its frames are fetched", async () => {
    const root = await temporaryDirectory();
    const there = join(root, "plains.git");
    makeRepository(there);
    const service = await startGitService({ root, token });
    onTestFinished(() => service.close());
    const revisions = 12;
    const sender = await openDesk();
    for (let shade = 1; shade <= revisions; shade += 1) await publish(sender, { shade });
    const receiver = await openDesk();
    await publish(receiver, { shade: 1 });
    const carriage = {
      address: { url: `${service.origin}/plains.git`, certificateSha256: undefined },
      token,
      effects: createSystemEffects(),
      signal: new AbortController().signal,
    };
    await exportAndPush({ ...carriage, ...sender, eventId: "plains" });
    const steps: number[] = [];
    const getting = fetchAndImport({ ...carriage, ...receiver, onProgress: (done) => steps.push(done) });
    await expect(getting).rejects.toMatchObject({ code: "conflict", detail: /was created on this computer/ });
    expect(Math.max(...steps)).toBeLessThan(revisions);
  });
});
