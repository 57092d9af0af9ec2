// Pictures of the projector for the presenter's window, and how that window knows that the projector is still there:
// it asks every other second, and the projector answers. A channel of its own, because a picture is no part of a state.
import * as z from "zod";
import type { OpenPageChannel } from "../../platform/page-channel.ts";

const PicturesMessage = z.discriminatedUnion("kind", [
  /** Asked by the presenter's window. */
  z.object({ kind: z.literal("watch") }),
  /** Answered by the projector. */
  z.object({ kind: z.literal("here") }),
  z.object({ kind: z.literal("picture"), image: z.instanceof(Blob) }),
]);
type PicturesMessage = z.infer<typeof PicturesMessage>;

/** Interval of the questions. */
export const askEveryMs = 2_000;
/** Questions without an answer after which the projector counts as lost. */
const mostUnanswered = 3;
/** Time after the last question in which pictures are taken. */
const watchedMs = 10_000;

function toChannelName(showId: string): string {
  return `echotop-briefing-pictures-${showId}`;
}

export interface PictureSenderParts {
  readonly showId: string;
  readonly openChannel: OpenPageChannel;
  readonly now: () => number;
  /** Takes a picture of the projector; resolves with undefined if there is none. */
  readonly take: () => Promise<Blob | undefined>;
}

export interface PictureSender {
  /** Call it when the projector may look different. Takes one picture at a time, and only while a window watches. */
  readonly changed: () => void;
  readonly close: () => void;
}

export function sendPictures({ showId, openChannel, now, take }: PictureSenderParts): PictureSender {
  let watchedUntilMs = -Infinity;
  let isTaking = false;
  let isStale = true;
  const channel = openChannel(toChannelName(showId), (message) => {
    if (PicturesMessage.safeParse(message).data?.kind !== "watch") return;
    const wasWatched = now() < watchedUntilMs;
    watchedUntilMs = now() + watchedMs;
    post({ kind: "here" });
    // A new window has no picture yet.
    if (!wasWatched) isStale = true;
    void takeStale();
  });
  const post = (message: PicturesMessage): void => {
    channel.post(message);
  };

  async function takeStale(): Promise<void> {
    while (isStale && !isTaking && now() < watchedUntilMs) {
      isTaking = true;
      isStale = false;
      const image = await take().catch(() => undefined);
      isTaking = false;
      if (image) post({ kind: "picture", image });
    }
  }

  return {
    changed: () => {
      isStale = true;
      void takeStale();
    },
    close: () => {
      watchedUntilMs = -Infinity;
      channel.close();
    },
  };
}

export interface PictureWatchParts {
  readonly showId: string;
  readonly openChannel: OpenPageChannel;
  /** Calls back every `askEveryMs`; returns a function that stops it. */
  readonly repeat: (callback: () => void) => () => void;
  readonly onPicture: (image: Blob) => void;
  /** Called at each answer, and once for a lost projector. */
  readonly onStanding: (isHere: boolean) => void;
}

/** Watches the projector until the returned function is called. */
export function watchPictures(parts: PictureWatchParts): () => void {
  let unanswered = 0;
  const channel = parts.openChannel(toChannelName(parts.showId), (message) => {
    const { data } = PicturesMessage.safeParse(message);
    if (data?.kind === "here") {
      unanswered = 0;
      parts.onStanding(true);
    } else if (data?.kind === "picture") {
      parts.onPicture(data.image);
    }
  });
  const ask = (): void => {
    if (unanswered === mostUnanswered) parts.onStanding(false);
    unanswered += 1;
    channel.post({ kind: "watch" } satisfies PicturesMessage);
  };
  const stop = parts.repeat(ask);
  ask();
  return () => {
    stop();
    channel.close();
  };
}
