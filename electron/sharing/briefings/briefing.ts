// A briefing: plain HTML pages of an event and of chosen revisions, what publishing one takes, and what it comes to.
import type { CatalogReader, WorkReader } from "../../catalog/catalog.ts";
import type { FrameStore } from "../../catalog/files/frame-store.ts";

export interface BriefingRequest {
  readonly eventId: string;
  /** Which revisions get a page, by sequence; undefined takes the newest ones. At most `mostRevisions`. */
  readonly sequences?: readonly number[] | undefined;
  /** Without `sequences`: how many of the newest, `usualRevisions` unless given; Infinity for all of them. */
  readonly newest?: number | undefined;
  /** The address that the output folder will have, http or https; undefined makes every link relative. */
  readonly baseUrl?: string | undefined;
  /** Absolute. The event's pages go into a folder of its id. */
  readonly directory: string;
}

export const usualRevisions = 12;
/** A briefing is to be read: more pages than this are a mistake. */
export const mostRevisions = 500;

/** What a briefing is made from. */
export interface BriefingSources {
  readonly catalog: Pick<CatalogReader, "findEvent"> & Pick<WorkReader, "findRevisionAfter" | "listLayers">;
  readonly frames: Pick<FrameStore, "read">;
  /** The prepared base map, absolute: `.vite/assets/briefing-map.json` of a checkout or of the package. */
  readonly mapFile: string;
  readonly signal?: AbortSignal | undefined;
  /** Stills composed or found unchanged, of all. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface BriefingResult {
  readonly eventId: string;
  /** Absolute path of the event page's file. */
  readonly page: string;
  /** The event page's address; undefined without `baseUrl`. */
  readonly url: string | undefined;
  readonly revisionPages: number;
  /** Files that were written, and files that were there with the same bytes already. */
  readonly written: number;
  readonly unchanged: number;
  /** Files of an earlier publication that are gone. */
  readonly removed: number;
}
