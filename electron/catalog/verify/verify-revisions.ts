// Verifies published revisions: the bytes of the manifest, its form, and that it agrees with the rows.
import { messageOf } from "../../../shared/app-error.ts";
import { MrmsManifest, type MrmsLayer } from "../../../shared/contract/manifest.ts";
import { RevisionId } from "../../../shared/contract/primitives.ts";
import { unionBounds } from "../../../shared/geo/bounds.ts";
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import type { PublishedLayer } from "../catalog.ts";
import { revisionPlace } from "./finding-places.ts";
import type { Findings, Steps } from "./findings.ts";
import { toInstant } from "../plans/instants.ts";
import { sha256Of } from "../../platform/sha256.ts";
import { imageUrlOf } from "../plans/compose-manifest.ts";
import { toBounds, toPublishedLayer, type LayerRow, type RevisionRow } from "../rows/catalog-rows.ts";

/** A revision of any engine. */
export interface CheckedRevision {
  readonly row: RevisionRow;
  readonly source: RevisionSource;
  /** May throw for a damaged row. */
  readonly readLayers: () => readonly LayerRow[];
}

/** Checks revisions in order of event and sequence. */
export async function verifyRevisions(
  revisions: Iterable<CheckedRevision> | AsyncIterable<CheckedRevision>,
  findings: Findings,
  steps: Steps,
): Promise<void> {
  let before: RevisionRow | undefined;
  for await (const revision of revisions) {
    const { row, source } = revision;
    const where = revisionPlace(row.event_id, row.sequence, findings.catalog);
    for (const what of faultsOf(revision)) findings.fault(where, what);
    const goesBack = before?.event_id === row.event_id && before.published_at > row.published_at;
    if (goesBack && source === "own") {
      findings.fault(where, "It was published before the preceding revision.");
    }
    before = row;
    await steps.step();
  }
}

/** An adopted revision keeps the contract, but not the stricter rules of our own revisions. */
export type RevisionSource = "own" | "adopted";

function faultsOf({ row, source, readLayers }: CheckedRevision): string[] {
  try {
    const layers = readLayers().map(toPublishedLayer);
    return [...rowFaults(row, source, layers), ...manifestFaults(row, source, layers)];
  } catch (error) {
    return [`It cannot be read: ${messageOf(error)}`];
  }
}

function rowFaults(row: RevisionRow, source: RevisionSource, layers: readonly PublishedLayer[]): string[] {
  const faults: string[] = [];
  if (!RevisionId.safeParse(row.revision_id).success) {
    faults.push(`"${row.revision_id}" is not a revision id.`);
  }
  const [first, ...others] = layers;
  if (!first) return [...faults, "It has no layer."];
  if (observationWindow(toInstant(row.observed_at)) !== row.observation_window) {
    faults.push("Its observation window does not contain its time.");
  }
  if (source === "adopted") return faults;
  const observedAtMs = Math.max(...layers.map(({ observedAt }) => Date.parse(observedAt)));
  if (observedAtMs !== row.observed_at) faults.push("Its time differs from its newest layer's.");
  const bounds = unionBounds(first.bounds, ...others.map((layer) => layer.bounds));
  if (!isSame(bounds, toBounds(row))) faults.push("Its bounds differ from the union of its layers' bounds.");
  return faults;
}

function manifestFaults(
  row: RevisionRow,
  source: RevisionSource,
  layers: readonly PublishedLayer[],
): string[] {
  const faults: string[] = [];
  if (sha256Of(row.manifest) !== row.manifest_sha256) {
    faults.push("The manifest's bytes do not match the hash recorded with them.");
  }
  const parsed = parseManifest(row.manifest);
  if (!parsed.manifest) return [...faults, `The manifest violates the contract: ${parsed.why}.`];
  const { manifest } = parsed;
  const rowOfField: readonly [name: string, said: unknown, recorded: unknown][] = [
    ["eventId", manifest.eventId, row.event_id],
    ["revisionId", manifest.revisionId, row.revision_id],
    ["sequence", manifest.sequence, row.sequence],
    ["generatedAt", manifest.generatedAt, toInstant(row.published_at)],
  ];
  for (const [name, said, recorded] of rowOfField) {
    // The contract lets a remote omit them, and generate its manifest at any time.
    const isFree = source === "adopted" && (said === undefined || name === "generatedAt");
    if (said !== recorded && !isFree)
      faults.push(`The manifest's ${name} is ${String(said)}, the row's is ${String(recorded)}.`);
  }
  return [...faults, ...layerFaults(row.event_id, manifest.layers, layers)];
}

function parseManifest(bytes: Uint8Array): { manifest: MrmsManifest } | { manifest: undefined; why: string } {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const parsed = MrmsManifest.safeParse(JSON.parse(text));
    if (parsed.success) return { manifest: parsed.data };
    const [issue] = parsed.error.issues;
    return { manifest: undefined, why: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "unknown"}` };
  } catch {
    return { manifest: undefined, why: "it is not JSON in UTF-8" };
  }
}

function layerFaults(
  eventId: string,
  said: readonly MrmsLayer[],
  recorded: readonly PublishedLayer[],
): string[] {
  const faults: string[] = [];
  if (said.length !== recorded.length) {
    faults.push(`The manifest has ${said.length} layers, the rows have ${recorded.length}.`);
  }
  for (const layer of said) {
    const row = recorded.find(({ productId }) => productId === layer.id);
    if (!row) {
      faults.push(`The manifest shows ${layer.id}, which has no row.`);
      continue;
    }
    const agrees =
      layer.imageUrl === imageUrlOf(eventId, row) &&
      isSameInstant(layer.observedAt, row.observedAt) &&
      layer.sourceUrl === row.sourceUrl &&
      isSameInstant(layer.sourceLastModified, row.sourceLastModified) &&
      isSame(layer.bounds, row.bounds);
    if (!agrees) faults.push(`The manifest and the row differ for ${layer.id}.`);
  }
  return faults;
}

/** Compares instants: a remote may write the same instant differently. */
function isSameInstant(a: string | undefined, b: string | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && Date.parse(a) === Date.parse(b));
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
