// The original GRIB2 files as they were kept, under their own names, their hashes checked.
import { join } from "node:path";
import { AppError } from "../../../../shared/app-error.ts";
import { readSourceNames, toSourceName, type SourceNames } from "../../../catalog/stores/source-names.ts";
import type { ExportSources, WriteExport } from "../export-request.ts";
import { stageFiles } from "../staged-files.ts";
import { readChosenLayers, type ChosenLayer } from "./read-layers.ts";

interface SourceFile {
  readonly sha256: string;
  /** Below the folder of the export. */
  readonly path: string;
  readonly revisionIds: Set<string>;
}

/** @throws AppError `not-found` for a file that was not kept; as `readChosenLayers` does, too */
export const writeSourceFiles: WriteExport = async (request, { catalog, sources, signal, onProgress }) => {
  const { event, layers } = await readChosenLayers(catalog, request, signal);
  const names = await readSourceNames(catalog, event);
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
  names: SourceNames,
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
    const name = toSourceName(layer.published, sha256, names);
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

function notKept({ facts }: ChosenLayer): AppError {
  const { sequence } = facts.revision;
  return new AppError("not-found", `The source file of ${facts.id} in revision ${sequence} was not kept.`);
}
