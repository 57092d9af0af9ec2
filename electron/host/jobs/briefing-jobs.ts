// Events as plain web pages.
import type { BriefingRequest, BriefingResult, BriefingSources } from "../../sharing/briefings/briefing.ts";
import { briefingsIn } from "../config/data-location.ts";
import { reading, useStores } from "./stores.ts";

export interface BriefRequest
  extends Omit<BriefingRequest, "directory">, Pick<BriefingSources, "mapFile" | "signal" | "onProgress"> {
  /** Absolute; the data directory's own folder of briefings unless given. */
  readonly directory: string | undefined;
}

/**
 * Publishes a briefing; writers and a running host may use the directory meanwhile. Throws as `publishBriefing` does, and
 * `not-found` where there is no catalog.
 */
export async function publishBriefingFrom(
  dataDirectory: string,
  { mapFile, signal, onProgress, ...request }: BriefRequest,
): Promise<BriefingResult> {
  const { publishBriefing } = await import("../../sharing/briefings/publish-briefing.ts");
  const directory = request.directory ?? briefingsIn(dataDirectory);
  return useStores(dataDirectory, reading, (stores) =>
    publishBriefing({ ...request, directory }, { ...stores, mapFile, signal, onProgress }),
  );
}
