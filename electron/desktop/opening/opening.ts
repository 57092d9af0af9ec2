// Opens files and links from outside, in their order: GRIB2 files are added, the rest waits for the page. What arrives
// before the host runs waits, too.
import { basename } from "node:path";
import { isAppError } from "../../../shared/app-error.ts";
import type { AddFilesResult, Opened } from "../../../shared/contract/desktop.ts";
import { createMutex } from "../../platform/locks/mutex.ts";
import { judgeFile, judgeLink } from "./judge-opened.ts";
import type { OpenArguments } from "./open-arguments.ts";
import { createOpenedQueue } from "./opened-queue.ts";

export interface OpeningOptions {
  /** Tells the page that something waits; called also before there is one. */
  readonly onOpened: () => void;
  readonly report: (message: string, facts: Readonly<Record<string, unknown>>) => void;
}

export type AddPaths = (paths: readonly string[]) => Promise<AddFilesResult>;

export interface Opening {
  readonly open: (what: Pick<OpenArguments, "paths" | "link">) => void;
  /** Adds files from now on, first those that wait. */
  readonly start: (addPaths: AddPaths) => void;
  /** Hands over what waits for the page. */
  readonly take: () => Opened[];
}

export function createOpening({ onOpened, report }: OpeningOptions): Opening {
  const queue = createOpenedQueue(onOpened);
  const mutex = createMutex();
  const { promise: adding, resolve: start } = Promise.withResolvers<AddPaths>();

  const openPaths = async (paths: readonly string[]): Promise<void> => {
    const judged = await Promise.all(paths.map(judgeFile));
    for (const one of judged) if (one.kind !== "grib2") queue.add(one);
    const grib2 = judged.flatMap((one) => (one.kind === "grib2" ? [one.path] : []));
    if (grib2.length === 0) return;
    const addPaths = await adding;
    try {
      queue.add({ kind: "files", result: await addPaths(grib2) });
    } catch (error) {
      report("An opened file could not be added.", { error });
      const reason = isAppError(error) ? error.detail : "The log says why.";
      queue.add({ kind: "refused", sentence: `${basename(grib2[0]!)} could not be added. ${reason}` });
    }
  };

  return {
    open: ({ paths, link }) => {
      if (link !== undefined) queue.add(judgeLink(link));
      if (paths.length > 0) void mutex(() => openPaths(paths));
    },
    start,
    take: queue.take,
  };
}
