// Publishes a briefing: reads the catalog, makes stills and pages beside what is there, checks them, and only then replaces.
// Whatever fails or is cancelled before leaves an earlier briefing whole. The same catalog gives the same bytes.
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../../shared/app-error.ts";
import { natureOf } from "../../../shared/revisions/event-origin.ts";
import { makeFolder } from "../../platform/disk/make-folder.ts";
import { replaceFile } from "../../platform/disk/replace-file.ts";
import { loadBriefingMap } from "./atlas/load-map.ts";
import type { BriefingRequest, BriefingResult, BriefingSources } from "./briefing.ts";
import { checkPages } from "./check-pages.ts";
import { sweepLeftovers, toStagingName } from "./briefing-leftovers.ts";
import { findBriefings } from "./list-briefings.ts";
import { makeStills, sha256Of } from "./make-stills.ts";
import { findManifest, readIfThere, type BriefingManifest, type OwnFile } from "./briefing-manifest.ts";
import { toBaseUrl } from "./base-url.ts";
import { generator } from "./pages/document.ts";
import { toListPage, type ListedBriefing } from "./pages/list-page.ts";
import { readPlan, type BriefingPlan } from "./read-plan.ts";
import { renderPages } from "./render-pages.ts";
import { pageMode, replacePages, type ReplacedFiles } from "./replace-pages.ts";
import { createStillComposer } from "./stills/compose-still.ts";
import { natureMarks } from "./briefing-words.ts";
import { explained, requireWritable } from "./writing.ts";

/**
 * @throws AppError `not-found` for an event or revisions that are not there, by name; `conflict` for an event without data, or
 * where a page of somebody else's is in the way; `invalid-input` for a base address that cannot be one, or too many revisions;
 * `stored-data-invalid` and `frame-missing` for damaged data; `storage-failed`; the signal's reason
 */
export async function publishBriefing(
  request: BriefingRequest,
  sources: BriefingSources,
): Promise<BriefingResult> {
  const { eventId, directory } = request;
  const { catalog, signal } = sources;
  const baseUrl = toBaseUrl(request.baseUrl);
  const plan = await readPlan(catalog, request, signal);
  const folder = join(directory, eventId);
  const before = await explained(() => findManifest(folder));
  await requireOurs(join(directory, "index.html"));
  if (!before) await requireOurs(join(folder, "index.html"));
  const staging = join(directory, toStagingName(eventId));
  await explained(async () => {
    await requireWritable(directory);
    await makeFolder(directory);
    await requireWritable(folder);
    await mkdir(staging);
  });
  try {
    const files = before?.files.map(({ path }) => path) ?? [];
    await explained(() => sweepLeftovers({ directory, eventId, files, staging }));
    const { stills, pages } = await render({ plan, folder, before, staging, baseUrl }, sources);
    const after = toManifest(plan, baseUrl, pages, stills);
    const list = toListPage(await explained(() => toListed(directory, after)));
    requireSound({ eventId, baseUrl, pages, stills, list });
    signal?.throwIfAborted();
    const load = async (path: string): Promise<string | Uint8Array | undefined> =>
      pages.get(path) ?? readIfThere(join(staging, path));
    const counts = await explained(() => replacePages({ folder, before, after, load }));
    const isListWritten = await explained(() => replaceList(directory, list));
    return toResult(request, { plan, baseUrl, counts, isListWritten });
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

interface Rendering {
  readonly plan: BriefingPlan;
  readonly folder: string;
  readonly before: BriefingManifest | undefined;
  readonly staging: string;
  readonly baseUrl: string | undefined;
}

async function render(
  { plan, folder, before, staging, baseUrl }: Rendering,
  sources: BriefingSources,
): Promise<{ stills: OwnFile[]; pages: Map<string, string> }> {
  const map = await loadBriefingMap(sources.mapFile);
  const mark = natureMarks[natureOf(plan.event)];
  const composer = createStillComposer({ map, bounds: plan.bounds, mark });
  const stills = await makeStills(
    { plan, composer, mapSha256: map.sha256, folder, before, staging },
    sources,
  );
  const facts = new Map(stills.map(({ path, still }) => [path, still?.facts ?? undefined]));
  const pages = renderPages({
    plan,
    map,
    places: composer.places,
    factsOf: (sequence, product) => facts.get(`r/${sequence}/${product}.png`),
    baseUrl,
  });
  return { stills, pages };
}

function toManifest(
  { event, revisions }: BriefingPlan,
  baseUrl: string | undefined,
  pages: ReadonlyMap<string, string>,
  stills: readonly OwnFile[],
): BriefingManifest {
  const times = revisions.map(({ observedAt }) => observedAt).sort((a, b) => Date.parse(a) - Date.parse(b));
  return {
    schemaVersion: 1,
    eventId: event.id,
    label: event.label,
    baseUrl: baseUrl ?? null,
    latestSequence: event.latestSequence,
    sequences: revisions.map(({ sequence }) => sequence),
    firstObservedAt: times[0]!,
    lastObservedAt: times.at(-1)!,
    // Pictures first, the event's page last: a reader never meets a page whose pictures are still to come.
    files: [...stills, ...[...pages].map(([path, text]) => ({ path, sha256: sha256Of(text) }))],
  };
}

/** What the folder's list will show. */
async function toListed(directory: string, published: BriefingManifest): Promise<ListedBriefing[]> {
  const others = (await findBriefings(directory)).filter(({ eventId }) => eventId !== published.eventId);
  return [...others, published]
    .sort(
      (a, b) =>
        Date.parse(b.lastObservedAt) - Date.parse(a.lastObservedAt) || (a.eventId < b.eventId ? -1 : 1),
    )
    .map(({ sequences, ...manifest }) => ({ ...manifest, revisionPages: sequences.length }));
}

interface Checked {
  readonly eventId: string;
  readonly baseUrl: string | undefined;
  readonly pages: ReadonlyMap<string, string>;
  readonly stills: readonly OwnFile[];
  readonly list: string;
}

function requireSound({ eventId, baseUrl, pages, stills, list }: Checked): void {
  const below = (path: string): string => `${eventId}/${path}`;
  const problems = checkPages({
    pages: new Map([...pages].map(([path, text]) => [below(path), text])),
    others: new Set(["index.html", ...stills.map(({ path }) => below(path))]),
    eventPage: below("index.html"),
    baseUrl,
  });
  if (!list.includes(`${eventId}/index.html`)) problems.push("The list does not lead to the event.");
  if (problems.length > 0) throw new Error(`The briefing is not sound: ${problems.join(" ")}`);
}

/** Whether the list had to be written. */
async function replaceList(directory: string, list: string): Promise<boolean> {
  const path = join(directory, "index.html");
  if ((await readIfThere(path))?.toString("utf8") === list) return false;
  await replaceFile(path, list, { mode: pageMode });
  return true;
}

/** A page that is no briefing's is never written over. */
async function requireOurs(path: string): Promise<void> {
  const text = await explained(() => readIfThere(path));
  if (text === undefined || text.includes(`content="${generator}"`)) return;
  throw new AppError(
    "conflict",
    "There is a page in the folder already that is no briefing's; choose another folder.",
  );
}

interface Published {
  readonly plan: BriefingPlan;
  readonly baseUrl: string | undefined;
  readonly counts: ReplacedFiles;
  readonly isListWritten: boolean;
}

function toResult(
  { eventId, directory }: BriefingRequest,
  { plan, baseUrl, counts, isListWritten }: Published,
): BriefingResult {
  const list = isListWritten ? 1 : 0;
  return {
    eventId,
    page: join(directory, eventId, "index.html"),
    url: baseUrl === undefined ? undefined : `${baseUrl}${eventId}/`,
    revisionPages: plan.revisions.length,
    written: counts.written + list,
    unchanged: counts.unchanged + 1 - list,
    removed: counts.removed,
  };
}
