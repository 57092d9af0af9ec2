// The host's configuration, parsed once: defaults and the configuration file.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import * as z from "zod";
import { AppError, messageOf } from "../shared/app-error.ts";

export const defaultStormPort = 47_800;
export const loopbackAddress = "127.0.0.1";

export interface HostConfig {
  readonly dataDirectory: string;
  readonly storm: {
    /** 0 takes a free port. */
    readonly port: number;
    readonly address: string;
    /** Names under which other machines reach the service; empty on loopback, required beyond it. */
    readonly hostNames: readonly string[];
    /** When the port is taken: take a free one (the app) or fail (the command line). */
    readonly whenTaken: "fail" | "take-free-port";
  };
  /** Publish the demonstration event when the data directory holds no event. */
  readonly demo: boolean;
  /** The live feed; undefined while it is off. */
  readonly feed?: FeedConfig | undefined;
  /** What a browser must show to act and not only look; undefined makes the listener read-only. */
  readonly actionToken?: string | undefined;
  /** Base URL of a Nominatim-compatible place search; undefined means the embedded gazetteer. */
  readonly placesUpstream: string | undefined;
  /** The prepared gazetteer, made by the build; built in memory where it is absent. */
  readonly gazetteerFile: string;
  /** The built viewer's folder. */
  readonly viewerDirectory: string;
  /** The render worker's module, which has another name once bundled. */
  readonly renderWorkerUrl: URL;
  /** The demonstration generator's worker module, likewise. */
  readonly generatorWorkerUrl: URL;
}

/** Where a feed takes its files from. */
export type FeedSourceConfig =
  | { readonly kind: "noaa" }
  /** The root of a bucket's listing and layout, ending in a slash. */
  | { readonly kind: "bucket"; readonly url: string }
  /** An absolute path. */
  | { readonly kind: "folder"; readonly directory: string }
  /** The origin of another storm data service. */
  | { readonly kind: "mirror"; readonly url: string };

export interface FeedTiming {
  /** From one look at the source to the next. */
  readonly pollMs: number;
  /** How long a window waits for its second product. */
  readonly pairWaitMs: number;
  /** The longest pause after errors. */
  readonly backoffMaxMs: number;
  /** How much before its newest observation a feed's event keeps. */
  readonly keepMs: number;
}

export interface FeedConfig {
  readonly source: FeedSourceConfig;
  /** The event that the feed fills; a mirror follows all events of the other service instead. */
  readonly eventId: string;
  readonly timing: FeedTiming;
}

export const defaultFeedEventId = "conus-live";

/** The configuration file. Unknown keys are refused by name. */
export const ConfigFile = z.strictObject({
  places: z.strictObject({ upstream: z.url({ protocol: /^https?$/ }) }).exactOptional(),
  feed: z
    .strictObject({
      poll_seconds: z.number().min(1).max(3600).exactOptional(),
      pair_wait_seconds: z.number().min(0).max(3600).exactOptional(),
      backoff_max_seconds: z.number().min(1).max(86_400).exactOptional(),
      keep_hours: z
        .number()
        .min(1)
        .max(24 * 366)
        .exactOptional(),
    })
    .exactOptional(),
});
export type ConfigFile = z.infer<typeof ConfigFile>;

/** What the configuration file says of feeds, with defaults for the rest. */
export function toFeedTiming(feed: ConfigFile["feed"]): FeedTiming {
  return {
    pollMs: (feed?.poll_seconds ?? 120) * 1000,
    pairWaitMs: (feed?.pair_wait_seconds ?? 60) * 1000,
    backoffMaxMs: (feed?.backoff_max_seconds ?? 600) * 1000,
    keepMs: (feed?.keep_hours ?? 24) * 3_600_000,
  };
}

/** Reads and checks a configuration file. Throws `invalid-input` naming the file's base name and the key at fault. */
export function loadConfigFile(path: string): ConfigFile {
  const name = basename(path);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new AppError("invalid-input", `The configuration file ${name} cannot be read.`, { cause: error });
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new AppError("invalid-input", `${name} is not JSON: ${messageOf(error)}`, { cause: error });
  }
  const result = ConfigFile.safeParse(json);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const where = issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
  throw new AppError("invalid-input", `${name}${where}: ${issue.message}`);
}
