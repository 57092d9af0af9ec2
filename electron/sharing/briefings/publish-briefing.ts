// Publishes a briefing: reads the catalog, makes stills and pages in a staging folder, checks them, and only then
// replaces the earlier briefing. A failure or cancellation before that leaves it whole. The same catalog gives the
// same bytes.
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../../shared/app-error.ts";
import { natureOf } from "../../../shared/revisions/event-origin.ts";
import { makeFolder } from "../../platform/disk/make-folder.ts";
import { replaceFile } from "../../platform/disk/replace-file.ts";
import { loadBriefingMap } from "../stills/atlas/load-map.ts";
import { sweepLeftovers, toStagingName } from "./briefing-leftovers.ts";
import { findManifest, pageMode, sha256Of } from "./briefing-manifest.ts";
import type { BriefingManifest, OwnFile } from "./briefing-manifest.ts";
import { natureMarks } from "./briefing-words.ts";
import type { BriefingRequest, BriefingResult, BriefingSources } from "./briefing.ts";
import { checkPages } from "./check-pages.ts";
import { findFile, requireWritable, withStorageErrors } from "./folder-access.ts";
import { findBriefings, sortBriefings } from "./list-briefings.ts";
import { makeStills } from "./make-stills.ts";
import { generator } from "./pages/document.ts";
import { toBaseUrl } from "./pages/links.ts";
import { toListPage } from "./pages/list-page.ts";
import { readPlan, type BriefingPlan } from "./read-plan.ts";
import { renderPages } from "./render-pages.ts";
import { replacePages } from "./replace-pages.ts";
import { createStillComposer } from "./stills/compose-still.ts";

/**
 * @throws AppError `not-found` for an unknown event or revisions; `conflict` for an event without data or a foreign
 * page in the folder; `invalid-input` for a bad base address or too many revisions; `stored-data-invalid` and
 * `frame-missing` for damaged data; `storage-failed`; the signal's reason
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
  const before = await withStorageErrors(() => findManifest(folder));
  await requireOurs(join(directory, "index.html"));
  if (!before) await requireOurs(join(folder, "index.html"));
  const staging = join(directory, toStagingName(eventId));
  await withStorageErrors(async () => {
    await requireWritable(directory);
    await makeFolder(directory);
    await requireWritable(folder);
    await mkdir(staging);
  });
  try {
    const files = before?.files.map(({ path }) => path) ?? [];
    await withStorageErrors(() => sweepLeftovers({ directory, eventId, files, staging }));
    const { stills, pages } = await render({ plan, folder, before, staging, baseUrl }, sources);
    const after = toManifest(plan, baseUrl, pages, stills);
    const others = (await withStorageErrors(() => findBriefings(directory))).filter(
      (briefing) => briefing.eventId !== eventId,
    );
    const list = toListPage(sortBriefings([...others, after]));
    requireSound(after, pages, list);
    signal?.throwIfAborted();
    const load = async (path: string): Promise<string | Uint8Array | undefined> =>
      pages.get(path) ?? findFile(join(staging, path));
    return await withStorageErrors(async () => {
      const { written, unchanged, removed } = await replacePages({ folder, before, after, load });
      const isListWritten = await replaceList(directory, list);
      return {
        eventId,
        page: join(folder, "index.html"),
        url: baseUrl === undefined ? undefined : `${baseUrl}${eventId}/`,
        revisionPages: plan.revisions.length,
        written: written + (isListWritten ? 1 : 0),
        unchanged: unchanged + (isListWritten ? 0 : 1),
        removed,
      };
    });
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
    // Files are replaced in this order: stills before the pages that show them, the event page last.
    files: [...stills, ...[...pages].map(([path, text]) => ({ path, sha256: sha256Of(text) }))],
  };
}

/** Throws for pages with wrong canonical or dead links. */
function requireSound(
  { eventId, baseUrl, files }: BriefingManifest,
  pages: ReadonlyMap<string, string>,
  list: string,
): void {
  const below = (path: string): string => `${eventId}/${path}`;
  const problems = checkPages({
    pages: new Map([...pages].map(([path, text]) => [below(path), text])),
    others: new Set(["index.html", ...files.map(({ path }) => below(path))]),
    eventPage: below("index.html"),
    baseUrl: baseUrl ?? undefined,
  });
  if (!list.includes(`${eventId}/index.html`)) problems.push("The list does not link to the event.");
  if (problems.length > 0) throw new Error(`The briefing is not sound: ${problems.join(" ")}`);
}

/** Returns true if the list had changed. */
async function replaceList(directory: string, list: string): Promise<boolean> {
  const path = join(directory, "index.html");
  if ((await findFile(path))?.toString("utf8") === list) return false;
  await replaceFile(path, list, { mode: pageMode });
  return true;
}

/** Never lets another's page be overwritten. */
async function requireOurs(path: string): Promise<void> {
  const text = await withStorageErrors(() => findFile(path));
  if (text === undefined || text.includes(`content="${generator}"`)) return;
  throw new AppError(
    "conflict",
    "The folder already has a page that is not part of a briefing; choose another folder.",
  );
}
