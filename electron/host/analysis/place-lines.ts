// The lines of `echotop story`: the class of one place in each published window and layer, or why it has none.
import { toStandingLayers, type StandingLayer } from "../../../shared/analysis/window-layers.ts";
import type { Coordinate, ProductId } from "../../../shared/contract/primitives.ts";
import { toClassPair, type ClassPair } from "./class-pair.ts";
import type { HistoryRevision } from "./event-history.ts";
import { runCrew, type CrewOptions } from "./frame-crew.ts";
import type { FrameJobs } from "./frame-jobs.ts";

export interface StoryLine {
  readonly observedAt: string;
  readonly publishedAt: string;
  readonly sequence: number;
  readonly layer: ProductId;
  readonly class: ClassPair | null;
  readonly nothing: "below" | "outside-coverage" | "not-delivered" | "failed" | null;
}

export interface StoryOptions extends Omit<CrewOptions<"place">, "onResult"> {
  readonly onLine: (line: StoryLine) => void;
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Passes on the lines by ascending window, each as soon as those before it are read.
 * @throws as `runCrew` does
 */
export async function tellStory(
  revisions: readonly HistoryRevision[],
  place: Coordinate,
  { onLine, onProgress, ...crew }: StoryOptions,
): Promise<void> {
  const standing = toStandingLayers(revisions);
  const items = standing.flatMap(({ layer }) => layer ?? []);
  let next = 0;
  const passMissing = (): void => {
    for (; next < standing.length && !standing[next]!.layer; next++) {
      onLine({ ...toFacts(standing[next]!), class: null, nothing: "not-delivered" });
    }
  };
  passMissing();
  const onResult = (result: FrameJobs["place"]["result"], index: number): void => {
    onLine({ ...toFacts(standing[next]!), ...toAnswer(result) });
    next += 1;
    passMissing();
    onProgress(index + 1, items.length);
  };
  await runCrew(items.length, { kind: "place", setup: place, items }, { ...crew, onResult });
}

function toFacts({
  observedAt,
  since,
  id,
}: StandingLayer<HistoryRevision>): Omit<StoryLine, "class" | "nothing"> {
  return { observedAt, publishedAt: since.publishedAt, sequence: since.sequence, layer: id };
}

function toAnswer(result: FrameJobs["place"]["result"]): Pick<StoryLine, "class" | "nothing"> {
  return result.kind === "class"
    ? { class: toClassPair(result.range), nothing: null }
    : { class: null, nothing: result.kind };
}
