// The names of kept source files when they leave: as they were found, if the name is safe in every file system.
import type { AssetRecord, EventRecord, PublishedLayer, WorkReader } from "../catalog.ts";

/** Every other name is replaced by the hash. */
const safeName = /^[A-Za-z0-9][\w.+-]{0,199}$/;

/** Names by the hash of the file. */
export type SourceNames = ReadonlyMap<string, string>;

/** Reads the names of an event's source files; a replay has those of its original. */
export async function readSourceNames(
  catalog: Pick<WorkReader, "listAssets">,
  { id, replayOf }: Pick<EventRecord, "id" | "replayOf">,
): Promise<SourceNames> {
  const names = new Map<string, string>();
  for (const eventId of [id, replayOf?.eventId]) {
    const assets: readonly AssetRecord[] = eventId === undefined ? [] : await catalog.listAssets(eventId);
    for (const { sha256, locator } of assets) if (sha256 !== undefined) names.set(sha256, lastPart(locator));
  }
  return names;
}

export function toSourceName(
  { sourceUrl }: Pick<PublishedLayer, "sourceUrl">,
  sha256: string,
  names: SourceNames,
): string {
  const fromUrl = /^https?:/.test(sourceUrl) ? lastPart(new URL(sourceUrl).pathname) : undefined;
  const name = names.get(sha256) ?? fromUrl;
  return name !== undefined && safeName.test(name) ? name : `${sha256}.grib2`;
}

function lastPart(path: string): string {
  return path.replace(/^.*[/\\]/, "");
}
