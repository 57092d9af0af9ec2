// The link of a citable view: `echotop://view?…`, or a web address, `ADDRESS/#view?…`, whose fragment browsers send
// to no server. The fields of a value are joined by `~`, which no program escapes; the parameters of each pane begin
// with `event`.
import {
  mostTableSegments,
  type CitableView,
  type PinnedRevision,
  type ViewedPane,
  type ViewedTable,
} from "./citable-view.ts";
import { parseView } from "./view-file.ts";
import { ViewError } from "./view-error.ts";

/** Most characters of a link. One of four panes has about 4,000, and 19,000 with the longest labels of any script. */
export const longestViewLink = 20_480;

const prefix = "echotop://view?";

type Atom = string | number | boolean | undefined;
type Parameter = readonly [name: string, ...atoms: Atom[]];

export function toLink(view: CitableView): string {
  return prefix + toParameters(view).map(toText).join("&");
}

/** Returns the view as an address of a page; `pageUrl` is its address, of which the fragment is left out. */
export function toWebLink(view: CitableView, pageUrl: string): string {
  const page = pageUrl.replace(/#.*$/s, "");
  return `${page}#${toLink(view).slice("echotop://".length)}`;
}

/** Returns true if a text is meant to be a link to a view, even a damaged one. */
export function isViewLink(text: string): boolean {
  return linkShape.test(text.trim());
}

const linkShape = /^(?:echotop:(?:\/\/)?|https?:\/\/[^#\s]*#|#)view\/?(?:\?|$)/i;

/** Parses either form; no host is asked. Throws a `ViewError`. */
export function parseLink(text: string): CitableView {
  if (text.length > longestViewLink) {
    throw new ViewError("view-too-large", "The link is too long for a view of Echotop.");
  }
  const query = text.trim().replace(linkShape, "");
  if (!isViewLink(text)) throw damaged();
  return parseView(toView(query.split("&").map(toParameter)));
}

function damaged(): ViewError {
  return new ViewError("view-invalid", "The link is not one to a view of Echotop, or it is damaged.");
}

function toText([name, ...atoms]: Parameter): string {
  return `${name}=${atoms.map(toEscaped).join("~")}`;
}

/** Absent is an empty field. */
function toEscaped(atom: Atom): string {
  if (typeof atom === "boolean") return atom ? "1" : "0";
  if (typeof atom !== "string") return atom === undefined ? "" : String(atom);
  return encodeURIComponent(atom).replace(/~/g, "%7E").replace(/%3A/g, ":");
}

function toParameters(view: CitableView): Parameter[] {
  return [
    ["v", view.version],
    ["follow", view.follow],
    ...view.panes.flatMap(toPaneParameters),
    ["screen", view.active, view.lock],
    ["look", view.palette, view.hailUnits, view.theme],
    ...(view.tables ?? []).map(toTableParameter),
    ["ground", view.ownMap, ...view.ground],
    ...view.pins.map(({ label, coordinate }): Parameter => ["pin", label, ...coordinate]),
    ["chosen", view.chosenPin],
  ];
}

/** Each color of a table is a value and two colors in hexadecimal digits. */
function toTableParameter({ product, name, segments = [] }: ViewedTable): Parameter {
  const colors = segments.flatMap(({ from, color, end }) => [from, toHex(color), toHex(end)]);
  return ["table", product, name, ...colors];
}

function toHex(color: readonly number[]): string {
  return color.map((channel) => channel.toString(16).padStart(2, "0")).join("");
}

function fromHex(text: string | undefined): number[] {
  if (!/^[0-9a-f]{8}$/.test(text ?? "")) throw damaged();
  return [0, 2, 4, 6].map((at) => Number.parseInt(text!.slice(at, at + 2), 16));
}

function toTable([product, name, ...colors]: readonly (string | undefined)[]): unknown {
  const segments = Array.from({ length: Math.ceil(colors.length / 3) }, (_, index) => {
    const [from, color, end] = colors.slice(3 * index, 3 * index + 3);
    return { from: toNumber(from), color: fromHex(color), end: fromHex(end) };
  });
  return compact({ product, name, segments: segments.length > 0 ? segments : undefined });
}

function toPaneParameters(pane: ViewedPane): Parameter[] {
  const { event, revision, latest, knownAt, camera, soFar, comparing } = pane;
  return [
    ["event", event.id, event.label, event.nature],
    ...(revision ? toRevisionParameters("revision", "frame", revision) : []),
    ...(latest === undefined ? [] : [["latest", latest] as const]),
    ...(knownAt === undefined ? [] : [["known", knownAt] as const]),
    ...pane.layers.map(({ id, visible, opacity, showFrom }): Parameter => [
      "layer",
      id,
      visible,
      opacity,
      showFrom,
    ]),
    ...(camera ? [["camera", ...camera.center, camera.zoom] as const] : []),
    ...(soFar ? [["sofar", soFar.product, soFar.opacity, soFar.first, soFar.frames] as const] : []),
    ...(comparing ? toComparingParameters(comparing) : []),
  ];
}

function toComparingParameters({
  before,
  layer,
  side,
  swipeAt,
  threshold,
}: NonNullable<ViewedPane["comparing"]>): Parameter[] {
  return [
    ["changed", layer, side, swipeAt, threshold],
    ...toRevisionParameters("before", "beforeframe", before),
  ];
}

function toRevisionParameters(name: string, frameName: string, revision: PinnedRevision): Parameter[] {
  const { sequence, id, observedAt, publishedAt, layers } = revision;
  return [
    [name, sequence, id, observedAt, publishedAt],
    ...layers.map((layer): Parameter => [frameName, layer.id, layer.frame, ...layer.bounds]),
  ];
}

interface ReadParameter {
  readonly name: string;
  readonly fields: readonly (string | undefined)[];
}

function toParameter(text: string): ReadParameter {
  const [, name, value] = /^([a-z]{1,12})=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw damaged();
  return { name, fields: value.split("~").map(toField) };
}

function toField(text: string): string | undefined {
  if (text === "") return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    throw damaged();
  }
}

/** Anything but a plain decimal becomes NaN, which no schema accepts. */
function toNumber(field: string | undefined): number | undefined {
  if (field === undefined) return undefined;
  return /^-?\d{1,16}(?:\.\d{1,25})?(?:e-?\d{1,3})?$/.test(field) ? Number(field) : NaN;
}

function toFlag(field: string | undefined): unknown {
  return field === "1" ? true : field === "0" ? false : field;
}

/** The parameters of the whole view, and of each pane. Each may be given once, but for lists. */
const viewNames = ["v", "follow", "screen", "look", "table", "ground", "pin", "chosen"];
const paneNames = [
  ...["event", "revision", "frame", "latest", "known", "layer"],
  ...["camera", "sofar", "changed", "before", "beforeframe"],
];
const listNames = ["table", "pin", "frame", "layer", "beforeframe"];

/** Returns data in the shape of a view, which the schema then judges. */
function toView(parameters: readonly ReadParameter[]): unknown {
  const panes: ReadParameter[][] = [];
  const whole: ReadParameter[] = [];
  for (const parameter of parameters) {
    if (parameter.name === "event") panes.push([]);
    const group = viewNames.includes(parameter.name) ? whole : panes.at(-1);
    if (!group || ![...viewNames, ...paneNames].includes(parameter.name)) throw damaged();
    group.push(parameter);
  }
  const read = toReader(whole);
  const [active, lock] = read.one("screen", 2);
  const [palette, hailUnits, theme] = read.one("look", 3);
  const [ownMap, ...ground] = read.one("ground", Infinity);
  const tables = read.list("table", 2 + 3 * mostTableSegments).map(toTable);
  return {
    format: "echotop-view",
    version: toNumber(read.one("v", 1)[0]),
    follow: read.one("follow", 1)[0],
    panes: panes.map(toPane),
    ...{ active: toNumber(active), lock, palette, hailUnits, theme, ownMap: toFlag(ownMap), ground },
    ...(tables.length > 0 && { tables }),
    pins: read
      .list("pin", 3)
      .map(([label, ...coordinate]) => ({ label, coordinate: coordinate.map(toNumber) })),
    chosenPin: toNumber(read.one("chosen", 1)[0]),
  };
}

function toPane(parameters: readonly ReadParameter[]): unknown {
  const read = toReader(parameters);
  const [id, label, nature] = read.one("event", 3);
  const [longitude, latitude, zoom] = read.one("camera", 3).map(toNumber);
  const [product, opacity, first, frames] = read.one("sofar", 4);
  const [layer, side, swipeAt, threshold] = read.one("changed", 4);
  const before = toRevision(read, "before", "beforeframe");
  return compact({
    event: { id, label, nature },
    revision: toRevision(read, "revision", "frame"),
    latest: toNumber(read.one("latest", 1)[0]),
    knownAt: toNumber(read.one("known", 1)[0]),
    layers: read.list("layer", 4).map(([layerId, visible, shown, showFrom]) =>
      compact({
        ...{ id: layerId, visible: toFlag(visible), opacity: toNumber(shown), showFrom: toNumber(showFrom) },
      }),
    ),
    camera: read.has("camera") ? { center: [longitude, latitude], zoom } : undefined,
    soFar: read.has("sofar")
      ? { product, opacity: toNumber(opacity), first: toNumber(first), frames: toNumber(frames) }
      : undefined,
    comparing:
      read.has("changed") || before
        ? { before, layer, side, swipeAt: toNumber(swipeAt), threshold: toNumber(threshold) }
        : undefined,
  });
}

function toRevision(read: Reader, name: string, frameName: string): unknown {
  const layers = read.list(frameName, 6).map(([id, frame, ...bounds]) => ({
    ...{ id, frame, bounds: bounds.map(toNumber) },
  }));
  if (!read.has(name)) {
    if (layers.length > 0) throw damaged();
    return undefined;
  }
  const [sequence, id, observedAt, publishedAt] = read.one(name, 4);
  return compact({ sequence: toNumber(sequence), id, observedAt, publishedAt, layers });
}

/** Leaves absent fields out. */
function compact(record: Readonly<Record<string, unknown>>): unknown {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

interface Reader {
  readonly has: (name: string) => boolean;
  /** Returns the fields of a parameter; none if it is absent. */
  readonly one: (name: string, mostFields: number) => readonly (string | undefined)[];
  readonly list: (name: string, mostFields: number) => readonly (readonly (string | undefined)[])[];
}

/** Throws a `ViewError` for a parameter that is given twice or has too many fields. */
function toReader(parameters: readonly ReadParameter[]): Reader {
  const byName = Map.groupBy(parameters, ({ name }) => name);
  for (const [name, all] of byName) if (all.length > 1 && !listNames.includes(name)) throw damaged();
  const list = (name: string, mostFields: number): readonly (readonly (string | undefined)[])[] => {
    const all = (byName.get(name) ?? []).map(({ fields }) => fields);
    if (all.some((fields) => fields.length > mostFields)) throw damaged();
    return all;
  };
  return { has: (name) => byName.has(name), list, one: (name, most) => list(name, most)[0] ?? [] };
}
