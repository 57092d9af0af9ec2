// Place search by a Nominatim-compatible upstream. The upstream is not trusted: its answer is limited in time and size,
// checked against a schema, and only places reach a client.
import * as z from "zod";
import { AppError, isAppError } from "../../../../shared/app-error.ts";
import { createBoundedCache } from "../../../platform/caches/bounded-cache.ts";
import { maxPlaceResults, upstreamLimits } from "../storm-limits.ts";
import type { FoundPlace, FoundPlaces, PlaceProvider } from "./place-provider.ts";

export interface NominatimOptions {
  /** Base URL of `search`. */
  readonly upstream: string;
  /** The current instant. */
  readonly now: () => Date;
  readonly timeoutMs?: number;
}

/** Nominatim's usage policy requires a recognizable name. */
const userAgent = "Echotop (desktop MRMS storm viewer)";

/** Attribution if the upstream gives none. */
const defaultAttribution = "© OpenStreetMap contributors, ODbL";

/** Decimal degrees, usually as text. */
const Degrees = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d{1,3}(?:\.\d+)?$/)
    .transform(Number),
]);

/** Used members of a `jsonv2` result; `boundingbox` is south, north, west, east. */
const Result = z.object({
  place_id: z.union([z.number(), z.string()]).optional(),
  osm_type: z.string().optional(),
  osm_id: z.union([z.number(), z.string()]).optional(),
  lat: Degrees.pipe(z.number().min(-90).max(90)),
  lon: Degrees.pipe(z.number().min(-180).max(180)),
  display_name: z.string().min(1).max(1_000),
  name: z.string().max(500).optional(),
  addresstype: z.string().max(100).optional(),
  licence: z.string().max(500).optional(),
  boundingbox: z.tuple([Degrees, Degrees, Degrees, Degrees]).optional(),
  address: z.object({ country_code: z.string().optional() }).optional(),
});
type Result = z.infer<typeof Result>;

const Results = z.array(Result).max(100);

/** Country codes of U.S. places: the territories have their own. */
const countryCodes = ["us", "pr", "gu", "vi", "as", "mp"];

export function createNominatim({
  upstream,
  now,
  timeoutMs = upstreamLimits.timeoutMs,
}: NominatimOptions): PlaceProvider {
  const closing = new AbortController();
  const cache = createBoundedCache<{ places: FoundPlaces; untilMs: number }>(upstreamLimits.cachedAnswers);
  const underWay = new Map<string, Promise<FoundPlaces>>();
  const ask = async (query: string): Promise<FoundPlaces> => {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)]);
    const places = toFoundPlaces(await fetchResults(toSearchUrl(upstream, query), signal));
    cache.set(query, { places, untilMs: now().getTime() + upstreamLimits.cachedMs }, 1);
    return places;
  };
  return {
    async search(text) {
      const query = text.trim().replaceAll(/\s+/g, " ");
      if (query === "") return { attribution: defaultAttribution, results: [] };
      const cached = cache.get(query);
      if (cached && cached.untilMs > now().getTime()) return cached.places;
      const running = underWay.get(query);
      if (running) return running;
      const asked = ask(query).finally(() => underWay.delete(query));
      underWay.set(query, asked);
      return asked;
    },
    close() {
      closing.abort();
      return Promise.resolve();
    },
  };
}

function toSearchUrl(upstream: string, query: string): URL {
  const url = new URL("search", upstream.endsWith("/") ? upstream : `${upstream}/`);
  url.search = new URLSearchParams({
    q: query,
    format: "jsonv2",
    addressdetails: "1",
    countrycodes: countryCodes.join(","),
    limit: String(maxPlaceResults),
    "accept-language": "en",
  }).toString();
  return url;
}

async function fetchResults(url: URL, signal: AbortSignal): Promise<Result[]> {
  try {
    const response = await fetch(url, {
      signal,
      headers: { accept: "application/json", "user-agent": userAgent },
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw response.status === 429
        ? new AppError("upstream-rate-limited", "The place provider limits searches.")
        : unavailable(`answered with status ${response.status}`);
    }
    return Results.parse(JSON.parse(await readText(response)));
  } catch (error) {
    if (isAppError(error)) throw error;
    throw unavailable("did not give a usable answer", error);
  }
}

function unavailable(what: string, cause?: unknown): AppError {
  return new AppError("upstream-unavailable", `The place provider ${what}.`, { cause });
}

/** Returns the body as text. Throws `upstream-unavailable` if it is too long. */
async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let byteLength = 0;
  for await (const chunk of response.body ?? []) {
    byteLength += chunk.byteLength;
    if (byteLength > upstreamLimits.answerBytes) throw unavailable("sent more than it may");
    chunks.push(chunk);
  }
  return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
}

function toFoundPlaces(results: readonly Result[]): FoundPlaces {
  const inCountry = results.filter(
    ({ address }) => address?.country_code === undefined || countryCodes.includes(address.country_code),
  );
  return {
    attribution: results.find(({ licence }) => licence !== undefined)?.licence ?? defaultAttribution,
    results: inCountry.slice(0, maxPlaceResults).map(toPlace),
  };
}

function toPlace(result: Result, index: number): FoundPlace {
  const [first, ...rest] = result.display_name.split(", ");
  const label = result.name === undefined || result.name === "" ? first! : result.name;
  const bounds = toBounds(result.boundingbox);
  return {
    id: toId(result, index),
    label,
    context: label === first ? rest.join(", ") : result.display_name,
    coordinate: [result.lon, result.lat],
    ...(bounds && { bounds }),
    ...(result.addresstype !== undefined && { kind: result.addresstype }),
  };
}

function toId({ osm_type: type, osm_id: osmId, place_id: placeId }: Result, index: number): string {
  if (type !== undefined && osmId !== undefined) return `osm:${type}/${osmId}`;
  return placeId === undefined ? `result:${index}` : `nominatim:${placeId}`;
}

/** Returns the southwest and northeast corners; undefined if the upstream's box is not valid. */
function toBounds(box: Result["boundingbox"]): FoundPlace["bounds"] {
  if (!box) return undefined;
  const [south, north, west, east] = box;
  const isBox = south >= -90 && north <= 90 && south <= north && west >= -180 && east <= 180 && west <= east;
  return isBox
    ? [
        [west, south],
        [east, north],
      ]
    : undefined;
}
