// Verifies published revisions one by one: a manifest's bytes, its form, and that it says what the rows beside it say.
import type { DatabaseSync } from "node:sqlite";
import { messageOf } from "../../../shared/app-error.ts";
import { MrmsManifest, type MrmsLayer } from "../../../shared/contract/manifest.ts";
import { RevisionId } from "../../../shared/contract/primitives.ts";
import { unionBounds } from "../../../shared/geo/bounds.ts";
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import type { PublishedLayer } from "../catalog.ts";
import type { Findings, Steps } from "./findings.ts";
import { toInstant } from "../instants.ts";
import { imageUrlOf, sha256Of } from "../compose-manifest.ts";
import { prepare } from "../queries.ts";
import { toBounds, toPublishedLayer, type LayerRow, type RevisionRow } from "../catalog-rows.ts";

interface StoredRevision extends RevisionRow {
  readonly id: number;
  readonly observation_window: number;
}

/** Checks all revisions, in order of event and sequence. */
export async function verifyRevisions(
  database: DatabaseSync,
  findings: Findings,
  steps: Steps,
): Promise<void> {
  const revisions = database.prepare("SELECT * FROM revisions ORDER BY event_id, sequence");
  const layersOf = prepare<LayerRow>(database, "SELECT * FROM revision_layers WHERE revision = ?");
  const takenOver = prepare<{ id: string }>(
    database,
    "SELECT id FROM events WHERE mirror_of IS NOT NULL OR replay_of_event IS NOT NULL",
  );
  const takenOverIds = new Set(takenOver.all().map(({ id }) => id));
  let before: StoredRevision | undefined;
  for (const each of revisions.iterate()) {
    const row = each as unknown as StoredRevision;
    const where = `catalog.sqlite, event ${row.event_id}, sequence ${row.sequence}`;
    const source = takenOverIds.has(row.event_id) ? "taken-over" : "own";
    for (const what of faultsOf(row, source, () => layersOf.all(row.id).map(toPublishedLayer))) {
      findings.fault(where, what);
    }
    const goesBack = before?.event_id === row.event_id && before.published_at > row.published_at;
    if (goesBack && source === "own") {
      findings.fault(where, "It was published before the revision of the sequence before it.");
    }
    before = row;
    await steps.step();
  }
}

/** What another service published keeps the contract, which leaves to it what ours promises beyond. */
type RevisionSource = "own" | "taken-over";

function faultsOf(row: StoredRevision, source: RevisionSource, readLayers: () => PublishedLayer[]): string[] {
  try {
    const layers = readLayers();
    return [...rowFaults(row, source, layers), ...manifestFaults(row, source, layers)];
  } catch (error) {
    return [`It cannot be read: ${messageOf(error)}`];
  }
}

/** What the row says of its layers. */
function rowFaults(row: StoredRevision, source: RevisionSource, layers: readonly PublishedLayer[]): string[] {
  const faults: string[] = [];
  if (!RevisionId.safeParse(row.revision_id).success) {
    faults.push(`"${row.revision_id}" is not a revision id.`);
  }
  const [first, ...others] = layers;
  if (!first) return [...faults, "It has no layer."];
  if (observationWindow(toInstant(row.observed_at)) !== row.observation_window) {
    faults.push("Its observation window does not hold its time.");
  }
  if (source === "taken-over") return faults;
  const observedAtMs = Math.max(...layers.map(({ observedAt }) => Date.parse(observedAt)));
  if (observedAtMs !== row.observed_at) faults.push("Its time is not that of its newest layer.");
  const bounds = unionBounds(first.bounds, ...others.map((layer) => layer.bounds));
  if (!isSame(bounds, toBounds(row))) faults.push("Its bounds are not those of its layers together.");
  return faults;
}

function manifestFaults(
  row: StoredRevision,
  source: RevisionSource,
  layers: readonly PublishedLayer[],
): string[] {
  const faults: string[] = [];
  if (sha256Of(row.manifest) !== row.manifest_sha256) {
    faults.push("The manifest's bytes do not match the hash recorded with them.");
  }
  const parsed = parseManifest(row.manifest);
  if (!parsed.manifest) return [...faults, `The manifest breaks its contract: ${parsed.why}.`];
  const { manifest } = parsed;
  const rowOfField: readonly [name: string, said: unknown, recorded: unknown][] = [
    ["eventId", manifest.eventId, row.event_id],
    ["revisionId", manifest.revisionId, row.revision_id],
    ["sequence", manifest.sequence, row.sequence],
    ["generatedAt", manifest.generatedAt, toInstant(row.published_at)],
  ];
  for (const [name, said, recorded] of rowOfField) {
    // The contract lets another service leave them out, and generate a manifest when it likes.
    const isFree = source === "taken-over" && (said === undefined || name === "generatedAt");
    if (said !== recorded && !isFree)
      faults.push(`The manifest's ${name} is ${String(said)}, the row's ${String(recorded)}.`);
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
      faults.push(`The manifest shows ${layer.id}, of which there is no row.`);
      continue;
    }
    const agrees =
      layer.imageUrl === imageUrlOf(eventId, row) &&
      isSameInstant(layer.observedAt, row.observedAt) &&
      layer.sourceUrl === row.sourceUrl &&
      isSameInstant(layer.sourceLastModified, row.sourceLastModified) &&
      isSame(layer.bounds, row.bounds);
    if (!agrees) faults.push(`The manifest and the row differ about ${layer.id}.`);
  }
  return faults;
}

/** Another service may write the same instant otherwise. */
function isSameInstant(a: string | undefined, b: string | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && Date.parse(a) === Date.parse(b));
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
