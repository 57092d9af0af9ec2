// Presets against a local server in the public forms: no such service can be reached from a test machine.
import { expect, onTestFinished, test } from "vitest";
import type { OverlayPreset } from "../../../shared/contract/overlays.ts";
import { openCatalog } from "../../catalog/sqlite/open-catalog.ts";
import { assumedFiles, draftOf, temporaryDirectory } from "../../catalog/support/drafts.ts";
import { sha256Of } from "../../platform/sha256.ts";
import { startScriptedOrigin, type Answer } from "../../support/scripted-origin.ts";
import { fetchPreset, toFetchedWords } from "./fetch-preset.ts";
import { presets, publicPresetAddresses } from "./presets.ts";

const now = new Date("2026-11-22T12:00:00Z");

async function openTrial() {
  const directory = await temporaryDirectory();
  const catalog = await openCatalog({ directory, now: () => now, files: assumedFiles(directory) });
  const origin = await startScriptedOrigin();
  onTestFinished(async () => {
    await catalog.close();
    await origin.stop();
  });
  await catalog.publish(draftOf("storm", { seconds: 0 }));
  await catalog.publish(draftOf("storm", { seconds: 600 }));
  const addresses = { nws: `${origin.url}/nws`, iem: `${origin.url}/iem` };
  const said: string[] = [];
  const waits: number[] = [];
  const effects = {
    now: () => now,
    random: () => 0.5,
    sleep: (ms: number) => {
      waits.push(ms);
      return Promise.resolve();
    },
  };
  const { signal } = new AbortController();
  const fetch = (preset: OverlayPreset, eventId = "storm") =>
    fetchPreset({
      ...{ eventId, preset, catalog, addresses, effects, signal },
      say: (message) => void said.push(message),
    });
  return { catalog, origin, fetch, said, waits };
}

const collection = (count: number): string =>
  JSON.stringify({
    type: "FeatureCollection",
    features: Array.from({ length: count }, () => ({ type: "Feature", geometry: null, properties: {} })),
  });
const okay =
  (text: string): Answer =>
  (_, response) => {
    response.writeHead(200, { "content-type": "application/geo+json" }).end(text);
  };

test("reports are asked by window and bounds, and kept byte for byte with their source and hash", async () => {
  const { catalog, origin, fetch } = await openTrial();
  const text = collection(3);
  origin.answer("/iem/geojson/lsr.geojson", okay(text));
  const fetched = await fetch("iem-reports");
  const { target, rawHeaders } = origin.seen("/iem/geojson/lsr.geojson")[0]!;
  expect(Object.fromEntries(new URL(target, origin.url).searchParams)).toEqual({
    ...{ sts: "2024-05-01T19:00:00Z", ets: "2024-05-01T21:10:00Z" },
    ...{ west: "-100.00", south: "30.00", east: "-90.00", north: "40.00" },
  });
  expect(rawHeaders.join(" ")).toContain("Echotop");
  const [overlay] = await catalog.listKeptOverlays("storm");
  expect(overlay).toMatchObject({
    ...{ name: "iem-reports", preset: "iem-reports", nature: "official", fetchedAt: now.toISOString() },
    ...{ from: "2024-05-01T19:00:00Z", to: "2024-05-01T21:10:00Z", sha256: sha256Of(Buffer.from(text)) },
    source: `${origin.url}${target}`,
  });
  expect(Buffer.from((await catalog.readKeptOverlay("storm", overlay!.sha256))!).toString("utf8")).toBe(text);
  expect(toFetchedWords(fetched)).toBe("Local storm reports (IEM archive): 3 shapes kept with the event.");
});

test("warnings and alerts are asked by the event's window with their own rules", async () => {
  const { origin, fetch } = await openTrial();
  origin.answer("/iem/geojson/sbw.geojson", okay(collection(1)));
  origin.answer("/nws/alerts", okay(collection(2)));
  await fetch("iem-warnings");
  await fetch("nws-alerts");
  const queryOf = (path: string) =>
    Object.fromEntries(new URL(origin.seen(path)[0]!.target, origin.url).searchParams);
  expect(queryOf("/iem/geojson/sbw.geojson")).toEqual({
    sts: "2024-05-01T20:00:00Z",
    ets: "2024-05-01T20:10:00Z",
  });
  expect(queryOf("/nws/alerts")).toEqual({
    ...{ start: "2024-05-01T14:00:00Z", end: "2024-05-01T20:10:00Z", status: "actual", limit: "500" },
    event: "Tornado Warning,Severe Thunderstorm Warning,Flash Flood Warning,Special Marine Warning",
  });
});

test("a second fetch replaces other bytes and says so; the same ones change nothing", async () => {
  const { catalog, origin, fetch } = await openTrial();
  const path = "/iem/geojson/sbw.geojson";
  origin.answer(path, okay(collection(1)));
  const first = await fetch("iem-warnings");
  expect((await fetch("iem-warnings")).outcome).toBe("unchanged");
  origin.answer(path, okay(collection(2)));
  const second = await fetch("iem-warnings");
  expect(second.outcome).toBe("replaced");
  expect(second.overlay.sha256).not.toBe(first.overlay.sha256);
  expect(toFetchedWords(second)).toContain("they were replaced");
  expect(await catalog.listKeptOverlays("storm")).toEqual([second.overlay]);
});

test("a busy service is asked again after the time that it names, but not for ever", async () => {
  const { origin, fetch, waits, said } = await openTrial();
  let asked = 0;
  origin.answer("/nws/alerts", (_, response) => {
    asked += 1;
    if (asked < 3) response.writeHead(429, { "retry-after": "30" }).end();
    else response.end(collection(1));
  });
  expect((await fetch("nws-alerts")).outcome).toBe("new");
  expect(waits.every((ms) => ms >= 30_000)).toBe(true);
  expect(said).toContain("Asking the National Weather Service.");
  origin.answer("/nws/alerts", (_, response) => response.writeHead(429, { "retry-after": "1" }).end());
  await expect(fetch("nws-alerts")).rejects.toMatchObject({ code: "upstream-rate-limited" });
  expect(origin.seen("/nws/alerts")).toHaveLength(6);
});

test.each<[string, Answer]>([
  ["a page", okay("<html>Try later</html>")],
  ["another JSON", okay('{"type":"Feature"}')],
  ["broken UTF-8", (_, response) => response.end(Buffer.from([0x7b, 0xff]))],
  ["as many as the service gives at most", okay(collection(500))],
  ["nothing there", (_, response) => response.writeHead(404).end()],
])("an answer of %s keeps nothing", async (_, answer) => {
  const { catalog, origin, fetch } = await openTrial();
  origin.answer("/nws/alerts", answer);
  await expect(fetch("nws-alerts")).rejects.toMatchObject({ code: "upstream-unavailable" });
  expect(await catalog.listKeptOverlays("storm")).toEqual([]);
});

test("synthetic, empty and unknown events have no official overlays, and nothing is asked for them", async () => {
  const { catalog, origin, fetch } = await openTrial();
  const draft = draftOf("demo", {});
  await catalog.publish({ ...draft, event: { id: "demo", label: "Demo", origin: "synthetic" } });
  await expect(fetch("iem-warnings", "demo")).rejects.toMatchObject({ code: "conflict" });
  await expect(fetch("iem-warnings", "gone")).rejects.toMatchObject({ code: "not-found" });
  expect(origin.seen("/iem/geojson/sbw.geojson")).toEqual([]);
});

test("the public addresses are those of the documentation", () => {
  const window = { fromMs: Date.UTC(2024, 4, 26, 20), toMs: Date.UTC(2024, 4, 26, 21), bounds: null };
  expect(presets["iem-warnings"].toUrl(publicPresetAddresses, window)).toBe(
    "https://mesonet.agron.iastate.edu/geojson/sbw.geojson?sts=2024-05-26T20%3A00%3A00Z&ets=2024-05-26T21%3A00%3A00Z",
  );
});
