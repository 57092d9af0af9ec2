// A briefing: plain HTML pages of an event and of chosen revisions. The request, the sources and the result of
// publishing one.
import type { CatalogReader, WorkReader } from "../../catalog/catalog.ts";
import type { FrameStore } from "../../catalog/files/frame-store.ts";

export interface BriefingRequest {
  readonly eventId: string;
  /** Revisions that get a page; the newest ones if undefined. */
  readonly sequences?: readonly number[] | undefined;
  /** Number of newest revisions if `sequences` is undefined; Infinity for all. Default: `defaultRevisions`. */
  readonly newest?: number | undefined;
  /** Public http or https address of the output folder; all links are relative if undefined. */
  readonly baseUrl?: string | undefined;
  /** Absolute path; the pages go into a subfolder named by the event's id. */
  readonly directory: string;
}

export interface BriefingSources {
  readonly catalog: Pick<CatalogReader, "findEvent"> &
    Pick<WorkReader, "findRevisionAfter" | "listLayers" | "findSteps">;
  readonly frames: Pick<FrameStore, "read">;
  /** Absolute path of the base map: `.vite/assets/briefing-map.json` in a checkout or the package. */
  readonly mapFile: string;
  readonly signal?: AbortSignal | undefined;
  /** Counts stills, both composed and found unchanged. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface BriefingResult {
  readonly eventId: string;
  /** Absolute path of the event page. */
  readonly page: string;
  /** Address of the event page; undefined without `baseUrl`. */
  readonly url: string | undefined;
  readonly revisionPages: number;
  readonly written: number;
  readonly unchanged: number;
  /** Files of an earlier publication that were deleted. */
  readonly removed: number;
}
