// The original GRIB2 files as they were kept, under their own names, their hashes checked.
import { join } from "node:path";
import { AppError } from "../../../../shared/app-error.ts";
import type { ReadableCatalog } from "../../../catalog/catalog.ts";
import type { ExportSources, WriteExport } from "../export-request.ts";
import { stageFiles } from "../staged-files.ts";
import { readChosenLayers, type ChosenLayer } from "./read-layers.ts";

interface SourceFile {
  readonly sha256: string;
  /** Below the folder of the export. */
  readonly path: string;
  readonly revisionIds: Set<string>;
}

/** Every other name is replaced by the hash. */
const safeName = /^[A-Za-z0-9][\w.+-]{0,199}$/;

/** @throws AppError `not-found` for a file that was not kept; as `readChosenLayers` does, too */
export const writeSourceFiles: WriteExport = async (request, { catalog, sources, signal, onProgress }) => {
  const { event, layers } = await readChosenLayers(catalog, request, signal);
  const names = await readNames(catalog, event.id, event.replayOf?.eventId);
  const planned = await planFiles(layers, names, sources);
  return stageFiles(signal, async (files) => {
    for (const [order, { sha256, path, revisionIds }] of planned.entries()) {
      // Reading compares the bytes with the hash.
      const bytes = await sources.read(sha256);
      if (!bytes) throw new AppError("not-found", `The source file ${path} was just removed.`);
      await files.add(join(request.out, path), bytes, { order, revisionIds: [...revisionIds] });
      onProgress?.(order + 1, planned.length);
    }
  });
};

async function planFiles(
  layers: readonly ChosenLayer[],
  names: ReadonlyMap<string, string>,
  sources: ExportSources["sources"],
): Promise<SourceFile[]> {
  const files = new Map<string, SourceFile>();
  const taken = new Set<string>();
  for (const layer of layers) {
    const { sourceSha256: sha256 } = layer.published;
    const { revisionId, sequence } = layer.facts.revision;
    if (sha256 === undefined || !(await sources.has(sha256))) throw notKept(layer);
    const known = files.get(sha256);
    if (known) {
      known.revisionIds.add(revisionId);
      continue;
    }
    const name = toName(layer, names);
    // Two files of one name are an original and its correction.
    files.set(sha256, {
      sha256,
      path: taken.has(name) ? join(`rev${sequence}`, name) : name,
      revisionIds: new Set([revisionId]),
    });
    taken.add(name);
  }
  return [...files.values()];
}

/** Returns the names of source files by their hash. */
async function readNames(
  catalog: Pick<ReadableCatalog, "listAssets">,
  ...eventIds: readonly (string | undefined)[]
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const eventId of eventIds) {
    const assets = eventId === undefined ? [] : await catalog.listAssets(eventId);
    for (const { sha256, locator } of assets) if (sha256 !== undefined) names.set(sha256, lastPart(locator));
  }
  return names;
}

function toName({ published }: ChosenLayer, names: ReadonlyMap<string, string>): string {
  const { sourceSha256, sourceUrl } = published;
  const fromUrl = /^https?:/.test(sourceUrl) ? lastPart(new URL(sourceUrl).pathname) : undefined;
  const name = names.get(sourceSha256!) ?? fromUrl;
  return name !== undefined && safeName.test(name) ? name : `${sourceSha256!}.grib2`;
}

function lastPart(path: string): string {
  return path.replace(/^.*[/\\]/, "");
}

function notKept({ facts }: ChosenLayer): AppError {
  const { sequence } = facts.revision;
  return new AppError("not-found", `The source file of ${facts.id} in revision ${sequence} was not kept.`);
}
