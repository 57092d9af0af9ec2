// Fetches warnings or reports of an event's window from a public service, and keeps them with the event as they came.
import * as z from "zod";
import { AppError } from "../../../shared/app-error.ts";
import type { KeptOverlay, OverlayPreset } from "../../../shared/contract/overlays.ts";
import type { Catalog, EventRecord } from "../../catalog/catalog.ts";
import { parseInstant, toInstant } from "../../catalog/plans/instants.ts";
import type { Effects } from "../../platform/effects.ts";
import { backoffMs } from "../fetching/backoff.ts";
import { askAddress, AskFailure, type Fetched } from "./ask-address.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";
import { presets, publicPresetAddresses, type Preset, type PresetAddresses } from "./presets.ts";

export interface FetchPresetOptions {
  readonly eventId: string;
  readonly preset: OverlayPreset;
  readonly catalog: Pick<Catalog, "findEvent" | "listKeptOverlays" | "keepOverlay">;
  readonly addresses: PresetAddresses;
  readonly effects: Pick<Effects, "now" | "sleep" | "random">;
  readonly signal: AbortSignal;
  readonly say: (message: string) => void;
}

export interface FetchedPreset {
  readonly overlay: KeptOverlay;
  readonly outcome: "new" | "replaced" | "unchanged";
  /** Features of the file. */
  readonly count: number;
}

const attempts = 3;
const collectionForm = z.object({ type: z.literal("FeatureCollection"), features: z.array(z.unknown()) });

/**
 * @throws AppError `not-found` for an unknown event; `conflict` for one without observations, and for a synthetic one;
 * `upstream-unavailable`, `upstream-rate-limited`; the signal's reason
 */
export async function fetchPreset(options: FetchPresetOptions): Promise<FetchedPreset> {
  const { eventId, catalog, effects } = options;
  const preset = presets[options.preset];
  const event = await getObservedEvent(catalog, eventId);
  const fromMs = parseInstant(event.startedAt) - preset.beforeMs;
  const toMs = parseInstant(event.endedAt) + preset.afterMs;
  const source = preset.toUrl(options.addresses, { fromMs, toMs, bounds: event.bounds });
  const { bytes } = await askWithPatience(source, preset, options);
  const count = countFeatures(bytes, preset);
  const before = (await catalog.listKeptOverlays(eventId)).find(({ name }) => name === options.preset);
  const facts = {
    ...{ name: options.preset, title: preset.title, preset: options.preset },
    ...{ nature: "official" as const, source, fetchedAt: effects.now().toISOString() },
    ...{ from: toInstant(fromMs), to: toInstant(toMs) },
  };
  const overlay = await catalog.keepOverlay({ eventId, facts, bytes });
  const outcome = !before ? "new" : before.sha256 === overlay.sha256 ? "unchanged" : "replaced";
  return { overlay, outcome, count };
}

type ObservedEvent = EventRecord & { readonly startedAt: string; readonly endedAt: string };

/** @throws AppError `not-found`, `conflict` */
export async function getObservedEvent(
  catalog: Pick<Catalog, "findEvent">,
  eventId: string,
): Promise<ObservedEvent> {
  const event = await catalog.findEvent(eventId);
  if (!event) throw new AppError("not-found", `There is no event ${eventId}.`);
  if (event.origin === "synthetic") {
    throw new AppError("conflict", "This event is synthetic: no official warning or report belongs to it.");
  }
  const { startedAt, endedAt } = event;
  if (startedAt === null || endedAt === null) {
    throw new AppError("conflict", "This event has no window yet; fetch its data first.");
  }
  return { ...event, startedAt, endedAt };
}

async function askWithPatience(
  url: string,
  preset: Preset,
  { addresses, effects, signal, say }: FetchPresetOptions,
): Promise<Fetched> {
  // Only the configuration file can name an address inside this network, never a page.
  const guarded = createGuardedFetch({ allowPrivate: addresses !== publicPresetAddresses });
  try {
    for (let attempt = 1; ; attempt += 1) {
      say(`Asking ${preset.server}.`);
      try {
        const accept = "application/geo+json, application/json";
        return (await askAddress({ url, fetch: guarded.fetch, accept, signal }))!;
      } catch (error) {
        if (!(error instanceof AskFailure)) throw error;
        const { askedMs, message } = error;
        const failure = new AppError(
          askedMs === undefined ? "upstream-unavailable" : "upstream-rate-limited",
          `${preset.title} could not be fetched: ${message}`,
        );
        if (attempt === attempts || !error.isPassing) throw failure;
        const waitMs = backoffMs(attempt, { firstMs: 2_000, longestMs: 60_000, askedMs }, effects.random);
        say(`${message} Asking again in ${Math.ceil(waitMs / 1_000)} seconds.`);
        await effects.sleep(waitMs, signal);
      }
    }
  } finally {
    await guarded.close();
  }
}

/** Refuses what is not a collection, such as a page that says an error, and one that the service may have cut. */
function countFeatures(bytes: Uint8Array, { title, mostFeatures }: Preset): number {
  let count: number;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    count = collectionForm.parse(JSON.parse(text)).features.length;
  } catch (cause) {
    throw new AppError("upstream-unavailable", `${title}: the answer is not a GeoJSON collection.`, {
      cause,
    });
  }
  if (mostFeatures !== undefined && count >= mostFeatures) {
    const detail = `${title}: the service has ${mostFeatures} or more for this window, and would leave some out.`;
    throw new AppError("upstream-unavailable", detail);
  }
  return count;
}

export function toFetchedWords({ overlay: { title }, outcome, count }: FetchedPreset): string {
  const kept = `${title}: ${count === 1 ? "1 shape" : `${count.toLocaleString("en-US")} shapes`}`;
  if (outcome === "unchanged") return `${kept}, the same as before.`;
  return outcome === "new"
    ? `${kept} kept with the event.`
    : `${kept}, other ones than before; they were replaced.`;
}
