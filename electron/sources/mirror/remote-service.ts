// The followed service's read endpoints. It is not trusted: bodies are bounded, JSON is held against the contract by the
// callers' schemas, and no address beyond its own origin is asked.
import type * as z from "zod";
import { historyLimit } from "../../../shared/contract/history.ts";
import { MrmsManifest } from "../../../shared/contract/manifest.ts";
import { readBounded, usualLimits, type RequestLimits } from "../fetching/bounded-request.ts";
import { ListedEvents, ListedHistory } from "./listings.ts";
import { isMirrorFault, MirrorFault, toMirrorFault } from "./mirror-fault.ts";

export interface Tagged<Value> {
  readonly value: Value;
  /** What to send along to hear of changes alone. */
  readonly etag: string | undefined;
  /** Exactly as it came. */
  readonly body: Uint8Array;
}

/** All of them throw MirrorFault; an abort of the signal passes through as it is. */
export interface RemoteService {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Undefined when nothing has changed since `etag`. */
  listEvents(etag: string | undefined): Promise<Tagged<ListedEvents> | undefined>;
  /** The newest revisions, as many as the contract allows; undefined when nothing has changed since `etag`. */
  listRevisions(eventId: string, etag: string | undefined): Promise<Tagged<ListedHistory> | undefined>;
  /** The manifest of the highest sequence. */
  readLatestManifest(eventId: string): Promise<Tagged<MrmsManifest>>;
  /** `path` is another address of the same manifest, as a notice gives it. */
  readManifest(eventId: string, revisionId: string, path?: string): Promise<Tagged<MrmsManifest>>;
  /** The bytes at an image URL of one of its manifests. */
  readFrame(imageUrl: string): Promise<Tagged<undefined>>;
}

export interface RemoteOptions {
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  readonly limits?: MirrorLimits;
  /** Hears of every answer, and of every time that a list could not be had. */
  readonly onLink: (problem: string | undefined) => void;
}

export type MirrorLimits = Omit<RequestLimits, "maxBytes"> & {
  readonly maxListBytes: number;
  /** 360 revisions with their legends are three megabytes of ours. */
  readonly maxHistoryBytes: number;
  readonly maxManifestBytes: number;
  /** What the viewer takes at most. */
  readonly maxFrameBytes: number;
};

export const mirrorLimits: MirrorLimits = {
  ...usualLimits,
  maxListBytes: 4 << 20,
  maxHistoryBytes: 32 << 20,
  maxManifestBytes: 1 << 20,
  maxFrameBytes: 128 << 20,
};

interface Reading {
  readonly url: string;
  readonly maxBytes: number;
  readonly etag?: string | undefined;
  readonly isList?: boolean;
}

const statusReasons: Readonly<Record<number, string>> = {
  429: "asks for fewer requests",
  500: "failed",
  502: "says that its own data are damaged",
  503: "is not available",
};

export function createRemoteService(options: RemoteOptions): RemoteService {
  const { baseUrl, limits = mirrorLimits } = options;
  const { origin } = new URL(baseUrl);

  const read = async ({ url, maxBytes, etag, isList = false }: Reading) => {
    const { fetch, signal, onLink } = options;
    const headers = etag === undefined ? {} : { "if-none-match": etag };
    try {
      const answer = await readBounded({ fetch, url, headers, signal, limits: { ...limits, maxBytes } });
      onLink(undefined);
      if (answer.status === 304 && etag !== undefined) return undefined;
      if (answer.status !== 200) throw refusalOf(answer.status);
      return { body: answer.body, etag: answer.headers.get("etag") ?? undefined };
    } catch (error) {
      const fault = toMirrorFault(error);
      if (!isMirrorFault(fault)) throw fault;
      if (fault.kind !== "link") onLink(undefined);
      // A single picture that never comes is no proof that the service is gone: its lists tell.
      else if (isList) onLink(fault.message);
      throw fault;
    }
  };
  const eventUrl = (eventId: string): string => `${baseUrl}/v1/storm-events/${eventId}`;
  const ownUrl = (reference: string): string => {
    const url = URL.parse(reference, origin);
    if (url?.origin !== origin)
      throw new MirrorFault("answer", "It refers to an address that is not its own.");
    return url.href;
  };
  const always = async (url: string, maxBytes: number) => (await read({ url, maxBytes }))!;

  return {
    baseUrl,
    async listEvents(etag) {
      const url = `${baseUrl}/v1/storm-events`;
      const answer = await read({ url, maxBytes: limits.maxListBytes, etag, isList: true });
      return answer && parse("its list of events", ListedEvents, answer);
    },
    async listRevisions(eventId, etag) {
      const url = `${eventUrl(eventId)}/revisions?limit=${historyLimit.max}`;
      const answer = await read({ url, maxBytes: limits.maxHistoryBytes, etag, isList: true });
      return answer && parse("its list of revisions", ListedHistory, answer);
    },
    async readManifest(eventId, revisionId, path) {
      const url = path === undefined ? `${eventUrl(eventId)}/revisions/${revisionId}/manifest` : ownUrl(path);
      return parse("a manifest", MrmsManifest, await always(url, limits.maxManifestBytes));
    },
    async readLatestManifest(eventId) {
      const url = `${eventUrl(eventId)}/manifest`;
      return parse("its latest manifest", MrmsManifest, await always(url, limits.maxManifestBytes));
    },
    async readFrame(imageUrl) {
      return { ...(await always(ownUrl(imageUrl), limits.maxFrameBytes)), value: undefined };
    },
  };
}

function refusalOf(status: number): MirrorFault {
  if (status === 404) return new MirrorFault("gone", "It is not there (status 404).");
  return new MirrorFault("answer", `The service ${statusReasons[status] ?? "refuses"} (status ${status}).`);
}

/** The body as what it must be. @throws MirrorFault that says where it breaks the contract */
function parse<Value>(
  what: string,
  schema: z.ZodType<Value>,
  answer: { body: Uint8Array; etag: string | undefined },
): Tagged<Value> {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(answer.body));
  } catch (error) {
    throw new MirrorFault("answer", `What it sends as ${what} is not JSON in UTF-8.`, error);
  }
  const result = schema.safeParse(json);
  if (result.success) return { ...answer, value: result.data };
  throw new MirrorFault(
    "answer",
    `What it sends as ${what} breaks the contract: ${firstIssue(result.error)}.`,
  );
}

export function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  const where = issue && issue.path.length > 0 ? `${issue.path.join(".")}: ` : "";
  return `${where}${issue?.message ?? "unknown"}`;
}
