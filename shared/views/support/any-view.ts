// Views for tests: one as a person would make it, and any that the schema allows.
import fc from "fast-check";
import { productIds } from "../../contract/primitives.ts";
import { eventNatures } from "../../revisions/event-origin.ts";
import { CitableView, toNewestView, type PinnedRevision, type ViewedPane } from "../citable-view.ts";

export const exampleRevision: PinnedRevision = {
  sequence: 23,
  id: "20260520T214610Z-23",
  observedAt: "2026-05-20T21:46:10Z",
  publishedAt: "2026-05-20T21:48:47Z",
  layers: [
    { id: "mrms-reflectivity", frame: "a".repeat(64), bounds: [-98.5, 34.25, -96.005, 36] },
    { id: "mrms-mesh", frame: "b".repeat(64), bounds: [-98, 34.5, -97, 35.5] },
  ],
};

export const examplePane: ViewedPane = {
  event: { id: "demonstration", label: "Demonstration storm (synthetic)", nature: "synthetic" },
  revision: exampleRevision,
  latest: 32,
  layers: [
    { id: "mrms-reflectivity", visible: true, opacity: 0.8 },
    { id: "mrms-mesh", visible: true, opacity: 0.85, showFrom: 25.4 },
  ],
  camera: { center: [-97.4389, 35.2226], zoom: 7.25 },
};

export const exampleView: CitableView = {
  format: "echotop-view",
  version: 1,
  follow: "pinned",
  panes: [examplePane],
  ...{ active: 0, lock: "observed", palette: "echotop", hailUnits: "in", theme: "dark" },
  ground: ["counties", "highways"],
  ownMap: false,
  pins: [{ label: "Norman, OK", coordinate: [-97.4395, 35.2226] }],
  chosenPin: 0,
};

/** No negative zero, which JSON does not have. */
const between = (min: number, max: number): fc.Arbitrary<number> =>
  fc.double({ min, max, noNaN: true, noDefaultInfinity: true }).map((number) => number + 0);
const anyShare = between(0, 1);
const anyInstant = fc
  .date({ min: new Date("1990-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());
const anyId = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,20}[a-z0-9])?$/);
const anyChoice = fc.stringMatching(/^[a-z](?:[a-z0-9-]{0,20}[a-z0-9])?$/);
const anyLabel = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 40, unit: "grapheme" }),
    fc.constantFrom("a~b&c=d", "100 %", "é+ñ#?"),
  )
  .filter(
    (label) => /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*\S/u.test(label) && label.length < 160,
  )
  .filter((label) => CitableView.shape.pins.safeParse([{ label, coordinate: [0, 0] }]).success);
const anyCoordinate = fc.tuple(between(-180, 180), between(-90, 90));
const anyLayers = fc.subarray([...productIds]);

/** Sequences of a pane, in the order that the schema asks for. */
const anySequences = fc
  .uniqueArray(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 4, maxLength: 4 })
  .map((numbers) => numbers.toSorted((first, second) => first - second));

const anyRevision = (sequence: number): fc.Arbitrary<PinnedRevision> =>
  fc.record(
    {
      sequence: fc.constant(sequence),
      id: fc.stringMatching(/^[A-Za-z0-9TZ-]{1,40}$/),
      observedAt: anyInstant,
      publishedAt: anyInstant,
      layers: anyLayers.chain((ids) =>
        fc.tuple(
          ...ids.map((id) =>
            fc.record({
              id: fc.constant(id),
              frame: fc.stringMatching(/^[0-9a-f]{64}$/),
              bounds: fc.tuple(between(-180, 180), between(-90, 90), between(-180, 180), between(-90, 90)),
            }),
          ),
        ),
      ),
    },
    { requiredKeys: ["sequence", "observedAt", "layers"] },
  );

const anyPane: fc.Arbitrary<ViewedPane> = anySequences.chain(([before, sequence, knownAt, latest]) =>
  fc.record(
    {
      event: fc.record({ id: anyId, label: anyLabel, nature: fc.constantFrom(...eventNatures) }),
      revision: anyRevision(sequence!),
      latest: fc.constant(latest!),
      knownAt: fc.constant(knownAt!),
      layers: anyLayers.chain((ids) =>
        fc.tuple(
          ...ids.map((id) =>
            fc.record(
              {
                id: fc.constant(id),
                visible: fc.boolean(),
                opacity: anyShare,
                showFrom: between(-100, 1000),
              },
              { requiredKeys: ["id", "visible", "opacity"] },
            ),
          ),
        ),
      ),
      camera: fc.record({ center: anyCoordinate, zoom: between(0, 24) }),
      soFar: fc.record({
        product: fc.constantFrom(...productIds),
        opacity: anyShare,
        first: fc.integer({ min: 1, max: 1000 }),
        frames: fc.integer({ min: 0, max: 10_000 }),
      }),
      comparing: fc.record({
        before: anyRevision(before!),
        layer: fc.constantFrom(...productIds),
        side: fc.constantFrom("before", "swipe", "after"),
        swipeAt: anyShare,
        threshold: fc.integer({ min: 0, max: 20 }),
      }),
    },
    { requiredKeys: ["event", "revision", "layers"] },
  ),
);

const anyChannel = fc.integer({ min: 0, max: 255 });
const anyColor = fc.tuple(anyChannel, anyChannel, anyChannel, anyChannel);
const anyTables = fc.uniqueArray(
  fc.record(
    {
      product: fc.constantFrom(...productIds),
      name: fc.stringMatching(/^[a-zé0-9 ._()+-]{1,60}$/),
      segments: fc.array(fc.record({ from: between(-1000, 1000), color: anyColor, end: anyColor }), {
        minLength: 1,
        maxLength: 5,
      }),
    },
    { requiredKeys: ["product", "name"] },
  ),
  { minLength: 1, maxLength: 2, selector: ({ product }) => product },
);

/** Any view that the schema allows. */
export const anyView: fc.Arbitrary<CitableView> = fc
  .constantFrom(1, 2, 4)
  .chain((count) =>
    fc.record({
      format: fc.constant("echotop-view"),
      version: fc.constant(1),
      follow: fc.constant("pinned"),
      panes: fc.array(anyPane, { minLength: count, maxLength: count }),
      active: fc.integer({ min: 0, max: count - 1 }),
      lock: fc.constantFrom("observed", "sequence", "onset", "off"),
      palette: anyChoice,
      tables: fc.option(anyTables, { nil: undefined }),
      hailUnits: fc.constantFrom("in", "mm"),
      theme: fc.constantFrom("dark", "light"),
      ground: fc.array(anyChoice, { maxLength: 7 }),
      ownMap: fc.boolean(),
      pins: fc.array(fc.record({ label: anyLabel, coordinate: anyCoordinate }), { maxLength: 5 }),
      chosenPin: fc.constant(0),
    }),
  )
  .map(({ tables, ...view }): CitableView => ({ ...view, ...(tables && { tables }) }))
  .chain((view) => fc.constantFrom<CitableView>(view, toNewestView(view)));
