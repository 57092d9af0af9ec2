// A step of a replay whose original is damaged or gone.
import { expect, test } from "vitest";
import { draftOf, startMs } from "../support/drafts.ts";
import { checkPublication, planPublication } from "./plan-publication.ts";
import { planRepublication, type StoredRevision } from "./plan-republication.ts";

const draft = draftOf("storm", {}, { productId: "mrms-reflectivity" });
const storedFrames = new Set(draft.layers.map(({ frameId }) => frameId));
const { event: source, revision } = planPublication(
  checkPublication(draft),
  {
    event: undefined,
    layers: draft.layers.map(() => ({ newestMessageSha256: undefined, isRepeated: false })),
    windowLayers: [],
    newestWindow: undefined,
    storedFrames,
  },
  startMs,
).published!;
const { sequence, revisionId, observedAtMs, bounds, layers, manifest } = revision;
const original: StoredRevision = {
  ...{ sequence, observedAtMs, bounds, layers },
  manifest: manifest.bytes,
  manifestSha256: manifest.sha256,
};

function plan(change: Partial<StoredRevision>): ReturnType<typeof planRepublication> {
  const step = { eventId: "again", after: 0, of: { eventId: "storm", revisionId, sequence } };
  const state = { source, original: { ...original, ...change }, target: undefined, storedFrames };
  return planRepublication(step, state, startMs + 5000);
}

test("a step takes the original's layers and times, and remembers how far it came", () => {
  const { event, revision: next } = plan({});
  expect(next).toMatchObject({ eventId: "again", sequence: 1, observedAtMs, layers, bounds });
  expect(event).toMatchObject({ label: "storm (replay)", replayOf: { eventId: "storm", sequence } });
});

test.each<[string, Partial<StoredRevision>, string]>([
  ["a manifest that differs from its hash", { manifest: Buffer.from("{}") }, "stored-data-invalid"],
  ["a layer that is gone", { layers: layers.slice(1) }, "stored-data-invalid"],
  ["no layer", { layers: [] }, "stored-data-invalid"],
  ["another sequence", { sequence: 2 }, "not-found"],
])("a step is refused for an original with %s", (_what, change, code) => {
  expect(() => plan(change)).toThrow(expect.objectContaining({ code }));
});
