// The overlays of an event in a pack: `overlays.json` with their facts, and a file each; and what an import does with
// them.
import * as z from "zod";
import { AppError, isAppError } from "../../../shared/app-error.ts";
import { KeptOverlay, overlaySourceLimits } from "../../../shared/contract/overlays.ts";
import type { Catalog, WorkReader } from "../../catalog/catalog.ts";
import { sha256Of } from "../../platform/sha256.ts";
import { oidOf, parseCommit, parseTree } from "../git/object-formats.ts";
import type { ObjectReader } from "../git/object-reader.ts";
import type { EventPackLimits } from "./event-pack-limits.ts";
import { overlaysFile, overlaysFolder, toPath } from "./pack-layout.ts";
import { atPath, refusal } from "./refusal.ts";
import { parsePackFile, toCanonicalJson } from "./schemas.ts";

const OverlaysJson = z
  .strictObject({
    schemaVersion: z.literal(1),
    /** By name. */
    overlays: z.array(z.strictObject(KeptOverlay.shape)).min(1).max(overlaySourceLimits.kept),
  })
  .refine(({ overlays }) => new Set(overlays.map(({ name }) => name)).size === overlays.length, {
    path: ["overlays"],
    message: "Two overlays must not have the same name",
  });

export interface PackOverlay {
  readonly overlay: KeptOverlay;
  readonly bytes: Uint8Array;
}

/** Overlays of a checked pack. */
export interface PackOverlays {
  readonly list: readonly PackOverlay[];
  /** Returns true if an earlier commit of the pack has these bytes under this name. */
  readonly hadBefore: (name: string, bytes: Uint8Array) => Promise<boolean>;
}

/** Result for the overlays of a pack: `kept` if one's own, which differ, were left alone. */
export type OverlaysOutcome = "taken" | "kept" | "same";

/** Returns the files of an event's overlays by path; none without overlays. @throws AppError `stored-data-invalid` */
export async function listOverlayFiles(
  catalog: Pick<WorkReader, "listKeptOverlays" | "readKeptOverlay">,
  eventId: string,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  const overlays: KeptOverlay[] = [];
  for (const overlay of await catalog.listKeptOverlays(eventId)) {
    const bytes = await catalog.readKeptOverlay(eventId, overlay.sha256);
    // Replaced meanwhile: the next export has the other one.
    if (!bytes) continue;
    if (sha256Of(bytes) !== overlay.sha256) {
      throw new AppError("stored-data-invalid", `The overlay “${overlay.title}” of this event is damaged.`);
    }
    overlays.push(overlay);
    files.set(toPath({ kind: "overlay", name: overlay.name }), bytes);
  }
  if (overlays.length === 0) return files;
  return files.set(overlaysFile, toCanonicalJson(OverlaysJson, { schemaVersion: 1, overlays }));
}

/** Checks the files of a pack against each other. @throws AppError `source-invalid` */
export function parseOverlays(json: Uint8Array, files: ReadonlyMap<string, Uint8Array>): PackOverlay[] {
  const { overlays } = parsePackFile(OverlaysJson, overlaysFile, json);
  const list = overlays.map((overlay) => {
    const path = toPath({ kind: "overlay", name: overlay.name });
    const bytes = files.get(path);
    if (!bytes) throw refusal(overlaysFile, `It names ${path}, which is missing.`);
    if (bytes.byteLength !== overlay.byteLength || sha256Of(bytes) !== overlay.sha256) {
      throw refusal(path, "Its SHA-256 is not the one that the pack says.");
    }
    return { overlay, bytes };
  });
  requireAllNamed(files, overlays);
  return list;
}

/** @throws AppError `source-invalid` for a file that nothing names */
export function requireAllNamed(
  files: ReadonlyMap<string, Uint8Array>,
  overlays: readonly Pick<KeptOverlay, "name">[],
): void {
  const named = new Set(overlays.map(({ name }) => toPath({ kind: "overlay", name })));
  for (const path of files.keys()) {
    if (!named.has(path)) throw refusal(path, `${overlaysFile} does not name it.`);
  }
}

/** Most bytes of a root folder or one of overlays. Trees of earlier commits were not checked before. */
const maxFolderBytes = 2_048;

/** Looks for an overlay in the commits of a pack, whose history was read before. @throws AppError `source-invalid` */
export async function hadOverlay(
  reader: ObjectReader,
  newest: string,
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
  { maxCommitBytes }: EventPackLimits,
): Promise<boolean> {
  const wanted = oidOf("blob", Buffer.from(bytes));
  const seen = new Set<string>();
  for (let commit: string | undefined = newest; commit !== undefined;) {
    const oid: string = commit;
    const { tree, parents } = await atPath(`commit ${oid}`, async () =>
      parseCommit(await reader.read(oid, "commit", maxCommitBytes)),
    );
    const listFolder = (folder: string) =>
      atPath("pack", async () => parseTree(await reader.read(folder, "tree", maxFolderBytes)));
    const folder = (await listFolder(tree)).find((entry) => entry.name === overlaysFolder)?.oid;
    if (folder !== undefined && !seen.has(folder)) {
      seen.add(folder);
      const entries = await listFolder(folder);
      if (entries.some((entry) => entry.name === name && entry.oid === wanted)) return true;
    }
    commit = parents[0];
  }
  return false;
}

/**
 * Takes the overlays of a pack that the event lacks, or has in an earlier state of the pack. Those that somebody has
 * fetched here are kept.
 */
export async function takeOverlays(
  eventId: string,
  { list, hadBefore }: PackOverlays,
  catalog: Pick<Catalog, "listKeptOverlays" | "readKeptOverlay" | "keepOverlay">,
): Promise<OverlaysOutcome> {
  const own = new Map((await catalog.listKeptOverlays(eventId)).map((overlay) => [overlay.name, overlay]));
  let outcome: OverlaysOutcome = "same";
  for (const { overlay, bytes } of list) {
    const present = own.get(overlay.name);
    if (present?.sha256 === overlay.sha256) continue;
    const before = present && (await catalog.readKeptOverlay(eventId, present.sha256));
    if (before && !(await hadBefore(overlay.name, before))) outcome = "kept";
    else if (!(await keep(eventId, { overlay, bytes }, catalog))) outcome = "kept";
    else if (outcome === "same") outcome = "taken";
  }
  return outcome;
}

/** Returns false if the event has too many of its own. */
async function keep(
  eventId: string,
  { overlay, bytes }: PackOverlay,
  catalog: Pick<Catalog, "keepOverlay">,
): Promise<boolean> {
  try {
    await catalog.keepOverlay({ eventId, facts: overlay, bytes });
    return true;
  } catch (error) {
    if (isAppError(error, "conflict")) return false;
    throw error;
  }
}
