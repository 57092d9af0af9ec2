// The storm service over HTTP. Every body is parsed against the contract; a list that has not changed (304) is answered
// with the very object of the last reading, so that a caller may compare by identity.
import type * as z from "zod";
import { feedsPath } from "../../shared/contract/action-names.ts";
import { FeedList } from "../../shared/contract/feed-health.ts";
import {
  DataServiceStatus,
  ErrorBody,
  historyLimit,
  MrmsHistory,
  MrmsManifest,
  PlaceSearchResponse,
  StormEventList,
} from "../../shared/contract/index.ts";
import { maxStoredResponses, requestTimeoutMs } from "../platform/viewer-limits.ts";
import { ApiError, codeOfStatus, isAbort } from "./service-errors.ts";

/** All of them throw ApiError; an abort by the caller's signal is passed through as it is. */
export interface StormClient {
  listEvents(signal?: AbortSignal): Promise<StormEventList>;
  /** The newest revisions, as many as the contract allows, in ascending sequence. */
  listRevisions(eventId: string, signal?: AbortSignal): Promise<MrmsHistory>;
  getRevisionManifest(eventId: string, revisionId: string, signal?: AbortSignal): Promise<MrmsManifest>;
  getDataStatus(signal?: AbortSignal): Promise<DataServiceStatus>;
  searchPlaces(query: string, signal?: AbortSignal): Promise<PlaceSearchResponse>;
  /** How the host's feeds are. */
  listFeeds(signal?: AbortSignal): Promise<FeedList>;
}

export interface StormClientOptions {
  readonly fetch: typeof fetch;
  readonly timeoutMs?: number;
}

/** A reading that can be asked for again with `If-None-Match`. */
interface Remembered {
  readonly etag: string;
  readonly value: unknown;
}

export function createStormClient(options: StormClientOptions): StormClient {
  const timeoutMs = options.timeoutMs ?? requestTimeoutMs;
  const remembered = new Map<string, Remembered>();

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

  async function read<T>(path: string, schema: z.ZodType<T>, signal?: AbortSignal): Promise<T> {
    const response = await send(path, {}, signal);
    if (!response.ok) throw await toRefusal(response);
    return parseBody(response, schema, path, signal);
  }

  async function revalidate<T>(path: string, schema: z.ZodType<T>, signal?: AbortSignal): Promise<T> {
    const known = remembered.get(path);
    const response = await send(path, known ? { "if-none-match": known.etag } : {}, signal);
    // Only this function writes the map, under the same path and therefore with the same schema.
    if (response.status === 304 && known) return known.value as T;
    if (!response.ok) throw await toRefusal(response);
    const value = await parseBody(response, schema, path, signal);
    remember(path, response.headers.get("etag"), value);
    return value;
  }

  function remember(path: string, etag: string | null, value: unknown): void {
    remembered.delete(path);
    if (etag === null) return;
    remembered.set(path, { etag, value });
    const oldest = remembered.keys().next().value;
    if (remembered.size > maxStoredResponses && oldest !== undefined) remembered.delete(oldest);
  }

  const eventPath = (eventId: string): string => `/v1/storm-events/${encodeURIComponent(eventId)}`;

  return {
    listEvents: (signal) => revalidate("/v1/storm-events", StormEventList, signal),
    listRevisions: (eventId, signal) =>
      revalidate(`${eventPath(eventId)}/revisions?limit=${historyLimit.max}`, MrmsHistory, signal),
    getRevisionManifest: (eventId, revisionId, signal) =>
      read(
        `${eventPath(eventId)}/revisions/${encodeURIComponent(revisionId)}/manifest`,
        MrmsManifest,
        signal,
      ),
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

/** The sentence of a JSON error body; text/plain bodies and anything else have none that the viewer relies on. */
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
    `The answer to ${path} does not keep the contract${where}: ${issue?.message ?? "unknown fault"}.`,
    parsed.error,
  );
}
