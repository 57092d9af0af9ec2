// A briefing: plain HTML pages of an event and of chosen revisions, and what publishing one comes to.

export interface BriefingRequest {
  readonly eventId: string;
  /** Which revisions get a page, by sequence; undefined takes the newest ones, `usualRevisions` of them. */
  readonly sequences?: readonly number[] | undefined;
  /** The address that the output folder will have, ending in a slash; undefined makes every link relative. */
  readonly baseUrl?: string | undefined;
  /** Absolute. The event's pages go into a folder of its id. */
  readonly directory: string;
}

export const usualRevisions = 12;

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
