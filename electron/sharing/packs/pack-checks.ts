// Cross-checks the files of a pack: pack.json, sources, manifests and frames. Pure functions over parsed files.
import { isDeepStrictEqual } from "node:util";
import { MrmsManifest, type MrmsLayer } from "../../../shared/contract/manifest.ts";
import { EventLabel } from "../../../shared/contract/primitives.ts";
import { unionBounds } from "../../../shared/geo/bounds.ts";
import { natureOf } from "../../../shared/revisions/event-origin.ts";
import { sha256Of } from "../../platform/sha256.ts";
import { imageUrlOf } from "../../catalog/plans/compose-manifest.ts";
import { packFile, toPath } from "./pack-layout.ts";
import { toProducts } from "./pack-state.ts";
import { refusal } from "./refusal.ts";
import { parsePackFile, type PackJson, type SourcesJson, type SourcesLayer } from "./schemas.ts";

export interface CheckedRevision {
  readonly sources: SourcesJson;
  readonly manifest: MrmsManifest;
  readonly manifestBytes: Uint8Array;
}

export interface OfferedRevision extends Omit<CheckedRevision, "manifest"> {
  readonly pack: PackJson;
  /** Name of the manifest's folder. */
  readonly revisionId: string;
  readonly sourcesPath: string;
  readonly hasFrame: (path: string) => boolean;
}

/** @throws AppError `source-invalid` with the path of the file at fault */
export function checkRevision(offered: OfferedRevision): CheckedRevision {
  const { pack, revisionId, sources, sourcesPath, manifestBytes, hasFrame } = offered;
  const path = toPath({ kind: "manifest", revisionId });
  if (sources.revisionId !== revisionId)
    throw refusal(sourcesPath, "Its revision is not the one in its name.");
  if (sha256Of(manifestBytes) !== sources.manifestSha256) {
    throw refusal(path, `Its SHA-256 is not the one in ${sourcesPath}.`);
  }
  const manifest = parseManifest(path, manifestBytes);
  const facts: readonly [name: string, actual: unknown, expected: unknown][] = [
    ["eventId", manifest.eventId, pack.event.id],
    ["revisionId", manifest.revisionId, revisionId],
    ["sequence", manifest.sequence, sources.sequence],
    ["generatedAt", Date.parse(manifest.generatedAt), Date.parse(sources.publishedAt)],
    ["number of layers", manifest.layers.length, sources.layers.length],
  ];
  for (const [name, actual, expected] of facts) {
    if (actual !== expected) throw refusal(path, `Its ${name} does not match the rest of the pack.`);
  }
  if (new Set(manifest.layers.map(({ id }) => id)).size < manifest.layers.length) {
    throw refusal(path, "It shows a product twice.");
  }
  for (const layer of manifest.layers) checkLayer(layer, offered, path);
  const [first, ...others] = sources.layers;
  const bounds = unionBounds(first!.bounds, ...others.map((layer) => layer.bounds));
  if (!isDeepStrictEqual(bounds, sources.bounds)) {
    throw refusal(sourcesPath, "Its bounds are not the union of its layers' bounds.");
  }
  for (const layer of sources.layers) {
    const frame = toPath({ kind: "frame", ...layer });
    if (!hasFrame(frame)) throw refusal(frame, "It is missing, but a revision shows it.");
  }
  return { sources, manifest, manifestBytes };
}

/** Refuses unknown fields, because the manifest is served unchanged. */
function parseManifest(path: string, bytes: Uint8Array): MrmsManifest {
  const manifest = parsePackFile(MrmsManifest, path, bytes);
  const raw: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
  if (!isDeepStrictEqual(raw, manifest)) throw refusal(path, "It has unknown fields.");
  return manifest;
}

function checkLayer(layer: MrmsLayer, { pack, sources, sourcesPath }: OfferedRevision, path: string): void {
  const source = sources.layers.find(({ productId }) => productId === layer.id);
  if (!source) throw refusal(path, `It shows ${layer.id}, which is not in ${sourcesPath}.`);
  if (layer.imageUrl !== imageUrlOf(pack.event.id, source)) {
    throw refusal(path, `The image of its layer ${layer.id} is not the frame in ${sourcesPath}.`);
  }
  if (!agrees(layer, source)) throw refusal(path, `It and ${sourcesPath} differ about ${layer.id}.`);
}

function agrees(layer: MrmsLayer, source: SourcesLayer): boolean {
  const isSameInstant = (a: string | undefined, b: string | undefined): boolean =>
    a === b || (a !== undefined && b !== undefined && Date.parse(a) === Date.parse(b));
  return (
    isSameInstant(layer.observedAt, source.observedAt) &&
    isSameInstant(layer.sourceLastModified, source.sourceLastModified) &&
    layer.sourceUrl === source.sourceUrl &&
    isDeepStrictEqual(layer.bounds, source.bounds)
  );
}

/** @param revisions in ascending sequence @throws AppError `source-invalid` */
export function checkPackJson(pack: PackJson, revisions: readonly CheckedRevision[]): void {
  const { event, latest, products, revisionCount } = pack;
  const newest = revisions.at(-1)?.sources;
  if (!newest || revisionCount !== revisions.length) {
    throw refusal(
      packFile,
      `Its revisionCount is ${revisionCount}, but the pack has ${revisions.length} revisions.`,
    );
  }
  for (const [index, { sources }] of revisions.entries()) {
    if (sources.sequence !== revisions[index - 1]?.sources.sequence) continue;
    const path = toPath({ kind: "sources", revisionId: sources.revisionId });
    throw refusal(path, `The sequence ${sources.sequence} occurs twice.`);
  }
  if (latest.revisionId !== newest.revisionId || latest.sequence !== newest.sequence) {
    throw refusal(packFile, "Its latest revision is not the one with the highest sequence.");
  }
  const shown = toProducts(
    revisions.flatMap(({ sources }) => sources.layers.map(({ productId }) => productId)),
  );
  if (!isDeepStrictEqual(products, shown))
    throw refusal(packFile, "Its products are not those of its revisions.");
  const label = EventLabel.safeParse(event.label);
  if (label.error) throw refusal(packFile, `Its event's label ${label.error.issues[0]!.message}.`);
  if (
    event.startedAt !== null &&
    event.endedAt !== null &&
    Date.parse(event.startedAt) > Date.parse(event.endedAt)
  ) {
    throw refusal(packFile, "Its event ends before it starts.");
  }
  if (event.origin === "synthetic" && !natureOf(event).startsWith("synthetic")) {
    throw refusal(packFile, "Its event is synthetic, but its label does not say so.");
  }
}
