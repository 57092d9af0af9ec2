// Overlays kept with events: bytes and facts as they came, replacement, bounds, and removal with the event.
import { describe, expect, test } from "vitest";
import { overlaySourceLimits } from "../../../shared/contract/overlays.ts";
import { overlayLimits } from "../../../shared/overlays/overlay.ts";
import { sha256Of } from "../../platform/sha256.ts";
import { draftOf, observedAfter, overlayDraftOf } from "../support/drafts.ts";
import { offerOf } from "../support/offers.ts";
import { openTrial, type CatalogEngine } from "./catalog-engine.ts";

export function overlaysContract(engine: CatalogEngine): void {
  describe("overlays kept with an event", () => {
    test("are read by another process byte for byte, by name, with what is known about them", async () => {
      const { catalog, connectReader } = await openTrial(engine);
      await catalog.publish(draftOf("storm", {}));
      const { catalog: reader } = await connectReader();
      expect(await reader.listKeptOverlays("storm")).toEqual([]);
      // Bytes of any kind: the catalog does not interpret them.
      const bytes = Buffer.from(Array.from({ length: 512 }, (_, at) => at % 256));
      const draft = { ...overlayDraftOf("storm", { name: "warnings" }), bytes };
      const kept = await catalog.keepOverlay(draft);
      expect(kept).toEqual({ ...draft.facts, sha256: sha256Of(bytes), byteLength: 512 });
      const reports = await catalog.keepOverlay(overlayDraftOf("storm", { name: "reports" }));
      expect(await reader.listKeptOverlays("storm")).toEqual([reports, kept]);
      expect(Buffer.from((await reader.readKeptOverlay("storm", kept.sha256))!)).toEqual(bytes);
      expect(await reader.readKeptOverlay("storm", "0".repeat(64))).toBeUndefined();
      expect(await reader.readKeptOverlay("other", kept.sha256)).toBeUndefined();
    });

    test("are replaced by other bytes of the same name, and stay as they are for the same", async () => {
      const { catalog } = await openTrial(engine);
      await catalog.publish(draftOf("storm", {}));
      const first = await catalog.keepOverlay(overlayDraftOf("storm", { text: "one" }));
      expect(await catalog.keepOverlay(overlayDraftOf("storm", { text: "one", seconds: 60 }))).toEqual(first);
      const second = await catalog.keepOverlay(overlayDraftOf("storm", { text: "two", seconds: 60 }));
      expect(second.fetchedAt).toBe(observedAfter(60));
      expect(await catalog.listKeptOverlays("storm")).toEqual([second]);
      expect(await catalog.readKeptOverlay("storm", first.sha256)).toBeUndefined();
    });

    test("are bounded in number and bytes", async () => {
      const { catalog } = await openTrial(engine);
      await catalog.publish(draftOf("storm", {}));
      for (const length of [0, overlayLimits.bytes + 1]) {
        await expect(
          catalog.keepOverlay({ ...overlayDraftOf("storm"), bytes: Buffer.alloc(length) }),
        ).rejects.toMatchObject({ code: "invalid-input" });
      }
      for (let index = 0; index < overlaySourceLimits.kept; index += 1) {
        await catalog.keepOverlay(overlayDraftOf("storm", { name: `overlay-${index}` }));
      }
      await expect(catalog.keepOverlay(overlayDraftOf("storm", { name: "one-more" }))).rejects.toMatchObject({
        code: "conflict",
      });
      await catalog.keepOverlay(overlayDraftOf("storm", { name: "overlay-0", text: "another" }));
      expect(await catalog.listKeptOverlays("storm")).toHaveLength(overlaySourceLimits.kept);
    });

    test("are kept with archived and adopted events too, and refused for unknown ones", async () => {
      const { catalog } = await openTrial(engine);
      await catalog.publish(draftOf("storm", {}));
      await catalog.archiveEvent("storm");
      const offer = offerOf({ sequence: 3 });
      await catalog.adopt(offer);
      for (const eventId of ["storm", offer.event.id]) {
        await catalog.keepOverlay(overlayDraftOf(eventId));
        expect(await catalog.listKeptOverlays(eventId)).toHaveLength(1);
      }
      await expect(catalog.keepOverlay(overlayDraftOf("unknown"))).rejects.toMatchObject({
        code: "not-found",
      });
    });

    test("are removed with their event", async () => {
      const { catalog, findFaults } = await openTrial(engine);
      const window = { startedAt: observedAfter(0), endedAt: observedAfter(600) };
      await catalog.registerEvent({ id: "storm", label: "Storm", ...window });
      const { sha256 } = await catalog.keepOverlay(overlayDraftOf("storm"));
      expect(await findFaults()).toEqual([]);
      await catalog.removeEvent("storm");
      expect(await catalog.listKeptOverlays("storm")).toEqual([]);
      await catalog.registerEvent({ id: "storm", label: "Another storm", ...window });
      expect(await catalog.readKeptOverlay("storm", sha256)).toBeUndefined();
      expect(await findFaults()).toEqual([]);
    });
  });
}
