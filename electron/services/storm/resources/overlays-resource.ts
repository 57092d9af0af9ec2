// Overlays: the files kept with an event, and those that the host reads for a person. Bytes are addressed by their
// hash, so they never change at their address; a browser never interprets them as a page.
import { AppError } from "../../../../shared/app-error.ts";
import type { OverlayList } from "../../../../shared/contract/overlays.ts";
import type { CatalogReader, WorkReader } from "../../../catalog/catalog.ts";
import { sha256Of } from "../../../platform/sha256.ts";
import {
  cacheRules,
  createAnswer,
  createJsonAnswer,
  strongEtag,
  weakEtag,
  type Answer,
} from "../../http/answer.ts";
import type { Handler, Handlers } from "../request-input.ts";

/** Reads without holding answers: overlays are rarely read. */
export type OverlaysCatalog = Pick<CatalogReader, "findEvent"> &
  Pick<WorkReader, "listKeptOverlays" | "readKeptOverlay">;

/** The overlays that the host reads for a person. */
export interface HeldOverlays {
  readonly list: () => OverlayList;
  readonly find: (sha256: string) => Uint8Array | undefined;
}

export function createKeptOverlays(
  catalog: OverlaysCatalog,
): Pick<Handlers, "listKeptOverlays" | "getKeptOverlay"> {
  return {
    listKeptOverlays: async ({ eventId }) => {
      const overlays = await catalog.listKeptOverlays(eventId);
      if (overlays.length === 0 && !(await catalog.findEvent(eventId))) {
        throw new AppError("not-found", "There is no storm event with this id.");
      }
      const list = { overlays };
      return createJsonAnswer(list, { etag: strongEtag(sha256Of(JSON.stringify(list))) });
    },
    getKeptOverlay: async ({ eventId, sha256 }) => {
      const bytes = await catalog.readKeptOverlay(eventId, sha256);
      if (bytes && sha256Of(bytes) !== sha256) {
        throw new AppError("stored-data-invalid", "This overlay is damaged.");
      }
      return toFileAnswer(bytes, sha256);
    },
  };
}

export function createOverlayList(held: HeldOverlays | undefined): Handler<"listOverlays"> {
  return () => {
    const list = held?.list() ?? { overlays: [] };
    return createJsonAnswer(list, { etag: weakEtag(sha256Of(JSON.stringify(list))) });
  };
}

export function createOverlayFiles(held: HeldOverlays | undefined): Handler<"getOverlayFile"> {
  return ({ sha256 }) => toFileAnswer(held?.find(sha256), sha256);
}

function toFileAnswer(bytes: Uint8Array | undefined, sha256: string): Answer {
  if (!bytes) throw new AppError("not-found", "This overlay is not available.");
  return createAnswer({
    body: bytes,
    type: "application/octet-stream",
    etag: strongEtag(sha256),
    cache: cacheRules.immutable,
    headers: { "content-disposition": "attachment" },
  });
}
