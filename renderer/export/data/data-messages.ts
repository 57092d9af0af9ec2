// The requests and answers of the worker that writes data. Both ends are built together, so messages are not parsed.
import type { ErrorCode } from "../../../shared/app-error.ts";
import type { ExportedLayer } from "../../../shared/rasters/exported-layer.ts";
import type { FrameRef } from "../../frames/frame-ref.ts";

export interface DataLayer {
  readonly facts: ExportedLayer;
  readonly frame: FrameRef;
}

export type DataRequest =
  /** One GeoTIFF, or an archive of several. */
  | { readonly format: "geotiff"; readonly layers: readonly DataLayer[] }
  /** With pictures for the screen, as PNG. */
  | {
      readonly format: "kmz";
      readonly layers: readonly DataLayer[];
      readonly legend: Uint8Array<ArrayBuffer>;
      readonly credits: Uint8Array<ArrayBuffer>;
    };

/** Any number of "done", then one of the others. */
export type DataReply =
  | { readonly done: number }
  | { readonly file: Blob }
  | { readonly problem: { readonly code: ErrorCode; readonly detail: string } };
