// A citable view: what a link or a small file says of the screen, so that another machine shows the same picture or
// says what differs. It is data of strangers: every part is bounded, and unknown keys are refused.
import * as z from "zod";
import { Bounds, Coordinate, EventId, EventLabel, FrameId, Instant } from "../contract/primitives.ts";
import { ProductId, productIds, RevisionId, Sequence } from "../contract/primitives.ts";
import type { OwnTables } from "../products/color-tables/layer-colors.ts";
import { Segment, TableName } from "../products/color-tables/own-table.ts";
import { eventNatures } from "../revisions/event-origin.ts";

/** `pinned` opens exactly these revisions, `newest` only the event and the way it was looked at. */
export const followModes = ["pinned", "newest"] as const;
export type FollowMode = (typeof followModes)[number];

/** Most places that a view may pin. */
export const mostViewPins = 5;
/** Most colors of a table that a view carries. */
export const mostTableSegments = 40;
/** Longest label of an event or a place in a view; longer ones are cut when the view is made. */
export const longestViewLabel = 160;

const Share = z.number().min(0).max(1);
/** An id of a palette or of a part of the ground; an unknown one is told when the view is opened. */
const ChoiceId = z.string().regex(/^[a-z](?:[a-z0-9-]{0,30}[a-z0-9])?$/);
export const ViewLabel = EventLabel.max(longestViewLabel);

/** The frame of a layer: its id is the SHA-256 of its bytes, which do not say its bounds. */
export const PinnedFrame = z.strictObject({
  id: ProductId,
  frame: FrameId.max(100),
  bounds: Bounds,
});
export type PinnedFrame = z.infer<typeof PinnedFrame>;

export const PinnedRevision = z.strictObject({
  sequence: Sequence,
  /** Absent if the service gives none. */
  id: RevisionId.max(100).exactOptional(),
  observedAt: Instant,
  publishedAt: Instant.exactOptional(),
  layers: z.array(PinnedFrame).max(productIds.length),
});
export type PinnedRevision = z.infer<typeof PinnedRevision>;

const ViewedLayer = z.strictObject({
  id: ProductId,
  visible: z.boolean(),
  opacity: Share,
  /** Lower edge of the first class shown, in the product's unit; absent shows all. */
  showFrom: z.number().min(-1000).max(1000).exactOptional(),
});

export const ViewedPane = z
  .strictObject({
    event: z.strictObject({ id: EventId, label: ViewLabel, nature: z.enum(eventNatures) }),
    /** The revision on screen. */
    revision: PinnedRevision.exactOptional(),
    /** Highest sequence of the event when the view was made. */
    latest: Sequence.exactOptional(),
    /** Sequence after which nothing was known, if the person looked back. */
    knownAt: Sequence.exactOptional(),
    layers: z.array(ViewedLayer).max(productIds.length),
    /** Absent before the map was on screen: then the whole event is shown. */
    camera: z.strictObject({ center: Coordinate, zoom: z.number().min(0).max(24) }).exactOptional(),
    /** The largest values from the window of revision `first` to the one on screen. */
    soFar: z
      .strictObject({
        product: ProductId,
        opacity: Share,
        first: Sequence,
        frames: z.int().min(0).max(10_000),
      })
      .exactOptional(),
    /** The earlier revision that the one on screen is compared with. */
    comparing: z
      .strictObject({
        before: PinnedRevision,
        layer: ProductId,
        side: z.enum(["before", "swipe", "after"]),
        swipeAt: Share,
        /** Index of the least change shown; 0 shows all. */
        threshold: z.int().min(0).max(20),
      })
      .exactOptional(),
  })
  .refine(isOrdered, "the sequences of a pane contradict each other")
  .refine(
    ({ layers }) => new Set(layers.map(({ id }) => id)).size === layers.length,
    "a layer is given twice",
  );
export type ViewedPane = z.infer<typeof ViewedPane>;

/** A color table of the person's own; one with too many colors for a link is only named. */
const ViewedTable = z.strictObject({
  product: ProductId,
  name: TableName,
  segments: z.array(Segment).min(1).max(mostTableSegments).exactOptional(),
});
export type ViewedTable = z.infer<typeof ViewedTable>;

export const CitableView = z
  .strictObject({
    format: z.literal("echotop-view"),
    version: z.literal(1),
    follow: z.enum(followModes),
    /** One, two or four, in the order of their letters. */
    panes: z.array(ViewedPane).min(1).max(4),
    /** Index of the pane that leads the others. */
    active: z.int().min(0).max(3),
    lock: z.enum(["observed", "sequence", "onset", "off"]),
    palette: ChoiceId,
    /** Absent if the palette draws every layer. */
    tables: z.array(ViewedTable).min(1).max(productIds.length).exactOptional(),
    hailUnits: z.enum(["in", "mm"]),
    theme: z.enum(["dark", "light"]),
    /** The parts of the ground that are shown. */
    ground: z.array(ChoiceId).max(20),
    /** True if a map file of the person lay under the storm, which no view carries. */
    ownMap: z.boolean(),
    pins: z.array(z.strictObject({ label: ViewLabel, coordinate: Coordinate })).max(mostViewPins),
    /** Index of the pin whose story is shown; 0 without pins. */
    chosenPin: z.int().min(0),
  })
  .refine(
    ({ tables = [] }) => new Set(tables.map(({ product }) => product)).size === tables.length,
    "a layer has two color tables",
  )
  .refine(({ panes }) => panes.length !== 3, "there is no screen of three panes")
  .refine(({ panes, active }) => active < panes.length, "the leading pane is not there")
  .refine(({ pins, chosenPin }) => chosenPin < Math.max(1, pins.length), "the chosen pin is not there")
  .refine(
    ({ follow, panes }) => panes.every(({ revision }) => (revision !== undefined) === (follow === "pinned")),
    "a pinned view names the revision of each pane, and one that follows the newest names none",
  );
export type CitableView = z.infer<typeof CitableView>;

interface Sequences {
  readonly revision?: PinnedRevision;
  readonly latest?: number;
  readonly knownAt?: number;
  readonly comparing?: { readonly before: PinnedRevision };
}

/** Nothing is known later than `knownAt`, and without a revision nothing is pinned at all. */
function isOrdered({ revision, latest, knownAt, comparing }: Sequences): boolean {
  if (!revision) return latest === undefined && knownAt === undefined && comparing === undefined;
  const newest = knownAt ?? latest ?? Infinity;
  return revision.sequence <= newest && (comparing?.before.sequence ?? 0) < revision.sequence;
}

/** Returns the view of the same events without revisions: it shows whatever is newest when it is opened. */
export function toNewestView(view: CitableView): CitableView {
  const panes = view.panes.map(({ event, layers, camera }) => ({ event, layers, ...(camera && { camera }) }));
  return { ...view, follow: "newest", panes };
}

const noTables: OwnTables = {};

/** Returns the tables of a view that it carries whole. */
export function toOwnTables({ tables }: CitableView): OwnTables {
  if (!tables) return noTables;
  return Object.fromEntries(
    tables.flatMap(({ product, name, segments }) =>
      segments ? [[product, { product, name, segments }] as const] : [],
    ),
  );
}
