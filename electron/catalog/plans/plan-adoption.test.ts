// Which revisions of other services are adopted, known or refused.
import { describe, expect, test } from "vitest";
import type { AdoptDraft } from "../catalog.ts";
import { layerOf } from "../support/drafts.ts";
import { mirrorOf, offerOf, theirEvent } from "../support/offers.ts";
import type { EventState } from "./event-state.ts";
import {
  checkAdoption,
  planAdoption,
  planEventAdoption,
  type AdoptionPlan,
  type AdoptionState,
} from "./plan-adoption.ts";

/** The mirrored event after sequence 9, of which retention has removed all up to 4. */
const mirrored: EventState = {
  ...planEventAdoption(undefined, mirrorOf, theirEvent())!,
  currentRevisionId: "R9",
  lastSequence: 9,
  prunedSequence: 4,
};

function plan(draft: AdoptDraft, state: Partial<AdoptionState> = {}): AdoptionPlan {
  return planAdoption(checkAdoption(draft), {
    event: mirrored,
    known: undefined,
    latest: { revisionId: "R9", sequence: 9 },
    withdrawnRevisionId: undefined,
    storedFrames: new Set(draft.layers.map(({ frameId }) => frameId)),
    ...state,
  });
}

describe("a draft", () => {
  test.each<[string, (offer: AdoptDraft) => Partial<AdoptDraft>]>([
    ["no layer", () => ({ layers: [] })],
    ["a duplicate product", ({ layers }) => ({ layers: [...layers, ...layers] })],
    ["a frame that the manifest does not show", () => ({ layers: [layerOf({ message: "other" })] })],
    ["an invalid revision id", ({ revision }) => ({ revision: { ...revision, revisionId: "../x" } })],
    ["an invalid sequence", ({ revision }) => ({ revision: { ...revision, sequence: 0 } })],
    ["an invalid event id", ({ event }) => ({ event: { ...event, id: "No" } })],
  ])("with %s is refused", (_what, change) => {
    const offer = offerOf({ sequence: 1 });
    expect(() => checkAdoption({ ...offer, ...change(offer) })).toThrow(
      expect.objectContaining({ code: "invalid-input" }),
    );
  });
});

describe("a revision", () => {
  test("above all others becomes the current one", () => {
    const { event, revision } = plan(offerOf({ sequence: 12 }));
    expect(revision).toMatchObject({ revisionId: "R12", sequence: 12 });
    expect(event).toMatchObject({ currentRevisionId: "R12", lastSequence: 12 });
  });

  test("that a repair withdrew is adopted again, and the current one stays", () => {
    const { event, revision } = plan(offerOf({ sequence: 7 }), { withdrawnRevisionId: "R7" });
    expect(revision?.sequence).toBe(7);
    expect(event).toMatchObject({ currentRevisionId: "R9", lastSequence: 9 });
  });

  test("that retention removed is known, and the next sequence is refused", () => {
    expect(plan(offerOf({ sequence: 4 }))).toEqual({ event: undefined, revision: undefined });
    for (const withdrawnRevisionId of [undefined, "R0"]) {
      expect(() => plan(offerOf({ sequence: 5 }), { withdrawnRevisionId })).toThrow(/goes back/);
    }
  });

  test("is known by its id, and then has the same content", () => {
    const offer = offerOf({ sequence: 9 });
    const known = { sequence: 9, manifestSha256: checkAdoption(offer).manifest.sha256 };
    expect(plan(offer, { known, storedFrames: new Set() }).revision).toBeUndefined();
    for (const change of [{ sequence: 8 }, { manifestSha256: "0".repeat(64) }]) {
      expect(() => plan(offer, { known: { ...known, ...change } })).toThrow(
        expect.objectContaining({ code: "conflict" }),
      );
    }
  });

  test("needs its frames", () => {
    expect(() => plan(offerOf({ sequence: 10 }), { storedFrames: new Set() })).toThrow(
      expect.objectContaining({ code: "frame-missing" }),
    );
  });
});

test("an event that has not changed is not written again", () => {
  expect(planEventAdoption(mirrored, mirrorOf, theirEvent())).toBeUndefined();
  expect(planEventAdoption(mirrored, mirrorOf, theirEvent({ label: "Other" }))).toEqual({
    ...mirrored,
    label: "Other",
  });
});
