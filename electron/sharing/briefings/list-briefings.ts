// Lists the briefings in a folder by their manifests.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Briefing } from "../../../shared/contract/briefings.ts";
import { isEventId } from "../../../shared/contract/identifiers.ts";
import type { CatalogReader } from "../../catalog/catalog.ts";
import { systemCode } from "../../platform/disk/storage-error.ts";
import { findManifest, manifestName, type BriefingManifest } from "./briefing-manifest.ts";

/** Returns manifests in no particular order. */
export async function findBriefings(directory: string): Promise<BriefingManifest[]> {
  const manifests: BriefingManifest[] = [];
  for (const name of await listFolders(directory)) {
    const manifest = isEventId(name) ? await findManifest(join(directory, name)) : undefined;
    // Ignores a folder that somebody renamed.
    if (manifest?.eventId === name) manifests.push(manifest);
  }
  return manifests;
}

/** Sorts by the newest observation first. */
export function sortBriefings(manifests: readonly BriefingManifest[]): BriefingManifest[] {
  return manifests.toSorted(
    (a, b) => Date.parse(b.lastObservedAt) - Date.parse(a.lastObservedAt) || (a.eventId < b.eventId ? -1 : 1),
  );
}

/** Returns briefings for the viewer. `address` is null: the caller knows who serves the folder. */
export async function listBriefings(
  directory: string,
  catalog: Pick<CatalogReader, "findEvent">,
): Promise<Briefing[]> {
  const manifests = sortBriefings(await findBriefings(directory));
  return Promise.all(
    manifests.map(async ({ eventId, label, sequences, latestSequence }) => {
      const folder = join(directory, eventId);
      const event = await catalog.findEvent(eventId);
      const { mtime } = await stat(join(folder, manifestName));
      return {
        eventId,
        label,
        publishedAt: mtime.toISOString(),
        revisionPages: sequences.length,
        folder,
        address: null,
        // A briefing whose event was deleted is not behind.
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
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}
