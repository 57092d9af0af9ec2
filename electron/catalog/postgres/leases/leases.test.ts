import { describe, expect, onTestFinished, test } from "vitest";
import { usePostgres } from "../../../platform/postgres/support/test-server.ts";
import { hasPostgres, postgresNeeds } from "../../../support/engines/postgres-programs.ts";
import { startRelay } from "../../../support/engines/relay.ts";
import { createObjectKey } from "../../objects/object-keys.ts";
import { draftOf, hashOf, startMs } from "../../support/drafts.ts";
import { assumeFrames, createServiceTrial } from "../support/service-trial.ts";
import { tryHoldLease } from "./held-lease.ts";
import { createSweep } from "./sweep-turn.ts";

describe.skipIf(!hasPostgres)(`leases${postgresNeeds}`, () => {
  const server = usePostgres();

  test("a leader that slept past its lease can write no more", async () => {
    const { open, setClock } = await createServiceTrial(server());
    const [first, second] = [await open(), await open()];
    const lease = (await first.leases.acquire("feed live", "one", 10_000))!;
    expect(await second.leases.acquire("feed live", "two", 10_000)).toBeUndefined();
    const leader = assumeFrames({ ...first, ...first.underLease(lease) });
    await leader.publish(draftOf("a", { seconds: 0 }));
    await setClock(startMs + 3_600_000 + 10_001);
    expect(await first.leases.renew(lease, 10_000)).toBe(true);
    await setClock(startMs + 3_600_000 + 30_000);
    const taken = await second.leases.acquire("feed live", "two", 10_000);
    expect(taken).toEqual({ name: "feed live", epoch: 2 });
    expect(await first.leases.renew(lease, 10_000)).toBe(false);
    await expect(leader.publish(draftOf("a", { seconds: 120 }))).rejects.toMatchObject({ code: "conflict" });
    await first.leases.release(lease);
    expect(await first.leases.acquire("feed live", "one", 10_000)).toBeUndefined();
    await second.leases.release(taken!);
    expect(await first.leases.acquire("feed live", "one", 10_000)).toMatchObject({ epoch: 3 });
    expect((await first.listRevisions("a", 10)).map(({ sequence }) => sequence)).toEqual([1]);
  });

  test("a lease that was given back is not extended by a renewal that comes late", async () => {
    const { open } = await createServiceTrial(server());
    const catalog = await open();
    const { leases } = catalog;
    const held = (await tryHoldLease(leases, "feed live"))!;
    await held.close();
    expect(await leases.renew(held.lease, 10_000)).toBe(false);
    await expect(catalog.underLease(held.lease).archiveEvent("a")).rejects.toMatchObject({
      code: "conflict",
    });
    expect(await tryHoldLease(leases, "feed live")).toMatchObject({ lease: { epoch: 2 } });
  });

  test("an acquisition whose answer is lost holds the lease all the same", async () => {
    const relay = await startRelay(server().port);
    onTestFinished(() => relay.close());
    const trial = await createServiceTrial(server(), (database) =>
      server().url(database).replace(String(server().port), String(relay.port)),
    );
    const { leases } = await trial.open();
    let cuts = 0;
    relay.watch((bytes) => {
      if (!bytes.includes("COMMIT")) return true;
      cuts += 1;
      if (cuts === 1) setImmediate(relay.cut);
      return true;
    });
    expect(await tryHoldLease(leases, "feed live")).toMatchObject({ lease: { name: "feed live" } });
    expect(cuts).toBe(2);
  });

  test("standing by writes nothing, so readers find nothing new", async () => {
    const { open } = await createServiceTrial(server());
    const [leader, standby] = [await open(), await open()];
    await leader.leases.acquire("feed live", "one", 10_000);
    const version = await leader.readVersion();
    expect(await standby.leases.acquire("feed live", "two", 10_000)).toBeUndefined();
    expect(await leader.readVersion()).toBe(version);
  });

  test("the object store is swept by one process within hours", async () => {
    const { open, objects, setClock } = await createServiceTrial(server());
    const [one, two] = [await open(), await open()];
    const { signal } = new AbortController();
    const [kept, orphan, condemned] = ["a", "b", "c"].map((text) => createObjectKey("frames", hashOf(text)));
    for (const key of [kept!, orphan!, condemned!]) await objects.put(key, Buffer.from("bytes"));
    await one.blobs.add(hashOf("a"), kept!, 5);
    await one.blobs.add(hashOf("c"), condemned!, 5);
    // As a process that was killed between its commit and the removal leaves it.
    await one.blobs.replace(hashOf("c"), condemned!, createObjectKey("frames", hashOf("c")));
    const sweeps = [one, two].map(({ leases, blobs }) =>
      createSweep(leases, { objects, blobs, safeAgeMs: 0 }),
    );
    const counts = await Promise.all(sweeps.map((sweep) => sweep(signal)));
    expect(counts.toSorted()).toEqual([2, undefined]);
    const left: string[] = [];
    for await (const { key } of objects.list("frames/")) left.push(key);
    expect(left).toEqual([kept]);
    await setClock(startMs + 10 * 3_600_000);
    expect(await sweeps[1]!(signal)).toBe(0);
  });
});
