// The storm service's HTTP client. Parses every body against the contract. An unchanged list (304) returns the same
// object as the last reading, so callers may compare by identity.
import type * as z from "zod";
import { feedsPath } from "../../shared/contract/action-names.ts";
import { FeedList } from "../../shared/contract/feed-health.ts";
import {
  DataServiceStatus,
  ErrorBody,
  historyLimit,
  LatestRevision,
  MrmsHistory,
  MrmsManifest,
  pageLimit,
  PlaceSearchResponse,
  RevisionPage,
  StormEventList,
} from "../../shared/contract/index.ts";
import { StoredSteps } from "../../shared/views/briefing-steps.ts";
import { maxStoredResponses, requestTimeoutMs } from "../platform/viewer-limits.ts";
import { ApiError, codeOfStatus, isAbort, isApiError } from "./service-errors.ts";

/** Every method throws ApiError, or the reason of the caller's own abort. */
export interface StormClient {
  listEvents(signal?: AbortSignal): Promise<StormEventList>;
  /** Returns the newest revisions, as many as the contract allows, in ascending sequence. */
  listRevisions(eventId: string, signal?: AbortSignal): Promise<MrmsHistory>;
  /**
   * Returns the newest revisions before a sequence, or of all, with what each did. Another service of the contract has
   * no such list: `not-found` or `unreadable`.
   */
  listEarlierRevisions(
    eventId: string,
    page: { readonly before?: number; readonly limit?: number },
    signal?: AbortSignal,
  ): Promise<RevisionPage>;
  /** Returns the newest revision; undefined if the event has none. Only our own services know. */
  findLatest(eventId: string, signal?: AbortSignal): Promise<LatestRevision | undefined>;
  getRevisionManifest(eventId: string, revisionId: string, signal?: AbortSignal): Promise<MrmsManifest>;
  /** Returns the steps of an event's briefing. Only our own services have them, and no public one: `not-found`. */
  getSteps(eventId: string, signal?: AbortSignal): Promise<StoredSteps>;
  getDataStatus(signal?: AbortSignal): Promise<DataServiceStatus>;
  searchPlaces(query: string, signal?: AbortSignal): Promise<PlaceSearchResponse>;
  listFeeds(signal?: AbortSignal): Promise<FeedList>;
}

export interface StormClientOptions {
  readonly fetch: typeof fetch;
  readonly timeoutMs?: number;
}

/** A response that can be revalidated with `If-None-Match`. */
interface StoredResponse {
  readonly etag: string;
  readonly value: unknown;
}

export function createStormClient(options: StormClientOptions): StormClient {
  const timeoutMs = options.timeoutMs ?? requestTimeoutMs;
  const stored = new Map<string, StoredResponse>();

  async function send(
    path: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      return await options.fetch(path, {
        headers: { accept: "application/json", ...headers },
        cache: "no-store",
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
    } catch (error) {
      throw toApiError(error, path, signal);
    }
  }

  /** Reads a response of which nothing is stored. */
  async function read<T>(path: string, schema: z.ZodType<T>, signal?: AbortSignal): Promise<T> {
    return parseBody(await send(path, {}, signal), schema, path, signal);
  }

  async function revalidate<T>(path: string, schema: z.ZodType<T>, signal?: AbortSignal): Promise<T> {
    const known = stored.get(path);
    const response = await send(path, known ? { "if-none-match": known.etag } : {}, signal);
    // The same path always has the same schema.
    if (response.status === 304 && known) return known.value as T;
    const value = await parseBody(response, schema, path, signal);
    store(path, response.headers.get("etag"), value);
    return value;
  }

  function store(path: string, etag: string | null, value: unknown): void {
    stored.delete(path);
    if (etag === null) return;
    stored.set(path, { etag, value });
    const oldest = stored.keys().next().value;
    if (stored.size > maxStoredResponses && oldest !== undefined) stored.delete(oldest);
  }

  const eventPath = (eventId: string): string => `/v1/storm-events/${encodeURIComponent(eventId)}`;

  return {
    listEvents: (signal) => revalidate("/v1/storm-events", StormEventList, signal),
    listRevisions: (eventId, signal) =>
      revalidate(`${eventPath(eventId)}/revisions?limit=${historyLimit.max}`, MrmsHistory, signal),
    listEarlierRevisions: (eventId, { before, limit }, signal) => {
      const path = `/app/events/${encodeURIComponent(eventId)}/revisions`;
      const query = new URLSearchParams();
      if (before !== undefined) query.set("before", String(before));
      query.set("limit", String(limit ?? pageLimit.max));
      // Only the newest page is read again while nothing changes.
      const get = before === undefined ? revalidate : read;
      return get(`${path}?${query}`, RevisionPage, signal);
    },
    findLatest: async (eventId, signal) => {
      try {
        const path = `/app/events/${encodeURIComponent(eventId)}/latest`;
        return await revalidate(path, LatestRevision, signal);
      } catch (error) {
        if (isApiError(error) && error.code === "not-found") return undefined;
        throw error;
      }
    },
    getRevisionManifest: (eventId, revisionId, signal) =>
      read(
        `${eventPath(eventId)}/revisions/${encodeURIComponent(revisionId)}/manifest`,
        MrmsManifest,
        signal,
      ),
    getSteps: (eventId, signal) =>
      revalidate(`/app/events/${encodeURIComponent(eventId)}/steps`, StoredSteps, signal),
    getDataStatus: (signal) => read("/v1/data/status", DataServiceStatus, signal),
    searchPlaces: (query, signal) =>
      read(`/v1/places/search?q=${encodeURIComponent(query)}`, PlaceSearchResponse, signal),
    listFeeds: (signal) => revalidate(feedsPath, FeedList, signal),
  };
}

function toApiError(error: unknown, path: string, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted || isAbort(error)) return error;
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return new ApiError("timed-out", `The service did not answer ${path} in time.`, error);
  }
  return new ApiError("unreachable", `The service could not be reached for ${path}.`, error);
}

async function toRefusal(response: Response): Promise<ApiError> {
  const fallback = `The service answered ${response.status}.`;
  const text = await response.text().catch(() => "");
  return new ApiError(codeOfStatus(response.status), messageOfBody(text) ?? fallback);
}

/** Returns the message of a JSON error body; undefined for any other body. */
function messageOfBody(text: string): string | undefined {
  try {
    const parsed = ErrorBody.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data.message : undefined;
  } catch {
    return undefined;
  }
}

async function parseBody<T>(
  response: Response,
  schema: z.ZodType<T>,
  path: string,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (!response.ok) throw await toRefusal(response);
  let body: unknown;
  try {
    body = await response.json();
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new ApiError("unreadable", `The answer to ${path} is not JSON.`, error);
    }
    throw toApiError(error, path, signal);
  }
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue && issue.path.length > 0 ? ` at ${issue.path.join(".")}` : "";
  throw new ApiError(
    "unreadable",
    `The answer to ${path} breaks the contract${where}: ${issue?.message ?? "unknown error"}.`,
    parsed.error,
  );
}
