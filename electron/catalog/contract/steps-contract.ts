// The steps of briefings: versions, saves of two people at once, and removal with the event.
import { describe, expect, test } from "vitest";
import { isAppError } from "../../../shared/app-error.ts";
import { stepsOf } from "../../../shared/views/support/example-steps.ts";
import { draftOf, observedAfter, startMs } from "../support/drafts.ts";
import { offerOf } from "../support/offers.ts";
import { openTrial, type CatalogEngine } from "./catalog-engine.ts";

const first = JSON.stringify(stepsOf("storm", "a"));
const second = JSON.stringify(stepsOf("storm", "a", "b"));

export function stepsContract(engine: CatalogEngine): void {
  describe("the steps of a briefing", () => {
    test("are read by another process as they were saved, and each change has the next version", async () => {
      const { catalog, connectReader, setClock } = await openTrial(engine);
      await catalog.publish(draftOf("storm", {}));
      const { catalog: reader } = await connectReader();
      expect(await reader.findSteps("storm")).toBeUndefined();
      const document = JSON.stringify({ text: "☃ \\u0000 'quoted' $1" });
      await setClock(startMs + 7_200_000);
      const saved = await catalog.saveSteps({ eventId: "storm", document, basedOn: 0 });
      expect(saved).toEqual({ eventId: "storm", version: 1, changedAt: observedAfter(7_200), document });
      expect(await reader.findSteps("storm")).toEqual(saved);
      await catalog.saveSteps({ eventId: "storm", document: second, basedOn: 1 });
      expect(await reader.findSteps("storm")).toMatchObject({ version: 2, document: second });
    });

    test("are not replaced by somebody who has not seen them", async () => {
      const { catalog } = await openTrial(engine);
      await catalog.publish(draftOf("storm", {}));
      await catalog.saveSteps({ eventId: "storm", document: first, basedOn: 0 });
      for (const basedOn of [0, 2]) {
        await expect(
          catalog.saveSteps({ eventId: "storm", document: second, basedOn }),
        ).rejects.toMatchObject({ code: "steps-changed" });
      }
      expect(await catalog.findSteps("storm")).toMatchObject({ version: 1, document: first });
    });

    test("saved by two processes at once are those of one of them", async () => {
      const { catalog, connect } = await openTrial(engine);
      await catalog.publish(draftOf("storm", {}));
      const { catalog: other } = await connect();
      for (let round = 0; round < 10; round += 1) {
        const outcomes = await Promise.allSettled(
          [catalog, other].map((each, who) => {
            const document = JSON.stringify(stepsOf("storm", `round-${round}`, `who-${who}`));
            return each.saveSteps({ eventId: "storm", document, basedOn: round });
          }),
        );
        const lost = outcomes.filter((outcome) => outcome.status === "rejected");
        expect(lost).toHaveLength(1);
        expect(isAppError(lost[0]!.reason, "steps-changed")).toBe(true);
        const [won] = outcomes.filter((outcome) => outcome.status === "fulfilled");
        expect(await catalog.findSteps("storm")).toEqual(won!.value);
      }
    });

    test("saved again as they are change nothing, whatever they were based on", async () => {
      const { catalog, setClock } = await openTrial(engine);
      await catalog.publish(draftOf("storm", {}));
      const saved = await catalog.saveSteps({ eventId: "storm", document: first, basedOn: 0 });
      await setClock(startMs + 7_200_000);
      expect(await catalog.saveSteps({ eventId: "storm", document: first, basedOn: 0 })).toEqual(saved);
    });

    test("are kept for archived and adopted events too, and refused for unknown ones", async () => {
      const { catalog } = await openTrial(engine);
      await catalog.publish(draftOf("storm", {}));
      await catalog.archiveEvent("storm");
      const offer = offerOf({ sequence: 3 });
      await catalog.adopt(offer);
      for (const eventId of ["storm", offer.event.id]) {
        expect((await catalog.saveSteps({ eventId, document: first, basedOn: 0 })).version).toBe(1);
      }
      await expect(
        catalog.saveSteps({ eventId: "unknown", document: first, basedOn: 0 }),
      ).rejects.toMatchObject({ code: "not-found" });
    });

    test("are removed with their event, and change neither it nor its revisions", async () => {
      const { catalog, findFaults } = await openTrial(engine);
      const [startedAt, endedAt] = [observedAfter(0), observedAfter(600)];
      const event = await catalog.registerEvent({ id: "storm", label: "Storm", startedAt, endedAt });
      await catalog.saveSteps({ eventId: "storm", document: first, basedOn: 0 });
      expect(await catalog.findEvent("storm")).toEqual(event);
      await catalog.removeEvent("storm");
      expect(await catalog.findSteps("storm")).toBeUndefined();
      await catalog.registerEvent({ id: "storm", label: "Another storm", startedAt, endedAt });
      expect(await catalog.findSteps("storm")).toBeUndefined();
      expect(await findFaults()).toEqual([]);
    });
  });
}
