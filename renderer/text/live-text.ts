// Words for live sources: what a person may follow, what helps if it cannot be reached, and why there is no frame yet.
import type { FeedHealth } from "../../shared/contract/feed-health.ts";
import { instantWords } from "./format.ts";

export const liveKinds = ["noaa", "folder", "bucket", "mirror"] as const;
export type LiveKind = (typeof liveKinds)[number];

interface LiveKindWords {
  readonly name: string;
  readonly words: string;
  /** Name of the field for the place; undefined if there is only one. */
  readonly placeName?: string;
  readonly placeHint?: string;
}

export const liveKindWords: Readonly<Record<LiveKind, LiveKindWords>> = {
  noaa: { name: "NOAA public bucket", words: "All of CONUS, every two minutes, over the internet" },
  folder: {
    name: "Folder",
    words: "MRMS files that another program puts here",
    placeName: "Full path",
    placeHint: "/data/mrms",
  },
  bucket: {
    name: "Bucket",
    words: "A copy of NOAA's bucket, such as one on your network",
    placeName: "Address",
    placeHint: "https://mrms.example/",
  },
  mirror: {
    name: "Another Echotop",
    words: "All events of a colleague's Echotop",
    placeName: "Address",
    placeHint: "http://desk.example:47800",
  },
};

export const liveAdvice: Readonly<Record<LiveKind, string>> = {
  noaa: "Check this computer's internet connection. Echotop keeps trying.",
  folder: "Check that the drive is connected and the folder is there. Echotop keeps trying.",
  bucket: "Check the address and the network. Echotop keeps trying.",
  mirror: "Check the address, and that the other Echotop runs. Echotop keeps trying.",
};

/** Splits `folder:/data/mrms` into kind and place. The place of `noaa` is empty. */
export function splitLiveSource(source: string): { readonly kind: LiveKind; readonly place: string } {
  const [, name = "noaa", place = ""] = /^(\w+)(?::(.*))?$/s.exec(source) ?? [];
  return { kind: liveKinds.find((kind) => kind === name) ?? "noaa", place };
}

/** Returns undefined once a frame is published, and while the source cannot be reached. */
export function noFrameWords({ state, products, pendingWindows }: FeedHealth): string | undefined {
  if (state === "link-down" || products.some(({ newestPublishedAt }) => newestPublishedAt !== null))
    return undefined;
  const newest = products
    .flatMap(({ newestListedAt }) => newestListedAt ?? [])
    .toSorted()
    .at(-1);
  if (state !== "source-idle" || pendingWindows > 0 || newest === undefined)
    return "No frame yet. The first one appears by itself.";
  return `The newest file is from ${instantWords(newest)}, too old for a live feed. Use Add events for past files.`;
}
