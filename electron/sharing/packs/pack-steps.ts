// The steps of a briefing in a pack: one file, with the notes; and what an import does with them.
import { isAppError } from "../../../shared/app-error.ts";
import { BriefingSteps, parseStoredSteps } from "../../../shared/views/briefing-steps.ts";
import type { Catalog, StepsRecord, WorkReader } from "../../catalog/catalog.ts";
import { oidOf, parseCommit, parseTree } from "../git/object-formats.ts";
import type { ObjectReader } from "../git/object-reader.ts";
import type { EventPackLimits } from "./event-pack-limits.ts";
import { stepsFile } from "./pack-layout.ts";
import { atPath, refusal } from "./refusal.ts";
import { parsePackFile } from "./schemas.ts";

/** Steps of a checked pack. */
export interface PackSteps {
  /** JSON as the catalog stores it. */
  readonly document: string;
  /** Returns true if an earlier commit of the pack has these steps. */
  readonly hadBefore: (document: string) => Promise<boolean>;
}

/** Result for the steps of a pack: `kept` if one's own, which are others, were left alone. */
export type StepsOutcome = "taken" | "kept" | "same";

/** Returns the bytes of the file: compact JSON in the schema's key order, and a newline. */
function toFile(document: string): Buffer {
  return Buffer.from(`${document}\n`, "utf8");
}

/**
 * Returns the file of an event's steps; undefined if none were saved.
 * @throws AppError `stored-data-invalid`
 */
export async function findStepsFile(
  catalog: Pick<WorkReader, "findSteps">,
  eventId: string,
): Promise<{ readonly bytes: Uint8Array; readonly count: number } | undefined> {
  const record = await catalog.findSteps(eventId);
  if (!record) return undefined;
  const steps = parseStoredSteps(record.document);
  return { bytes: toFile(JSON.stringify(steps)), count: steps.steps.length };
}

/** Returns the steps as the catalog stores them. @throws AppError `source-invalid` */
export function parseSteps(bytes: Uint8Array, eventId: string): string {
  const steps = parsePackFile(BriefingSteps, stepsFile, bytes);
  if (steps.eventId !== eventId) throw refusal(stepsFile, "It belongs to another event.");
  return JSON.stringify(steps);
}

/** Most bytes of a pack's root folder, which has seven entries. Trees of earlier commits were not checked before. */
const maxRootBytes = 1_024;

/** Looks for steps in the commits of a pack, whose history was read before. @throws AppError `source-invalid` */
export async function hadSteps(
  reader: ObjectReader,
  newest: string,
  document: string,
  { maxCommitBytes }: EventPackLimits,
): Promise<boolean> {
  const wanted = oidOf("blob", toFile(document));
  for (let commit: string | undefined = newest; commit !== undefined;) {
    const oid: string = commit;
    const { tree, parents } = await atPath(`commit ${oid}`, async () =>
      parseCommit(await reader.read(oid, "commit", maxCommitBytes)),
    );
    const entries = await atPath("pack", async () =>
      parseTree(await reader.read(tree, "tree", maxRootBytes)),
    );
    if (entries.find(({ name }) => name === stepsFile)?.oid === wanted) return true;
    commit = parents[0];
  }
  return false;
}

/**
 * Takes the steps of a pack where the event has none, or has those of an earlier state of the pack. Steps that somebody
 * has changed here are kept.
 */
export async function takeSteps(
  eventId: string,
  steps: PackSteps,
  catalog: Pick<Catalog, "findSteps" | "saveSteps">,
): Promise<StepsOutcome> {
  const own: StepsRecord | undefined = await catalog.findSteps(eventId);
  if (own?.document === steps.document) return "same";
  if (own && !(await steps.hadBefore(own.document))) return "kept";
  try {
    await catalog.saveSteps({ eventId, document: steps.document, basedOn: own?.version ?? 0 });
    return "taken";
  } catch (error) {
    // Somebody saves others at this moment.
    if (isAppError(error, "steps-changed")) return "kept";
    throw error;
  }
}
