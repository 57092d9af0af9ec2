// Verifies published revisions one by one: a manifest's bytes, its form, and that it says what the rows beside it say.
import type { DatabaseSync } from "node:sqlite";
import { messageOf } from "../../shared/app-error.ts";
import { MrmsManifest, type MrmsLayer } from "../../shared/contract/manifest.ts";
import { RevisionId } from "../../shared/contract/primitives.ts";
import { unionBounds } from "../../shared/geo/bounds.ts";
import { observationWindow } from "../../shared/revisions/observation-window.ts";
import type { PublishedLayer } from "./catalog.ts";
import type { Findings, Steps } from "./findings.ts";
import { toInstant } from "./instants.ts";
import { imageUrlOf, sha256Of } from "./manifest.ts";
import { prepare } from "./queries.ts";
import { toBounds, toPublishedLayer, type LayerRow, type RevisionRow } from "./rows.ts";

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
  let before: StoredRevision | undefined;
  for (const each of revisions.iterate()) {
    const row = each as unknown as StoredRevision;
    const where = `catalog.sqlite, event ${row.event_id}, sequence ${row.sequence}`;
    for (const what of faultsOf(row, () => layersOf.all(row.id).map(toPublishedLayer))) {
      findings.fault(where, what);
    }
    if (before?.event_id === row.event_id && before.published_at > row.published_at) {
      findings.fault(where, "It was published before the revision of the sequence before it.");
    }
    before = row;
    await steps.step();
  }
}

function faultsOf(row: StoredRevision, readLayers: () => PublishedLayer[]): string[] {
  try {
    const layers = readLayers();
    return [...rowFaults(row, layers), ...manifestFaults(row, layers)];
  } catch (error) {
    return [`It cannot be read: ${messageOf(error)}`];
  }
}

/** What the row says of its layers. */
function rowFaults(row: StoredRevision, layers: readonly PublishedLayer[]): string[] {
  const faults: string[] = [];
  if (!RevisionId.safeParse(row.revision_id).success) {
    faults.push(`"${row.revision_id}" is not a revision id.`);
  }
  const [first, ...others] = layers;
  if (!first) return [...faults, "It has no layer."];
  const observedAtMs = Math.max(...layers.map(({ observedAt }) => Date.parse(observedAt)));
  if (observedAtMs !== row.observed_at) faults.push("Its time is not that of its newest layer.");
  if (observationWindow(toInstant(row.observed_at)) !== row.observation_window) {
    faults.push("Its observation window does not hold its time.");
  }
  const bounds = unionBounds(first.bounds, ...others.map((layer) => layer.bounds));
  if (!isSame(bounds, toBounds(row))) faults.push("Its bounds are not those of its layers together.");
  return faults;
}

function manifestFaults(row: StoredRevision, layers: readonly PublishedLayer[]): string[] {
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
    if (said !== recorded)
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
      layer.observedAt === row.observedAt &&
      layer.sourceUrl === row.sourceUrl &&
      layer.sourceLastModified === row.sourceLastModified &&
      isSame(layer.bounds, row.bounds);
    if (!agrees) faults.push(`The manifest and the row differ about ${layer.id}.`);
  }
  return faults;
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
