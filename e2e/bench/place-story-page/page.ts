// The page of the place-story benchmark: the viewer's store and its reader of places, without a map. After each report
// of the reader it derives what the strip draws, and it notes how long the page's thread was ever busy.
import { createPlaceReader } from "../../../renderer/frames/places/place-reader.ts";
import { findHighestHail, toPlotMarks } from "../../../renderer/panels/story/chart-marks.ts";
import { toPlaceStory } from "../../../renderer/state/story/place-story.ts";
import { startStoryReading } from "../../../renderer/state/story/story-reading.ts";
import { placeKey } from "../../../renderer/state/slices/story-slice.ts";
import { createViewerStore } from "../../../renderer/state/store.ts";
import type {
  Bounds,
  Coordinate,
  MrmsHistory,
  ProductId,
  StormEvent,
} from "../../../shared/contract/index.ts";
import { legendOf } from "../../../shared/products/palettes.ts";
import { getProduct } from "../../../shared/products/registry.ts";

export interface BenchLayer {
  readonly id: ProductId;
  readonly bounds: Bounds;
}

export interface StoryTimes {
  /** Milliseconds from the pin until the first windows are drawn, and until all are. */
  readonly firstMs: number;
  readonly wholeMs: number;
  /** The same for a place that was read before: pinned again. */
  readonly againMs: number;
  /** Longest time between two turns of the page's thread, while nothing was read and while it was. */
  readonly idleGapMs: number;
  readonly longestGapMs: number;
  readonly readings: number;
}

declare global {
  interface Window {
    tellStory?: (
      layers: readonly BenchLayer[],
      count: number,
      places: readonly Coordinate[],
    ) => Promise<StoryTimes>;
  }
}

const eventId = "bench";
const widthPx = 860;

window.tellStory = async (layers, count, places) => {
  const store = createViewerStore({ selectedEventId: eventId });
  store.getState().receiveEvents([{ id: eventId } as StormEvent]);
  store.getState().receiveHistory(eventId, createHistory(layers, count));
  const stop = startStoryReading(store, createPlaceReader());
  const idleGapMs = await watchGaps(wait(500));
  const pin = (index: number): void => {
    const coordinate = places[index]!;
    store.getState().pinPlace({ label: String(index), coordinate });
  };
  const startedMs = performance.now();
  let firstMs = 0;
  const whole = new Promise<void>((resolve) => {
    const unsubscribe = store.subscribe((state, previous) => {
      if (state.readings === previous.readings) return;
      const read = derive();
      if (read > 0 && firstMs === 0) firstMs = performance.now() - startedMs;
      if (read < count) return;
      unsubscribe();
      resolve();
    });
  });
  places.forEach((_, index) => {
    pin(index);
  });
  const longestGapMs = await watchGaps(whole);
  const wholeMs = performance.now() - startedMs;

  function derive(): number {
    const { history, pins, chosenPin, readings } = store.getState();
    const ofPlace = readings.get(placeKey(pins[chosenPin]!.coordinate)) ?? new Map();
    const story = toPlaceStory(history.revisions, { readings: ofPlace, reach: "cell" });
    const leftPx = new Map(story.windows.map(({ window }, index) => [window, (index * widthPx) / count]));
    const plot = {
      id: "mrms-mesh",
      basePx: 84,
      heightPx: 72,
      highest: findHighestHail(story.windows),
    } as const;
    toPlotMarks(story.windows, { blockPx: 2, leftPx }, plot, { palette: "echotop", theme: "dark" });
    return story.readCount;
  }

  store.getState().removePin(0);
  const againFrom = performance.now();
  pin(0);
  if (derive() < count) throw new Error("A place that was read is read again.");
  const againMs = performance.now() - againFrom;
  const readings = [...store.getState().readings.values()].reduce((sum, { size }) => sum + size, 0);
  stop();
  return { firstMs, wholeMs, againMs, idleGapMs, longestGapMs, readings };
};

function createHistory(layers: readonly BenchLayer[], count: number): MrmsHistory {
  const startMs = Date.UTC(2022, 6, 4, 0, 0, 40);
  return {
    ...{ schemaVersion: 1, mode: "live", attribution: "", disclosure: "", eventId, eventLabel: "Bench" },
    generatedAt: new Date(startMs).toISOString(),
    latestSequence: count,
    frames: Array.from({ length: count }, (_, index) => {
      const observedAt = new Date(startMs + index * 120_000).toISOString();
      return {
        observedAt,
        revisionId: `r${index + 1}`,
        sequence: index + 1,
        layers: layers.map(({ id, bounds }) => {
          const { caveat, description, label, opacity, unit } = getProduct(id);
          const legend = legendOf(getProduct(id));
          const imageUrl = `/frames/${id}.png?window=${index}`;
          const facts = { caveat, description, label, opacity, unit, legend };
          return { id, bounds, imageUrl, observedAt, sourceUrl: "ni:///x", visible: true, ...facts };
        }),
      };
    }),
  };
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Returns the longest time between two turns of the thread until `end`. */
async function watchGaps(end: Promise<void>): Promise<number> {
  const { port1, port2 } = new MessageChannel();
  let lastMs = performance.now();
  let longestMs = 0;
  let isOver = false;
  port1.onmessage = () => {
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
    // A turn each two milliseconds leaves the processor to the readers.
    if (!isOver)
      setTimeout(() => {
        port2.postMessage(0);
      }, 2);
  };
  port2.postMessage(0);
  await end;
  isOver = true;
  port1.close();
  return longestMs;
}
