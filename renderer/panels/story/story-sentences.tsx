// When the place first reached an inch and two inches of hail, once every window up to then is read.
import { useMemo, useState, type ReactNode } from "react";
import type { PlaceStory } from "../../state/story/place-story.ts";
import { findFirstReached, type FirstReached } from "../../state/story/first-reached.ts";
import { placeKey, type PlacePin } from "../../state/slices/story-slice.ts";
import { clockMinute, counted } from "../../text/format.ts";
import { firstSentence, publishedMsOf } from "../../text/story-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { hailLines } from "./hail-lines.ts";
import { useStoryReadings } from "./use-place-story.ts";

/** Time that a changed sentence says so. */
const justNowMs = 60_000;

/** Subject of the sentences: a change from one to another is not told. */
interface Subject {
  readonly key: string;
  readonly latest: number;
  /** The answers last known; undefined before every window is read. */
  readonly firsts: readonly FirstReached[] | undefined;
  /** Clock time at which a publication changed each answer. */
  readonly changedMs: readonly (number | undefined)[];
}

export function StorySentences(props: { readonly pin: PlacePin; readonly story: PlaceStory }): ReactNode {
  const { pin, story } = props;
  const revisions = useViewerState((state) => state.history.revisions);
  const publishedAt = useViewerState((state) => state.publishedAt);
  const hailUnits = useViewerState((state) => state.hailUnits);
  const { firsts, changedMs } = useFirsts(pin, story);
  const isFresh = useViewerState(({ nowMs }) =>
    changedMs.map((at) => at !== undefined && nowMs - at < justNowMs),
  );
  const suffix = useKnownAtWords();
  const failed = story.windows.filter(({ layers }) =>
    layers.some(({ cell }) => cell.kind === "failed"),
  ).length;
  const { store } = useViewer();
  const facts = { revisions, publishedAt, hailUnits };
  return (
    <div className="story-sentences" aria-live="polite">
      {firsts === undefined ? (
        <p>{readingWords(story)}</p>
      ) : (
        hailLines.map((line, index) => {
          const { lead, words, moves } = firstSentence(line, firsts[index]!, facts);
          return (
            <p key={line.from}>
              <strong>{lead}</strong> {words}
              {moves !== "" && <span className="warning">{moves}</span>}
              {suffix}
              {isFresh[index] && <span className="warning"> · changed just now</span>}
            </p>
          );
        })
      )}
      {failed > 0 && (
        <p className="story-failed">
          <span className="bad">{counted(failed, "window", "windows")} failed to load</span>{" "}
          <Button className="link" onPress={store.getState().retryStory}>
            Try again
          </Button>
        </p>
      )}
    </div>
  );
}

function readingWords({ windows, readCount }: PlaceStory): string {
  if (windows.length === 0) return "Nothing published yet";
  return `Reading ${readCount} of ${counted(windows.length, "window", "windows")}…`;
}

/** Keeps the last answers while a newly published window is read. */
function useFirsts(pin: PlacePin, { windows, readCount }: PlaceStory): Subject {
  const revisions = useViewerState((state) => state.history.revisions);
  const eventId = useViewerState((state) => state.selectedEventId);
  const knownAt = useViewerState((state) => state.knownAt);
  const { store } = useViewer();
  const wanted = useStoryReadings(pin);
  const isWhole = windows.length > 0 && readCount === windows.length;
  const firsts = useMemo(
    () => (isWhole ? hailLines.map((line) => findFirstReached(revisions, line, wanted)) : undefined),
    [isWhole, revisions, wanted],
  );
  const key = [eventId, placeKey(pin.coordinate), wanted.reach, knownAt].join();
  const latest = revisions.at(-1)?.sequence ?? 0;
  const [held, setHeld] = useState<Subject>({ key: "", latest: 0, firsts: undefined, changedMs: [] });
  const isSame = held.key === key;
  if (isSame ? firsts !== undefined && firsts !== held.firsts : true) {
    const { nowMs } = store.getState();
    const changedMs = hailLines.map((_, index) => {
      if (!isSame || !firsts || !held.firsts) return undefined;
      const isChanged = latest > held.latest && signOf(firsts[index]!) !== signOf(held.firsts[index]!);
      return isChanged ? nowMs : held.changedMs[index];
    });
    const next = { key, latest, firsts, changedMs };
    setHeld(next);
    return next;
  }
  return held;
}

/** Two answers with one sign say the same. */
function signOf({ moves }: FirstReached): string {
  return moves.map(({ revision, observedAt }) => `${revision.sequence}:${observedAt}`).join();
}

/** ` · as known at 21:46`; empty now. */
function useKnownAtWords(): string {
  const knownAt = useViewerState((state) => state.knownAt);
  const newest = useViewerState((state) => state.history.revisions.at(-1));
  const publishedAt = useViewerState((state) => state.publishedAt);
  if (knownAt === undefined || !newest) return "";
  const publishedMs = publishedMsOf(newest, { publishedAt });
  return publishedMs === undefined
    ? ` · as known at sequence ${newest.sequence}`
    : ` · as known at ${clockMinute(publishedMs)}`;
}
