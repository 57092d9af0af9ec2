// The public services of the presets: their addresses for an event's window, after their documentation. No such server
// can be reached from a test machine, so tests answer from a local one in the public forms.
//
// - National Weather Service, https://www.weather.gov/documentation/services-web-api: `/alerts` takes `start`, `end`,
//   `status`, `event` and `limit` (500 at most), answers GeoJSON, keeps about a week, and wants a User-Agent with the
//   name of the program.
// - Iowa Environmental Mesonet, https://mesonet.agron.iastate.edu/api/: `geojson/sbw.geojson` takes `sts` and `ets`,
//   and returns storm-based warnings as issued that were valid in between; `geojson/lsr.geojson` takes `sts`, `ets`,
//   `west`, `south`, `east`, `north`, and returns at most 10,000 local storm reports.
import type { OverlayPreset } from "../../../shared/contract/overlays.ts";
import type { Bounds } from "../../../shared/contract/primitives.ts";

/** Base addresses of the services, without a slash at the end. */
export type PresetAddresses = Readonly<Record<"nws" | "iem", string>>;

export const publicPresetAddresses: PresetAddresses = {
  nws: "https://api.weather.gov",
  iem: "https://mesonet.agron.iastate.edu",
};

export interface PresetWindow {
  /** First and last observed time of the event. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly bounds: Bounds | null;
}

export interface Preset {
  readonly title: string;
  readonly server: string;
  /** Time before the first and after the last observation that belongs to the window. */
  readonly beforeMs: number;
  readonly afterMs: number;
  /** Most features of an answer: one with as many may be cut. */
  readonly mostFeatures: number | undefined;
  /** `window` has the added times. */
  readonly toUrl: (addresses: PresetAddresses, window: PresetWindow) => string;
}

const minuteMs = 60_000;

const alertEvents = [
  "Tornado Warning",
  "Severe Thunderstorm Warning",
  "Flash Flood Warning",
  "Special Marine Warning",
];

export const presets: Readonly<Record<OverlayPreset, Preset>> = {
  "nws-alerts": {
    title: "NWS alerts",
    server: "the National Weather Service",
    // The longest of these warnings last six hours.
    beforeMs: 6 * 60 * minuteMs,
    afterMs: 0,
    mostFeatures: 500,
    toUrl: ({ nws }, { fromMs, toMs }) =>
      withQuery(`${nws}/alerts`, {
        start: toSeconds(fromMs),
        end: toSeconds(toMs),
        status: "actual",
        event: alertEvents.join(","),
        limit: "500",
      }),
  },
  "iem-warnings": {
    title: "Storm-based warnings (IEM archive)",
    server: "the Iowa Environmental Mesonet",
    beforeMs: 0,
    afterMs: 0,
    mostFeatures: undefined,
    // The service selects by validity, and knows no bounds.
    toUrl: ({ iem }, { fromMs, toMs }) =>
      withQuery(`${iem}/geojson/sbw.geojson`, { sts: toSeconds(fromMs), ets: toSeconds(toMs) }),
  },
  "iem-reports": {
    title: "Local storm reports (IEM archive)",
    server: "the Iowa Environmental Mesonet",
    // A report is shown for up to an hour after it, and compared with pictures around it.
    beforeMs: 60 * minuteMs,
    afterMs: 60 * minuteMs,
    mostFeatures: 10_000,
    toUrl: ({ iem }, { fromMs, toMs, bounds }) =>
      withQuery(`${iem}/geojson/lsr.geojson`, {
        sts: toSeconds(fromMs),
        ets: toSeconds(toMs),
        ...(bounds && toSides(bounds)),
      }),
  },
};

/** Writes an instant as both services take it, in whole seconds. */
function toSeconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Edges two decimals outward. */
function toSides([west, south, east, north]: Bounds): Record<string, string> {
  const down = (degrees: number): string => (Math.floor(degrees * 100) / 100).toFixed(2);
  const up = (degrees: number): string => (Math.ceil(degrees * 100) / 100).toFixed(2);
  return { west: down(west), south: down(south), east: up(east), north: up(north) };
}

function withQuery(address: string, query: Readonly<Record<string, string>>): string {
  return `${address}?${new URLSearchParams(query).toString()}`;
}
