// Copies between two places: what every pair of engines does.
import { describe, expect, test } from "vitest";
import { messageOf } from "../../../shared/app-error.ts";
import { copyOnce, failAfter } from "../copy/support/copy-trial.ts";
import { stepsOf } from "../../../shared/views/support/example-steps.ts";
import {
  fillVaried,
  publish,
  publishWindows,
  readEverything,
  useStores,
} from "../copy/support/varied-catalog.ts";
import type { StoresLocation } from "../stores/located-stores.ts";
import { draftOf, overlayDraftOf } from "../support/drafts.ts";

export interface CopiedPlace {
  /** Names the place in titles of tests. */
  readonly name: string;
  /** Creates an empty place for the running test. */
  readonly create: () => Promise<StoresLocation>;
  /** Returns the faults that its verification finds. */
  readonly findFaults: (location: StoresLocation) => Promise<readonly string[]>;
}

/** Returns a function that creates an empty place and one with a varied catalog. */
function createStart(fromPlace: CopiedPlace, toPlace: CopiedPlace) {
  return async (windows = 3): Promise<{ from: StoresLocation; to: StoresLocation }> => {
    const [from, to] = [await fromPlace.create(), await toPlace.create()];
    await useStores(from, (stores) => fillVaried(stores, windows));
    return { from, to };
  };
}

/** Defines the tests of a copy, and of one that is interrupted or repeated. */
export function copyContract(fromPlace: CopiedPlace, toPlace: CopiedPlace): void {
  const start = createStart(fromPlace, toPlace);

  describe(`a copy from ${fromPlace.name} to ${toPlace.name}`, () => {
    test("has everything that readers see, and nothing is left for a second one", async () => {
      const { from, to } = await start();
      const first = await copyOnce(from, to);
      expect(first).toMatchObject({ differences: [], events: 6, assets: 3, logEntries: 2 });
      expect(await readEverything(to)).toEqual(await readEverything(from));
      expect(await toPlace.findFaults(to)).toEqual([]);
      const second = await copyOnce(from, to);
      expect(second).toMatchObject({ differences: [], revisions: 0, frames: 0, assets: 0, logEntries: 0 });
      expect(Object.values(second.copies).filter(({ isChanged }) => isChanged)).toEqual([]);
    });

    test("goes on after a kill at any moment, and is sound in between", async () => {
      const { from, to } = await start(2);
      const whole = await readEverything(from);
      // Other steps each time, so that the kills hit bytes and rows alike.
      for (let kills = 0, isDone = false; !isDone; kills += 1) {
        isDone = await copyOnce(from, to, failAfter((kills * 5) % 13)).then(
          () => true,
          (error: unknown) => {
            if (messageOf(error) !== "killed") throw error;
            return false;
          },
        );
        expect(await toPlace.findFaults(to)).toEqual([]);
      }
      expect(await readEverything(to)).toEqual(whole);
    }, 120_000);

    test("brings what the source has published since", async () => {
      const { from, to } = await start();
      await copyOnce(from, to);
      await useStores(from, async (stores) => {
        await publishWindows(stores, "storm", { count: 2, fromSeconds: 3_600 });
        await publishWindows(stores, "later", { count: 1 });
        await stores.catalog.registerEvent({
          ...{ id: "new", label: "New" },
          ...{ startedAt: "2024-05-01T20:00:00Z", endedAt: "2024-05-01T21:00:00Z" },
        });
      });
      const { copies, revisions } = await copyOnce(from, to);
      expect(revisions).toBe(3);
      expect(copies).toMatchObject({
        storm: { revisions: 2 },
        later: { revisions: 1 },
        over: { isChanged: false },
      });
      expect(await readEverything(to)).toEqual(await readEverything(from));
    });
  });
}

/** Defines the tests of copies while either side is in use or damaged. */
export function usedCopyContract(fromPlace: CopiedPlace, toPlace: CopiedPlace): void {
  const start = createStart(fromPlace, toPlace);

  describe(`a copy from ${fromPlace.name} to ${toPlace.name}`, () => {
    test("takes an event as it was when the copy began, also if the source goes on publishing", async () => {
      const { from, to } = await start();
      await useStores(from, async (stores) => {
        let isFirst = true;
        await copyOnce(from, to, (places) => ({
          ...places,
          from: {
            ...places.from,
            read: async (kind, sha256) => {
              if (isFirst) {
                isFirst = false;
                await publishWindows(stores, "storm", { count: 1, fromSeconds: 3_600 });
              }
              return places.from.read(kind, sha256);
            },
          },
        }));
      });
      expect(await toPlace.findFaults(to)).toEqual([]);
      expect((await copyOnce(from, to)).revisions).toBe(1);
      expect(await readEverything(to)).toEqual(await readEverything(from));
    });

    test("keeps revisions that retention has removed in the source since", async () => {
      const { from, to } = await start();
      await copyOnce(from, to);
      const event = { id: "live", kind: "operational-feed" as const };
      await useStores(from, async (stores) => {
        await publish(stores, { ...draftOf("live", { seconds: 36_000 }), event });
        await stores.catalog.prune("live", 3_600_000);
      });
      expect((await copyOnce(from, to)).differences).toEqual([]);
      const sequences = await useStores(to, async ({ catalog }) =>
        (await catalog.listRevisions("live", 10)).map(({ sequence }) => sequence),
      );
      expect(sequences).toEqual([3, 4, 5]);
      expect(await toPlace.findFaults(to)).toEqual([]);
      expect(Object.values((await copyOnce(from, to)).copies).filter(({ isChanged }) => isChanged)).toEqual(
        [],
      );
    });

    test("is refused by name where the target is not from the source, and changes nothing", async () => {
      const { from, to } = await start();
      await copyOnce(from, to);
      await useStores(to, async (stores) => {
        await publish(stores, draftOf("storm", { seconds: 7_200 }));
        await publish(stores, draftOf("own", { seconds: 0 }));
      });
      await useStores(from, (stores) => publish(stores, draftOf("storm", { seconds: 7_320 })));
      const before = await readEverything(to);
      const { differences } = await copyOnce(from, to);
      expect(differences.map(({ eventId, sequence }) => [eventId, sequence])).toEqual([
        ["own", undefined],
        ["storm", 6],
      ]);
      expect(await readEverything(to)).toEqual(before);
    });

    test("is refused where steps were changed in the target, and otherwise brings newer ones", async () => {
      const { from, to } = await start();
      await copyOnce(from, to);
      const save = (location: StoresLocation, ...ids: readonly string[]): Promise<unknown> =>
        useStores(location, ({ catalog }) =>
          catalog.saveSteps({
            eventId: "storm",
            document: JSON.stringify(stepsOf("storm", ...ids)),
            basedOn: 2,
          }),
        );
      await save(from, "a", "b");
      expect((await copyOnce(from, to)).copies).toMatchObject({ storm: { isChanged: true } });
      expect(await readEverything(to)).toEqual(await readEverything(from));
      const other = await toPlace.create();
      await copyOnce(to, other);
      await useStores(other, ({ catalog }) =>
        catalog.saveSteps({ eventId: "storm", document: JSON.stringify(stepsOf("storm")), basedOn: 3 }),
      );
      const { differences } = await copyOnce(to, other);
      expect(differences).toMatchObject([
        { eventId: "storm", what: expect.stringContaining("steps") as string },
      ]);
    });

    test("is refused where an overlay was changed in the target, and otherwise brings newer ones", async () => {
      const { from, to } = await start();
      await copyOnce(from, to);
      const keep = (location: StoresLocation, text: string, seconds: number): Promise<unknown> =>
        useStores(location, ({ catalog }) => catalog.keepOverlay(overlayDraftOf("storm", { text, seconds })));
      await keep(from, "newer", 60);
      expect((await copyOnce(from, to)).copies).toMatchObject({ storm: { isChanged: true } });
      expect(await readEverything(to)).toEqual(await readEverything(from));
      await keep(to, "changed in the target", 120);
      const { differences } = await copyOnce(from, to);
      expect(differences).toMatchObject([
        { eventId: "storm", what: expect.stringContaining("overlay iem-warnings") as string },
      ]);
    });

    test("ends an event before a revision whose frame is lost, and copies the others", async () => {
      const { from, to } = await start();
      const lost = draftOf("storm", { seconds: 120, message: "storm mesh 120" }).layers[0]!.frameId;
      const { copies } = await copyOnce(from, to, (places) => ({
        ...places,
        from: {
          ...places.from,
          read: (kind, sha256) =>
            sha256 === lost ? Promise.resolve(undefined) : places.from.read(kind, sha256),
        },
      }));
      expect(copies).toMatchObject({
        storm: { revisions: 1, fault: { sequence: 2, what: `Its frame ${lost} is missing.` } },
        over: { revisions: 1 },
      });
      expect(await toPlace.findFaults(to)).toEqual([]);
      await copyOnce(from, to);
      expect(await readEverything(to)).toEqual(await readEverything(from));
    });
  });
}
