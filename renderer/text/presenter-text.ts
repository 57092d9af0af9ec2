// The words of the presenter's window.
import type { PresenterState } from "../state/briefing/presenter-messages.ts";
import type { PresenterView } from "../state/briefing/presenter-session.ts";
import { frozenWords, waitingWords } from "./briefing-mode-text.ts";
import { clockTime } from "./format.ts";

/** `06:42`, `1:06:42` */
export function talkTime(spanMs: number): string {
  const seconds = Math.max(0, Math.floor(spanMs / 1000));
  const pad = (value: number): string => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}:` : ""}${pad(minutes)}:${pad(seconds % 60)}`;
}

/** `Frozen at 21:46:10 UTC`, `2 newer revisions wait` */
export function standingOf({
  frozen,
  waiting,
  picture,
}: Pick<PresenterState, "frozen" | "waiting" | "picture">): readonly string[] {
  if (!frozen) return ["Following the newest"];
  const { publishedAt, sequence } = frozen;
  const publishedMs = publishedAt === null ? undefined : Date.parse(publishedAt);
  const words = frozenWords(sequence, publishedMs, picture ? Date.parse(picture.observedAt) : undefined);
  return [words, ...(waiting.length > 0 ? [waitingWords(waiting.length)] : [])];
}

/** `24 · observed 21:44:40, published 21:47:22` */
export function waitingRevision({
  sequence,
  observedAt,
  publishedAt,
  isOfShown,
}: PresenterState["waiting"][number]): string {
  const published = publishedAt === null ? "" : `, published ${clockTime(Date.parse(publishedAt))}`;
  const words = `${sequence} · observed ${clockTime(Date.parse(observedAt))}${published}`;
  return isOfShown ? `${words} · changes the window shown` : words;
}

type Picture = NonNullable<PresenterState["picture"]>;

const changeWords: Readonly<Record<Picture["change"], (sequence: number | null) => string>> = {
  new: () => "",
  correction: (sequence) => (sequence === null ? "correction" : `correction of ${sequence}`),
  completion: (sequence) => (sequence === null ? "layer added" : `layer added to ${sequence}`),
  backfill: () => "late arrival",
  unknown: () => "",
};

export function changeOf({ change, supersedes }: Picture): {
  readonly words: string;
  readonly isLate: boolean;
} {
  return {
    words: changeWords[change](supersedes),
    isLate: change === "correction" || change === "backfill",
  };
}

/** Question before what cannot be taken back, with the answer's verb. */
export const questions: Readonly<
  Record<
    NonNullable<PresenterView["asking"]>,
    { readonly words: string; readonly verb: string; readonly key: string }
  >
> = {
  unfreeze: { words: "Unfreeze and jump to the newest?", verb: "Unfreeze", key: "F" },
  leave: { words: "Leave the briefing?", verb: "Leave", key: "Esc" },
};

export const linkNotes: Readonly<
  Record<PresenterView["link"], { readonly title: string; readonly words: string } | undefined>
> = {
  here: undefined,
  asking: {
    title: "Waiting for the briefing",
    words: "Start it in the viewer. Notes, next step and clock then come here by themselves.",
  },
  ended: { title: "The briefing has ended", words: "The viewer is back at the view from before." },
  lost: {
    title: "The projector does not answer",
    words: "Its window was closed or loaded again, or it hangs. The notes of the step stay here.",
  },
};

export interface NoteLine {
  readonly isPoint: boolean;
  readonly text: string;
}

/** Splits notes into lines; one that begins with a dash, an asterisk or a bullet is a point of a list. */
export function toNoteLines(notes: string): NoteLine[] {
  return notes
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const point = /^\s*[-–—*•]\s+(.*)$/u.exec(line)?.[1];
      return { isPoint: point !== undefined, text: point ?? line };
    });
}
