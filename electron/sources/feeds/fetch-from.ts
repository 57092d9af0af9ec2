// A fetch out of what was asked for: for callers that have a data directory and its stores.
import { dataDirectory } from "../../catalog/files/data-directory.ts";
import { createSourceStore } from "../../catalog/files/source-store.ts";
import type { Effects } from "../../platform/effects.ts";
import { createFileSource } from "./create-source.ts";
import type { FileSourceConfig } from "./feed-config.ts";
import { fetchEvent, type FetchOptions, type FetchReport } from "./fetch-event.ts";
import { createKeepSource } from "./keep-source.ts";

export interface FetchFromOptions extends Omit<
  FetchOptions,
  "source" | "stagingFolder" | "keepSource" | "effects"
> {
  readonly source: FileSourceConfig;
  /** The data directory that catalog and frames are of. */
  readonly directory: string;
  readonly effects: Pick<Effects, "now" | "sleep" | "random" | "fetch">;
}

/** Throws as `fetchEvent` does. */
export function fetchFrom({ source, directory, ...options }: FetchFromOptions): Promise<FetchReport> {
  return fetchEvent({
    ...options,
    source: createFileSource(source, options.effects),
    stagingFolder: dataDirectory(directory).stagingFolder,
    keepSource: createKeepSource(createSourceStore({ directory })),
  });
}
