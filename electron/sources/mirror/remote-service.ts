// The read endpoints of the remote service. It is not trusted: bodies are bounded, JSON is validated against the
// contract, and only its own origin is requested.
import type * as z from "zod";
import { historyLimit } from "../../../shared/contract/history.ts";
import { MrmsManifest } from "../../../shared/contract/manifest.ts";
import { readBounded } from "../fetching/bounded-request.ts";
import { HttpFailure, isHttpFailure, isLinkFailure } from "../fetching/http-failure.ts";
import { firstIssue, ListedEvents, ListedHistory } from "./listings.ts";
import { mirrorLimits, type MirrorLimits } from "./mirror-limits.ts";

export interface Tagged<Value> {
  readonly value: Value;
  readonly etag: string | undefined;
  /** The response's bytes. */
  readonly body: Uint8Array;
}

/** Every method throws HttpFailure and the signal's reason. */
export type RemoteService = ReturnType<typeof createRemoteService>;

export interface RemoteOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  readonly limits?: MirrorLimits | undefined;
  /** Called with undefined after every response, and with a sentence if a list could not be fetched. */
  readonly onLink: (problem: string | undefined) => void;
}

interface Reading {
  readonly url: string;
  readonly maxBytes: number;
  readonly etag?: string | undefined;
  readonly isList?: boolean;
}

const statusReasons: Readonly<Record<number, string>> = {
  429: "is too busy",
  500: "failed",
  502: "reports damaged data",
  503: "is not available",
};

export function createRemoteService(options: RemoteOptions) {
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
      if (isHttpFailure(error) && !isLinkFailure(error)) onLink(undefined);
      // One frame that fails does not prove that the service is down; its lists do.
      else if (isLinkFailure(error) && isList) onLink(error.message);
      throw error;
    }
  };
  const eventUrl = (eventId: string): string => `${baseUrl}/v1/storm-events/${eventId}`;
  const ownUrl = (reference: string): string => {
    const url = URL.parse(reference, origin);
    if (url?.origin !== origin) throw new HttpFailure("invalid", "A link leads to another server.");
    return url.href;
  };
  const always = async (url: string, maxBytes: number) => (await read({ url, maxBytes }))!;

  return {
    baseUrl,
    /** Returns undefined if nothing has changed since `etag`. */
    async listEvents(etag: string | undefined): Promise<Tagged<ListedEvents> | undefined> {
      const url = `${baseUrl}/v1/storm-events`;
      const answer = await read({ url, maxBytes: limits.maxListBytes, etag, isList: true });
      return answer && parse("list of events", ListedEvents, answer);
    },
    /** Returns the newest revisions that the contract allows; undefined if nothing has changed since `etag`. */
    async listRevisions(
      eventId: string,
      etag: string | undefined,
    ): Promise<Tagged<ListedHistory> | undefined> {
      const url = `${eventUrl(eventId)}/revisions?limit=${historyLimit.max}`;
      const answer = await read({ url, maxBytes: limits.maxHistoryBytes, etag, isList: true });
      return answer && parse("list of revisions", ListedHistory, answer);
    },
    /** `path` is another URL of the same manifest, from a notice. */
    async readManifest(eventId: string, revisionId: string, path?: string): Promise<Tagged<MrmsManifest>> {
      const url = path === undefined ? `${eventUrl(eventId)}/revisions/${revisionId}/manifest` : ownUrl(path);
      return parse("manifest", MrmsManifest, await always(url, limits.maxManifestBytes));
    },
    /** Returns the manifest with the highest sequence. */
    async readLatestManifest(eventId: string): Promise<Tagged<MrmsManifest>> {
      return parse(
        "manifest",
        MrmsManifest,
        await always(`${eventUrl(eventId)}/manifest`, limits.maxManifestBytes),
      );
    },
    /** Returns the bytes at an image URL of one of its manifests. */
    async readFrame(imageUrl: string): Promise<Uint8Array> {
      return (await always(ownUrl(imageUrl), limits.maxFrameBytes)).body;
    },
  };
}

function refusalOf(status: number): HttpFailure {
  if (status === 404) return new HttpFailure("gone", "Not found on the server (status 404).");
  const reason = statusReasons[status] ?? "refused the request";
  return new HttpFailure("invalid", `The service ${reason} (status ${status}).`);
}

/** Parses a body against the contract. @throws HttpFailure `invalid` that names the first offense */
function parse<Value>(
  what: string,
  schema: z.ZodType<Value>,
  answer: { body: Uint8Array; etag: string | undefined },
): Tagged<Value> {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(answer.body));
  } catch (error) {
    throw new HttpFailure("invalid", `The service's ${what} is not JSON in UTF-8.`, error);
  }
  const result = schema.safeParse(json);
  if (result.success) return { ...answer, value: result.data };
  throw new HttpFailure("invalid", `The service's ${what} breaks the contract: ${firstIssue(result.error)}.`);
}
