// An export: files of an event's revisions that leave the program. The request, the sources and the result, the same
// for each format.
import type { ProductId } from "../../../shared/contract/primitives.ts";
import type { PaletteId } from "../../../shared/products/palettes.ts";
import type { ReadableStores } from "../../catalog/stores/located-stores.ts";
import type { BriefingSources } from "../briefings/briefing.ts";

export interface ExportRequest {
  readonly eventId: string;
  /** Revisions in the order of the files or frames; the newest ones if undefined. */
  readonly sequences?: readonly number[] | undefined;
  /** Number of newest revisions if `sequences` is undefined; Infinity for all. */
  readonly newest?: number | undefined;
  /** All layers of the revisions if undefined. */
  readonly layers?: readonly ProductId[] | undefined;
  /** Absolute path of a file or a folder, as the format needs. */
  readonly out: string;
  readonly picture: PictureChoice;
}

/** Look of formats that are pictures; the others ignore it. */
export interface PictureChoice {
  readonly widthPx: number;
  readonly heightPx: number;
  /** The area of the event if undefined. */
  readonly view?: CameraView | undefined;
  readonly palette: PaletteId;
  /** Frames of a loop a second. */
  readonly framesPerSecond: number;
}

/** A view as the map has it: the world is 512 pixels wide at zoom 0. */
export interface CameraView {
  readonly longitude: number;
  readonly latitude: number;
  readonly zoom: number;
}

export interface ExportSources extends ReadableStores, Omit<BriefingSources, keyof ReadableStores> {
  readonly signal: AbortSignal;
}

export interface ExportedFile {
  /** Absolute path. */
  readonly file: string;
  readonly revisionIds: readonly string[];
  readonly sha256: string;
}

/**
 * Writes the files of an export. Leaves none behind if it fails or is aborted.
 * @throws AppError `not-found` for an unknown event or revision; `conflict` for an event without data;
 * `invalid-input` for layers that no chosen revision has, and for too many revisions;
 * `storage-failed`; the signal's reason
 */
export type WriteExport = (
  request: ExportRequest,
  sources: ExportSources,
) => Promise<readonly ExportedFile[]>;
