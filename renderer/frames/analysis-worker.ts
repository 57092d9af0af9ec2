// The worker that compares frames cell by cell, off the thread that draws, with the core that the command line uses.
import "../platform/schema-settings.ts";
import type { CellFrame } from "../../shared/analysis/cell-frame.ts";
import { measureDifference } from "../../shared/analysis/difference.ts";
import { readPlace } from "../../shared/analysis/place-reading.ts";
import { findSouthEnd } from "../../shared/analysis/swath-marks.ts";
import { findMatchingAreas, isAnyCovered } from "../../shared/analysis/watch/matching-areas.ts";
import { toContourKml } from "../../shared/contours/contour-kml.ts";
import { toGeoJson } from "../../shared/contours/geojson.ts";
import { makeContours } from "../../shared/contours/make-contours.ts";
import { whyIncomparable } from "../../shared/analysis/same-ground.ts";
import type { Coordinate } from "../../shared/contract/index.ts";
import { AppError, messageOf } from "../../shared/app-error.ts";
import { analysisSourceBytes } from "../platform/viewer-limits.ts";
import type { AnalysisAnswers, AnalysisPost, AnalysisReply, AnalysisRequest } from "./analysis-messages.ts";
import type { DifferenceAnswer, DifferenceRequest, HighestAnswer, SwathFacts } from "./analysis-messages.ts";
import type { AreasAnswer, AreasRequest } from "./analysis-messages.ts";
import type { OutlinesAnswer, OutlinesRequest } from "./analysis-messages.ts";
import { frameTransferables, type DecodedFrame } from "./decoded-frame.ts";
import { toBlank, toDifferencePicture } from "./derived-picture.ts";
import type { DerivedFrame, FrameRef } from "./frame-ref.ts";
import { ReportReader } from "./report-reader.ts";
import { SourceFrames } from "./source-frames.ts";
import { SwathFactsShelf } from "./swath-facts-shelf.ts";
import { SwathMaker, type MadeSwath } from "./swath-maker.ts";

/** The part of a worker's global scope that is used here; the page's types lack it. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<AnalysisPost>) => void) | null;
  postMessage(message: AnalysisReply, transfer?: Transferable[]): void;
}

interface Progress {
  readonly onRead: (count: number) => void;
  readonly signal: AbortSignal;
}

const scope = globalThis as unknown as WorkerScope;
const running = new Map<number, AbortController>();
const sources = new SourceFrames(analysisSourceBytes);
const swaths = new SwathMaker(sources);
const facts = new SwathFactsShelf();
const reports = new ReportReader((ref) => sources.load(ref));

scope.onmessage = ({ data }) => {
  if ("abort" in data) running.get(data.id)?.abort();
  else void run(data.id, data.request);
};

async function run(id: number, request: AnalysisRequest): Promise<void> {
  const abort = new AbortController();
  const { signal } = abort;
  running.set(id, abort);
  const onRead = (read: number): void => {
    if (!signal.aborted) scope.postMessage({ id, read });
  };
  try {
    const answer = await toAnswer(request, { onRead, signal });
    if (signal.aborted) return;
    scope.postMessage({ id, answer }, "kind" in answer ? frameTransferables(answer) : []);
  } catch (error) {
    if (signal.aborted) return;
    const code = error instanceof AppError ? error.code : "stored-data-invalid";
    scope.postMessage({ id, problem: { code, detail: messageOf(error) } });
  } finally {
    running.delete(id);
  }
}

function toAnswer(
  request: AnalysisRequest,
  progress: Progress,
): Promise<AnalysisAnswers[AnalysisRequest["type"]]> {
  switch (request.type) {
    case "draw":
      return draw(request.derived, progress);
    case "difference":
      return measure(request);
    case "swath":
      return measureSwath(request.frames, progress);
    case "areas":
      return findAreas(request);
    case "outlines":
      return writeOutlines(request, progress);
    case "reports":
      return reports.read(request, progress);
    case "highest":
      return findHighest(request.frames, request.place, progress);
  }
}

/** Frames that cannot be compared have a picture too: it draws nothing. */
async function draw(derived: DerivedFrame, progress: Progress): Promise<DecodedFrame> {
  if (derived.kind === "swath") {
    const take = (made: MadeSwath): DecodedFrame => {
      // The numbers of a picture made ahead are asked for once it is on screen, when the maker is further.
      facts.hold(derived.frames, made);
      return made.swath?.toPicture() ?? blank();
    };
    return swaths.make(derived.frames, take, progress);
  }
  const [before, after] = await loadPair(derived);
  return whyIncomparable(before, after) === undefined ? toDifferencePicture(before, after) : blank();
}

function blank(): DecodedFrame {
  return toBlank({ classes: undefined, coverage: undefined, palette: new Uint8Array(256 * 4) });
}

async function measure({ before, after, ...options }: DifferenceRequest): Promise<DifferenceAnswer> {
  const pair = await loadPair({ before, after });
  const why = whyIncomparable(...pair);
  return why === undefined ? measureDifference(...pair, options) : { why };
}

function loadPair({
  before,
  after,
}: Pick<DifferenceRequest, "before" | "after">): Promise<[CellFrame, CellFrame]> {
  return Promise.all([sources.load(before), sources.load(after)]);
}

async function findAreas({ frame: ref, lower, ground }: AreasRequest): Promise<AreasAnswer> {
  const frame = await sources.load(ref);
  return { areas: findMatchingAreas(frame, lower, ground), isCovered: isAnyCovered(frame, ground) };
}

/** Frames that cannot be read are passed over, as in the swath. */
async function findHighest(
  frames: readonly FrameRef[],
  place: Coordinate,
  { signal }: Progress,
): Promise<HighestAnswer> {
  let first: number | undefined;
  let highest = 0;
  for (const [index, ref] of frames.entries()) {
    signal.throwIfAborted();
    const frame = await sources.load(ref).catch(() => undefined);
    const reading = frame && readPlace(frame, place);
    if (reading?.kind !== "class" || reading.index <= highest) continue;
    highest = reading.index;
    first = index;
  }
  return { first };
}

function writeOutlines(
  { format, frames, revisions, about }: OutlinesRequest,
  progress: Progress,
): Promise<OutlinesAnswer> {
  const write = ({ swath, parts }: MadeSwath): OutlinesAnswer => {
    const made = swath?.toSwath();
    const used = revisions.filter((_, index) => parts[index] === "used");
    if (!made || used.length === 0) return { file: undefined };
    const facts = {
      ...about,
      revisionIds: [...new Set(used.map(({ revisionId }) => revisionId))],
      observed: { from: used[0]!.observedAt, to: used.at(-1)!.observedAt },
    };
    const contours = makeContours(made);
    const file =
      format === "kml"
        ? new Blob([toContourKml(contours, facts)], { type: "application/vnd.google-earth.kml+xml" })
        : new Blob(toGeoJson(contours, facts), { type: "application/geo+json" });
    return { file };
  };
  return swaths.make(frames, write, progress);
}

async function measureSwath(frames: readonly FrameRef[], progress: Progress): Promise<SwathFacts> {
  const held =
    facts.find(frames) ?? (await swaths.make(frames, (made) => facts.hold(frames, made), progress));
  const last = held.parts.at(-1) === "used" ? await sources.load(frames.at(-1)!) : undefined;
  return { ...held, storm: last && findSouthEnd(last) };
}
