// Which briefings a folder holds, by what their publications left there.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Briefing } from "../../../shared/contract/briefings.ts";
import { isEventId } from "../../../shared/contract/identifiers.ts";
import type { CatalogReader } from "../../catalog/catalog.ts";
import { findManifest, manifestName, type BriefingManifest } from "./briefing-manifest.ts";

/** The newest observation first. */
export async function findBriefings(directory: string): Promise<BriefingManifest[]> {
  const manifests: BriefingManifest[] = [];
  for (const name of await listFolders(directory)) {
    const manifest = isEventId(name) ? await findManifest(join(directory, name)) : undefined;
    // A folder that somebody has renamed is another's.
    if (manifest?.eventId === name) manifests.push(manifest);
  }
  return manifests.sort(
    (a, b) => Date.parse(b.lastObservedAt) - Date.parse(a.lastObservedAt) || (a.eventId < b.eventId ? -1 : 1),
  );
}

/**
 * For the viewer; `address` is null, as whoever serves the folder knows it. An event that the catalog has no more is not
 * behind.
 */
export async function listBriefings(
  directory: string,
  catalog: Pick<CatalogReader, "findEvent">,
): Promise<Briefing[]> {
  const manifests = await findBriefings(directory);
  return Promise.all(
    manifests.map(async ({ eventId, label, sequences, latestSequence }) => {
      const folder = join(directory, eventId);
      const [event, { mtime }] = await Promise.all([
        catalog.findEvent(eventId),
        stat(join(folder, manifestName)),
      ]);
      return {
        eventId,
        label,
        publishedAt: mtime.toISOString(),
        revisionPages: sequences.length,
        folder,
        address: null,
        behind: Math.max(0, (event?.latestSequence ?? 0) - latestSequence),
      };
    }),
  );
}

async function listFolders(directory: string): Promise<string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
