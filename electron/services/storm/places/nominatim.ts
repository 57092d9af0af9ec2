// Place search by a Nominatim-compatible upstream. The upstream is not trusted: its answer is bounded in time and size and
// checked against a schema, and nothing of it but the places reaches a client.
import * as z from "zod";
import { AppError, isAppError } from "../../../../shared/app-error.ts";
import { maxPlaceResults, upstreamLimits } from "../storm-limits.ts";
import type { FoundPlace, FoundPlaces, PlaceProvider } from "./place-provider.ts";

export interface NominatimOptions {
  /** The base URL; `search` is asked below it. */
  readonly upstream: string;
  /** The current instant. */
  readonly now: () => Date;
  readonly timeoutMs?: number;
}

/** Nominatim's usage policy asks for a name that can be recognised; version numbers change too often to help. */
const userAgent = "Echotop (desktop MRMS storm viewer)";

/** Where the upstream names no licence. */
const defaultAttribution = "© OpenStreetMap contributors, ODbL";

/** Decimal degrees, which the upstream writes as text. */
const Degrees = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d{1,3}(?:\.\d+)?$/)
    .transform(Number),
]);

/** The members of a `jsonv2` result that are used; `boundingbox` is south, north, west, east. */
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

/** Codes under which the upstream may file U.S. places: the country, and territories that it has as countries. */
const countryCodes = ["us", "pr", "gu", "vi", "as", "mp"];

interface Kept {
  readonly places: FoundPlaces;
  readonly untilMs: number;
}

export function createNominatim({
  upstream,
  now,
  timeoutMs = upstreamLimits.timeoutMs,
}: NominatimOptions): PlaceProvider {
  const closing = new AbortController();
  const kept = new Map<string, Kept>();
  const underWay = new Map<string, Promise<FoundPlaces>>();
  const ask = async (query: string): Promise<FoundPlaces> => {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)]);
    const places = toFoundPlaces(await fetchResults(toSearchUrl(upstream, query), signal));
    kept.set(query, { places, untilMs: now().getTime() + upstreamLimits.cachedMs });
    for (const oldest of kept.keys()) {
      if (kept.size <= upstreamLimits.cachedAnswers) break;
      kept.delete(oldest);
    }
    return places;
  };
  return {
    async search(text) {
      const query = text.trim().replaceAll(/\s+/g, " ");
      if (query === "") return { attribution: defaultAttribution, results: [] };
      const known = kept.get(query);
      if (known && known.untilMs > now().getTime()) return known.places;
      kept.delete(query);
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
      throw toRefusal(response.status);
    }
    return Results.parse(JSON.parse(await readText(response)));
  } catch (error) {
    if (isAppError(error)) throw error;
    throw unavailable("did not give a usable answer", error);
  }
}

function toRefusal(status: number): AppError {
  if (status !== 429) return unavailable(`answered with status ${status}`);
  return new AppError("upstream-rate-limited", "The place provider asks for fewer searches.");
}

function unavailable(what: string, cause?: unknown): AppError {
  return new AppError("upstream-unavailable", `The place provider ${what}.`, { cause });
}

/** The body as text. Throws `upstream-unavailable` as soon as it is longer than any honest answer. */
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

/** South-west and north-east corner; left out where the upstream's box is none. */
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
