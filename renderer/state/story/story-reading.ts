// Reads the pinned places in every frame that lacks a reading, while the strip is open; also in frames that "As known
// at" hides, so that its moves start nothing over. The strip shows what was read a few times a second, so that reading
// never slows the screen.
import type { Coordinate } from "../../../shared/contract/index.ts";
import type { PlacesOfFrame } from "../../frames/places/place-messages.ts";
import type { PlaceReader } from "../../frames/places/place-reader.ts";
import { placeReportMs } from "../../platform/viewer-limits.ts";
import { placeKey, type NewReading } from "../slices/story-slice.ts";
import type { ViewerState, ViewerStore } from "../store.ts";
import { framesOfStory } from "./place-story.ts";

/** Returns a function that stops it. */
export function startStoryReading(store: ViewerStore, reader: PlaceReader): () => void {
  let news: NewReading[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function report(): void {
    timer = undefined;
    const batch = news;
    news = [];
    store.getState().receiveReadings(batch);
  }

  function request(): void {
    clearTimeout(timer);
    if (news.length > 0) report();
    timer = undefined;
    const frames = findUnread(store.getState());
    const left = { count: frames.length };
    reader.read(frames, ({ imageUrl, places }, answer) => {
      left.count -= 1;
      places.forEach((coordinate, index) => {
        const reading = "problem" in answer ? answer : answer.readings[index]!;
        news.push({ coordinate, imageUrl, reading });
      });
      if (left.count === 0) {
        clearTimeout(timer);
        report();
      } else timer ??= setTimeout(report, placeReportMs);
    });
  }

  const stop = store.subscribe((state, previous) => {
    if (watched.some((key) => state[key] !== previous[key])) request();
    else if (state.history.all !== previous.history.all) request();
  });
  request();
  return () => {
    stop();
    clearTimeout(timer);
    reader.close();
  };
}

const watched = [
  "storyOpen",
  "pins",
  "selectedEventId",
  "storyRetries",
] as const satisfies (keyof ViewerState)[];

/** Returns the frames to read by ascending window, with the places to read in each. Failed ones are read again. */
export function findUnread({ storyOpen, pins, history, readings }: ViewerState): PlacesOfFrame[] {
  if (!storyOpen || pins.length === 0) return [];
  const places = pins.map(({ coordinate }) => ({ coordinate, known: readings.get(placeKey(coordinate)) }));
  return framesOfStory(history.all).flatMap(({ imageUrl, bounds }) => {
    const unread = places.flatMap(({ coordinate, known }): Coordinate[] => {
      const reading = known?.get(imageUrl);
      return reading && !("problem" in reading) ? [] : [coordinate];
    });
    return unread.length === 0 ? [] : [{ imageUrl, bounds, places: unread }];
  });
}
