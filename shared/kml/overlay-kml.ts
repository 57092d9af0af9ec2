// The document of a KMZ for a globe: the pictures of revisions on the ground, each for the time from its observation to
// the next, and legend and credits on the screen.
import type { Bounds } from "../contract/primitives.ts";
import type { ExportedLayer } from "../rasters/frame-facts.ts";
import { windowMs } from "../revisions/observation-window.ts";
import { escapeXml, toExtendedData, toKmlDocument, toTimeSpan } from "./kml-text.ts";

export interface Overlay {
  readonly layer: ExportedLayer;
  /** Outer edges of the picture, whose rows are equal steps of latitude. */
  readonly bounds: Bounds;
  /** Path of the picture in the archive. */
  readonly href: string;
}

/** A picture on the screen: its path, and where it stands. */
export interface ScreenPicture {
  readonly name: string;
  readonly href: string;
  readonly corner: "top-left" | "bottom-left";
}

/** Hail above reflectivity, a later revision above an earlier one of the same time. */
const drawOrders = { "mrms-reflectivity": 0, "mrms-mesh": 1_000_000 } as const;

/** @param overlays at least one, all of one event */
export function toOverlayKml(overlays: readonly Overlay[], pictures: readonly ScreenPicture[]): string {
  const { event, disclosure, attribution } = overlays.at(-1)!.layer.revision;
  const ids = Map.groupBy(overlays, ({ layer }) => layer.id);
  const folders = [...ids.values()].map((ofLayer) => {
    const times = ofLayer.map(({ layer }) => Date.parse(layer.observedAt)).toSorted((a, b) => a - b);
    const shown = ofLayer.map((overlay) => toGroundOverlay(overlay, times));
    return `<Folder><name>${escapeXml(ofLayer[0]!.layer.label)}</name>\n${shown.join("\n")}\n</Folder>`;
  });
  return toKmlDocument(
    [
      `<name>${escapeXml(event.label)}</name>`,
      `<description>${escapeXml(`${disclosure} ${attribution}`)}</description>`,
      ...pictures.map(toScreenOverlay),
      ...folders,
      "",
    ].join("\n"),
  );
}

function toGroundOverlay({ layer, bounds, href }: Overlay, times: readonly number[]): string {
  const { revision, observedAt } = layer;
  const { event, attribution, disclosure } = revision;
  const begin = Date.parse(observedAt);
  // The newest stands for its window of observation.
  const end = times.find((time) => time > begin) ?? begin + windowMs;
  const [west, south, east, north] = bounds;
  const data = {
    revisionId: revision.revisionId,
    sequence: revision.sequence,
    layer: layer.id,
    frameId: layer.frameId,
    ...{ observedAt, publishedAt: revision.publishedAt, event: event.id, nature: event.nature },
    ...{ attribution, disclosure, caveat: layer.caveat },
  };
  return [
    `<GroundOverlay><name>${escapeXml(`${layer.label}, ${observedAt}, revision ${revision.sequence}`)}</name>`,
    `<description>${escapeXml(`Revision ${revision.sequence}, ${revision.revisionId}, frame ${layer.frameId}. ${layer.caveat} ${disclosure} ${attribution}`)}</description>`,
    `${toTimeSpan(observedAt, toInstant(end))}${toExtendedData(data)}`,
    `<drawOrder>${drawOrders[layer.id] + revision.sequence}</drawOrder><Icon><href>${escapeXml(href)}</href></Icon>`,
    `<LatLonBox><north>${north}</north><south>${south}</south><east>${east}</east><west>${west}</west></LatLonBox></GroundOverlay>`,
  ].join("\n");
}

function toInstant(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(".000Z", "Z");
}

function toScreenOverlay({ name, href, corner }: ScreenPicture): string {
  const y = corner === "top-left" ? 1 : 0;
  const place = `x="0" y="${y}" xunits="fraction" yunits="fraction"`;
  return [
    `<ScreenOverlay><name>${escapeXml(name)}</name><Icon><href>${escapeXml(href)}</href></Icon>`,
    `<overlayXY ${place}/><screenXY ${place}/>`,
    `<size x="-1" y="-1" xunits="pixels" yunits="pixels"/></ScreenOverlay>`,
  ].join("\n");
}
