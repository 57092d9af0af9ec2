// The operations of the storm data read service, and our additions to it: path, parameters, statuses and bodies. The
// service's routes, the OpenAPI document and the conformance tests derive from this table.
import type * as z from "zod";
import { DataServiceStatus } from "./data-status.ts";
import { historyLimit, HistoryLimitQuery, MrmsHistory } from "./history.ts";
import { LatestRevision } from "./latest-revision.ts";
import { MrmsManifest } from "./manifest.ts";
import { KeptOverlayList, OverlayList, OverlaySha256 } from "./overlays.ts";
import { PlaceQuery, PlaceSearchResponse } from "./place.ts";
import { ErrorBody, EventId, FrameId, ProductId, RevisionId } from "./primitives.ts";
import { BeforeQuery, pageLimit, PageLimitQuery, RevisionPage } from "./published-frames.ts";
import { StormEventList } from "./storm-event.ts";
import { StoredSteps } from "../views/briefing-steps.ts";

export type ResponseContent =
  | { readonly type: "application/json"; readonly schema: z.ZodType }
  | { readonly type: "image/png" }
  | { readonly type: "application/octet-stream" }
  | { readonly type: "text/plain" };

export interface OperationResponse {
  readonly description: string;
  /** Undefined if the answer has no body. */
  readonly content?: ResponseContent;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Operation {
  /** Path template: `{name}` stands for one parameter. */
  readonly path: `/v1/${string}` | `/app/${string}`;
  readonly summary: string;
  readonly description: string;
  readonly pathParameters: Readonly<Record<string, z.ZodType<string>>>;
  /** Schemas of query texts; one that accepts `undefined` is optional. Unknown names are ignored. */
  readonly query: Readonly<Record<string, z.ZodType>>;
  /** Status for a path parameter outside its pattern. */
  readonly malformedPathStatus: 400 | 404;
  readonly responses: Readonly<Record<number, OperationResponse>>;
  /** True for an addition of Echotop: other services of the contract lack it. */
  readonly isOurs?: true;
}

const etagHeader = { ETag: "Strong validator of these bytes; send it back in If-None-Match." };
const listEtagHeader = {
  ETag: "Weak validator of the list without `generatedAt`; send it back in If-None-Match.",
};

function json(
  description: string,
  schema: z.ZodType,
  headers?: Readonly<Record<string, string>>,
): OperationResponse {
  return { description, content: { type: "application/json", schema }, ...(headers && { headers }) };
}

const problem = (description: string): OperationResponse => json(description, ErrorBody);
const plain = (description: string, headers?: Readonly<Record<string, string>>): OperationResponse => ({
  description,
  content: { type: "text/plain" },
  ...(headers && { headers }),
});

const notModified: OperationResponse = {
  description: "The client's copy is current. No body.",
  headers: etagHeader,
};
const listNotModified: OperationResponse = { ...notModified, headers: listEtagHeader };
const notAvailable = problem("The requested data is not available.");

const overlayFile: OperationResponse = {
  description: "The bytes, which nobody has interpreted.",
  content: { type: "application/octet-stream" },
  headers: etagHeader,
};

const manifestResponses = {
  200: json("The manifest.", MrmsManifest, etagHeader),
  304: notModified,
  404: notAvailable,
  502: problem("The stored manifest fails the runtime contract."),
} as const;

export const operations = {
  searchPlaces: {
    path: "/v1/places/search",
    summary: "Search U.S. places",
    description: "Best match first. `q` is counted in code points and is not trimmed.",
    pathParameters: {},
    query: { q: PlaceQuery },
    malformedPathStatus: 404,
    responses: {
      200: json("Matching places.", PlaceSearchResponse),
      400: problem("The request is invalid."),
      429: problem("The place provider rate limited the request."),
      502: problem("The place provider is unavailable."),
    },
  },
  listStormEvents: {
    path: "/v1/storm-events",
    summary: "List storm events",
    description:
      "At most 100 feed or benchmark identities, by `endedAt`, or else `startedAt`, descending. They are not detected physical storms.",
    pathParameters: {},
    query: {},
    malformedPathStatus: 404,
    responses: {
      200: json("The events.", StormEventList, listEtagHeader),
      304: listNotModified,
      502: problem("The stored data cannot be read."),
    },
  },
  listRevisions: {
    path: "/v1/storm-events/{eventId}/revisions",
    summary: "List the newest revisions of an event",
    description:
      "The most recently published revisions, up to `limit`, in ascending `sequence`. A late correction has an older `observedAt` and a newer sequence.",
    pathParameters: { eventId: EventId },
    query: { limit: HistoryLimitQuery.default(historyLimit.default) },
    malformedPathStatus: 400,
    responses: {
      200: json("The revisions.", MrmsHistory, listEtagHeader),
      304: listNotModified,
      400: problem("The request is invalid."),
      404: notAvailable,
      502: problem("The stored data cannot be read."),
    },
  },
  getLatestManifest: {
    path: "/v1/storm-events/{eventId}/manifest",
    summary: "Read the latest complete manifest of an event",
    description: "The revision of the highest sequence. Revalidate it with If-None-Match.",
    pathParameters: { eventId: EventId },
    query: {},
    malformedPathStatus: 404,
    responses: manifestResponses,
  },
  getRevisionManifest: {
    path: "/v1/storm-events/{eventId}/revisions/{revisionId}/manifest",
    summary: "Read the immutable manifest of one revision",
    description: "Published bytes never change.",
    pathParameters: { eventId: EventId, revisionId: RevisionId },
    query: {},
    malformedPathStatus: 404,
    responses: manifestResponses,
  },
  getFrame: {
    path: "/v1/storm-events/{eventId}/frames/{productId}/{frameId}.png",
    summary: "Read one immutable, transparent weather raster",
    description: "An indexed PNG in Web Mercator rows; it contains its class table.",
    pathParameters: { eventId: EventId, productId: ProductId, frameId: FrameId },
    query: {},
    malformedPathStatus: 404,
    responses: {
      200: { description: "The frame.", content: { type: "image/png" }, headers: etagHeader },
      304: notModified,
      404: notAvailable,
    },
  },
  openStream: {
    path: "/v1/storm-events/{eventId}/stream",
    summary: "Open an event's WebSocket stream of notices",
    description:
      "Sends `stream.ready` first, then `storm.revision.ready` notices in rising sequence; answers the text `ping` with the text `pong`. Notices are not a complete log: read the authoritative state after a notice and after a reconnect.",
    pathParameters: { eventId: EventId },
    query: {},
    malformedPathStatus: 400,
    responses: {
      101: { description: "The protocol changes to WebSocket." },
      400: plain("The event identity or the WebSocket handshake is invalid."),
      426: plain("A WebSocket upgrade is required.", { Upgrade: "Always `websocket`." }),
      503: plain("The service has no room for another stream."),
    },
  },
  getDataStatus: {
    path: "/v1/data/status",
    summary: "Report the newest discovered source asset of each product",
    description:
      "Covers operational and benchmark events. Empty `products` means that no source asset is recorded, not that there is no weather.",
    pathParameters: {},
    query: {},
    malformedPathStatus: 404,
    responses: {
      200: json("The status.", DataServiceStatus, listEtagHeader),
      304: listNotModified,
      502: problem("The stored data cannot be read."),
    },
  },
  listRevisionPage: {
    path: "/app/events/{eventId}/revisions",
    summary: "List a page of an event's revisions, with what each did",
    description:
      "Not part of the storm data read contract: an addition of Echotop. The newest revisions before the sequence `before`, or of all, in ascending `sequence`; each also says when it was published and what it did to its window. A damaged revision is left out, so a page may be shorter than `limit`.",
    pathParameters: { eventId: EventId },
    query: {
      before: BeforeQuery.optional(),
      limit: PageLimitQuery.default(pageLimit.max),
    },
    malformedPathStatus: 400,
    isOurs: true,
    responses: {
      200: json("The revisions.", RevisionPage, listEtagHeader),
      304: listNotModified,
      400: problem("The request is invalid."),
      404: notAvailable,
      502: problem("The stored data cannot be read."),
    },
  },
  getLatest: {
    path: "/app/events/{eventId}/latest",
    summary: "Read which revision of an event is the newest",
    description:
      "Not part of the storm data read contract: an addition of Echotop. A few bytes, for viewers without a stream; a public service has no stream, and shared caches may keep this answer for 5 seconds.",
    pathParameters: { eventId: EventId },
    query: {},
    malformedPathStatus: 404,
    isOurs: true,
    responses: {
      200: json("The newest revision.", LatestRevision, etagHeader),
      304: notModified,
      404: notAvailable,
      502: problem("The stored data cannot be read."),
    },
  },
  getSteps: {
    path: "/app/events/{eventId}/steps",
    summary: "Read the steps of an event's briefing",
    description:
      "Not part of the storm data read contract: an addition of Echotop. Saved views with titles and the presenter's notes; `version` is 0 if nothing was saved. A public service does not have this address, because notes are private.",
    pathParameters: { eventId: EventId },
    query: {},
    malformedPathStatus: 404,
    isOurs: true,
    responses: {
      200: json("The steps.", StoredSteps, etagHeader),
      304: notModified,
      404: notAvailable,
      502: problem("The stored data cannot be read."),
    },
  },
  listKeptOverlays: {
    path: "/app/events/{eventId}/overlays",
    summary: "List the overlays kept with an event",
    description:
      "Not part of the storm data read contract: an addition of Echotop. Warnings and reports with their source, time and SHA-256, by name.",
    pathParameters: { eventId: EventId },
    query: {},
    malformedPathStatus: 404,
    isOurs: true,
    responses: {
      200: json("The overlays.", KeptOverlayList, etagHeader),
      304: notModified,
      404: notAvailable,
      502: problem("The stored data cannot be read."),
    },
  },
  getKeptOverlay: {
    path: "/app/events/{eventId}/overlays/{sha256}",
    summary: "Read the bytes of an overlay kept with an event",
    description:
      "Not part of the storm data read contract: an addition of Echotop. The file as it was fetched; its address is its SHA-256, so the bytes never change.",
    pathParameters: { eventId: EventId, sha256: OverlaySha256 },
    query: {},
    malformedPathStatus: 404,
    isOurs: true,
    responses: {
      200: overlayFile,
      304: notModified,
      404: notAvailable,
      502: problem("The stored data cannot be read."),
    },
  },
  listOverlays: {
    path: "/app/overlays",
    summary: "List the addresses and folders of overlays, with their health",
    description:
      "Not part of the storm data read contract: an addition of Echotop. Only the host of an address and the last part of a folder are told. A public service does not have this address.",
    pathParameters: {},
    query: {},
    malformedPathStatus: 404,
    isOurs: true,
    responses: { 200: json("The overlays.", OverlayList, listEtagHeader), 304: listNotModified },
  },
  getOverlayFile: {
    path: "/app/overlays/{sha256}",
    summary: "Read the bytes of an address or of a file in a watched folder",
    description:
      "Not part of the storm data read contract: an addition of Echotop. The bytes as they were read; once they are replaced, their address is gone. A public service does not have this address.",
    pathParameters: { sha256: OverlaySha256 },
    query: {},
    malformedPathStatus: 404,
    isOurs: true,
    responses: { 200: overlayFile, 304: notModified, 404: notAvailable },
  },
  getSource: {
    path: "/app/events/{eventId}/revisions/{revisionId}/sources/{productId}",
    summary: "Read the original file that a layer was made from",
    description:
      "Not part of the storm data read contract: an addition of Echotop. The bytes as they were read, compared with their SHA-256, which is the entity tag; `Content-Disposition` has the file's name. 404 if the file was not kept. A public service does not have this address.",
    pathParameters: { eventId: EventId, revisionId: RevisionId, productId: ProductId },
    query: {},
    malformedPathStatus: 404,
    isOurs: true,
    responses: {
      200: {
        description: "The file.",
        content: { type: "application/octet-stream" },
        headers: etagHeader,
      },
      304: notModified,
      404: notAvailable,
      502: problem("The stored file is damaged."),
    },
  },
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationId = keyof typeof operations;

/** Typed values of an operation's parameters, by name. */
export type OperationInput<Id extends OperationId> = {
  readonly [Name in keyof (typeof operations)[Id]["pathParameters"]]: z.output<
    (typeof operations)[Id]["pathParameters"][Name] & z.ZodType
  >;
} & {
  readonly [Name in keyof (typeof operations)[Id]["query"]]: z.output<
    (typeof operations)[Id]["query"][Name] & z.ZodType
  >;
};

/** Fills an operation's path template. Values are percent-encoded. */
export function toPath(id: OperationId, values: Readonly<Record<string, string>> = {}): string {
  return operations[id].path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The path of ${id} needs ${name}.`);
    return encodeURIComponent(value);
  });
}
