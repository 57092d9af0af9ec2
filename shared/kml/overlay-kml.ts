// The document of a KMZ for a globe: the pictures of revisions on the ground, each for the time from its observation to
// the next, and legend and credits on the screen.
import type { Bounds } from "../contract/primitives.ts";
import { defaultPalette, paletteNames } from "../products/palettes.ts";
import type { ExportedLayer } from "../rasters/exported-layer.ts";
import { observationWindow, windowMs } from "../revisions/observation-window.ts";
import { escapeXml, toExtendedData, toKmlDocument, toTimeSpan } from "./kml-text.ts";

export interface Overlay {
  readonly layer: ExportedLayer;
  /** Outer edges of the picture, whose rows are equal steps of latitude. */
  readonly bounds: Bounds;
}

/** Path of the pictures on the screen, which the caller draws, and where they stand. */
export const screenPictures = {
  legend: { name: "Legend", href: "pictures/legend.png", y: 1 },
  credits: { name: "Disclosure and credits", href: "pictures/credits.png", y: 0 },
} as const;

/** Returns the path of a layer's picture. */
export function toPicturePath({ revision, id }: ExportedLayer): string {
  return `pictures/rev${revision.sequence}-${id}.png`;
}

/** Hail above reflectivity, a later revision above an earlier one. */
const drawOrders = { "mrms-reflectivity": 0, "mrms-mesh": 1_000_000 } as const;

/** @param overlays at least one, all of one event */
export function toOverlayKml(overlays: readonly Overlay[]): string {
  const { event, disclosure, attribution } = overlays.at(-1)!.layer.revision;
  const ids = Map.groupBy(overlays, ({ layer }) => layer.id);
  const folders = [...ids.values()].map((ofLayer) => {
    const newest = findNewest(ofLayer);
    const elements = ofLayer.map((overlay) => toGroundOverlay(overlay, newest));
    return `<Folder><name>${escapeXml(ofLayer[0]!.layer.label)}</name>\n${elements.join("\n")}\n</Folder>`;
  });
  return toKmlDocument(
    [
      `<name>${escapeXml(event.label)}</name>`,
      `<description>${escapeXml(`${disclosure} ${attribution}`)}</description>`,
      ...Object.values(screenPictures).map(toScreenOverlay),
      ...folders,
      "",
    ].join("\n"),
  );
}

/** Returns the layer of the highest sequence of each observation window, in ascending time. */
function findNewest(overlays: readonly Overlay[]): readonly ExportedLayer[] {
  const windows = Map.groupBy(overlays, ({ layer }) => observationWindow(layer.observedAt));
  return [...windows]
    .toSorted(([first], [second]) => first - second)
    .map(([, [first, ...others]]) =>
      others.reduce(
        (newest, { layer }) => (layer.revision.sequence > newest.revision.sequence ? layer : newest),
        first!.layer,
      ),
    );
}

/** @param newest those shown at first: what they leave empty must not show an older picture of the same time */
function toGroundOverlay({ layer, bounds }: Overlay, newest: readonly ExportedLayer[]): string {
  const { revision, observedAt } = layer;
  const { event, attribution, disclosure } = revision;
  const window = observationWindow(observedAt);
  const next = newest.find((later) => observationWindow(later.observedAt) > window);
  // The last one stands for its window of observation.
  const end = next ? Date.parse(next.observedAt) : Date.parse(observedAt) + windowMs;
  const [west, south, east, north] = bounds;
  const data = {
    revisionId: revision.revisionId,
    sequence: revision.sequence,
    layer: layer.id,
    frameId: layer.frameId,
    ...{ observedAt, publishedAt: revision.publishedAt ?? "", event: event.id, nature: event.nature },
    ...{ attribution, disclosure, caveat: layer.caveat, colorTable: paletteNames[defaultPalette] },
  };
  return [
    `<GroundOverlay><name>${escapeXml(`${layer.label}, ${observedAt}, revision ${revision.sequence}`)}</name>`,
    `<visibility>${newest.includes(layer) ? 1 : 0}</visibility>`,
    `<description>${escapeXml(`Revision ${revision.sequence}, ${revision.revisionId}, frame ${layer.frameId}. ${layer.caveat} ${disclosure} ${attribution}`)}</description>`,
    `${toTimeSpan(observedAt, toInstant(end))}${toExtendedData(data)}`,
    `<drawOrder>${drawOrders[layer.id] + revision.sequence}</drawOrder><Icon><href>${toPicturePath(layer)}</href></Icon>`,
    `<LatLonBox><north>${north}</north><south>${south}</south><east>${east}</east><west>${west}</west></LatLonBox></GroundOverlay>`,
  ].join("\n");
}

function toInstant(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(".000Z", "Z");
}

function toScreenOverlay({ name, href, y }: (typeof screenPictures)[keyof typeof screenPictures]): string {
  const place = `x="0" y="${y}" xunits="fraction" yunits="fraction"`;
  return [
    `<ScreenOverlay><name>${name}</name><Icon><href>${href}</href></Icon>`,
    `<overlayXY ${place}/><screenXY ${place}/>`,
    `<size x="-1" y="-1" xunits="pixels" yunits="pixels"/></ScreenOverlay>`,
  ].join("\n");
}
