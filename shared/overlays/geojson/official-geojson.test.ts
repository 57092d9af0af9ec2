import { expect, test } from "vitest";
import { readGeoJson } from "./geojson-overlay.ts";

const ring = [
  [-97.6, 35.1],
  [-97.2, 35.1],
  [-97.2, 35.4],
  [-97.6, 35.1],
];
const polygon = { type: "Polygon", coordinates: [ring] };
const read = (...features: unknown[]) =>
  readGeoJson({
    name: "alerts.json",
    text: JSON.stringify({ type: "FeatureCollection", title: "Alerts", features }),
  });
const at = (clock: string): number => Date.parse(`2026-05-20T${clock}Z`);

const tornado = {
  type: "Feature",
  geometry: polygon,
  properties: {
    event: "Tornado Warning",
    status: "Actual",
    messageType: "Alert",
    severity: "Extreme",
    sent: "2026-05-20T16:20:00-05:00",
    effective: "2026-05-20T16:20:00-05:00",
    onset: "2026-05-20T16:20:00-05:00",
    expires: "2026-05-20T17:00:00-05:00",
    ends: null,
    senderName: "NWS Norman OK",
    headline: "Tornado Warning issued May 20 at 4:20PM CDT",
    description: "At 420 PM CDT, a severe thunderstorm\nwas located near Norman.\u0007\u202e",
  },
};
const changed = (properties: object, geometry: unknown = polygon): unknown => ({
  ...tornado,
  geometry,
  properties: { ...tornado.properties, ...properties },
});

test("an alert of the National Weather Service is a warning from its onset to its end", () => {
  const { format, title, shapes } = read(tornado);
  expect({ format, title }).toEqual({ format: "nws-alerts", title: "Alerts" });
  expect(shapes).toEqual([
    {
      geometry: polygon,
      label: "Tornado Warning",
      fromMs: at("21:20"),
      toMs: at("22:00"),
      warning: { kind: "tornado", title: "Tornado Warning", office: "NWS Norman OK" },
      text: "Tornado Warning issued May 20 at 4:20PM CDT\n\nAt 420 PM CDT, a severe thunderstorm\nwas located near Norman.",
    },
  ]);
});

test.each(["constructor", "__proto__", "toString"])("an alert for %s is one of another kind", (event) => {
  const [shape] = read(changed({ event })).shapes;
  expect(shape!.warning).toEqual({ kind: "other", title: event, office: "NWS Norman OK" });
});

test("an alert ends where an update or a cancellation replaced it, and begins when it was sent", () => {
  const sent = (clock: string): object => ({ sent: `2026-05-20T${clock}:00Z`, effective: null });
  const { shapes, notes } = read(
    changed({ id: "one", onset: "2026-05-20T21:20:00Z" }),
    changed({ ...sent("21:40"), id: "two", messageType: "Update", references: [{ identifier: "one" }] }),
    changed({ ...sent("21:50"), messageType: "Cancel", references: [{ identifier: "two" }] }),
    changed({ id: "three", replacedAt: "2026-05-20T16:45:00-05:00" }),
    changed({ ...sent("21:30"), status: "Test", references: [{ identifier: "three" }] }),
  );
  expect(shapes.map(({ fromMs, toMs }) => [fromMs, toMs])).toEqual([
    [at("21:20"), at("21:40")],
    [at("21:40"), at("21:50")],
    [at("21:20"), at("21:45")],
  ]);
  expect(notes).toContain("Alerts end where an update or a cancellation replaced them (3).");
});

test("a watch lasts until it ends, not until its message expires", () => {
  const [watch] = read(changed({ event: "Tornado Watch", ends: "2026-05-21T03:00:00Z" })).shapes;
  expect(watch).toMatchObject({ toMs: Date.parse("2026-05-21T03:00Z"), warning: { kind: "other" } });
});

test("alerts without a polygon, tests, cancellations and alerts without times are told, not drawn", () => {
  const { shapes, notes } = read(
    changed({}, null),
    changed({ status: "Test" }),
    changed({ messageType: "Cancel" }),
    changed({ expires: null }),
    changed(
      { event: "Severe Thunderstorm Warning" },
      { type: "MultiPolygon", coordinates: [[ring], [ring]] },
    ),
  );
  expect(shapes.map(({ warning }) => warning!.kind)).toEqual(["severe-thunderstorm", "severe-thunderstorm"]);
  expect(notes).toEqual([
    "Warnings without a polygon, for whole counties or zones, are not drawn.",
    "Tests and exercises are not drawn.",
    "Cancellations are not drawn.",
    "Warnings without the times of their validity are left out.",
  ]);
});

test("archived storm-based warnings have a polygon for each of their updates", () => {
  const row = (properties: object): unknown => ({
    type: "Feature",
    id: "OUN.SV.W.0123",
    geometry: { type: "MultiPolygon", coordinates: [[ring]] },
    properties: {
      status: "NEW",
      phenomena: "SV",
      significance: "W",
      wfo: "OUN",
      eventid: 123,
      issue: "2026-05-20T21:00:00Z",
      expire: "2026-05-20T22:00:00Z",
      polygon_begin: "2026-05-20T21:00:00Z",
      polygon_end: "2026-05-20T21:30:00Z",
      hailtag: "1.75",
      windtag: 60,
      href: "https://example.org/",
      ...properties,
    },
  });
  const { format, shapes, notes } = read(
    row({}),
    row({ status: "CON", polygon_begin: "2026-05-20T21:30:00Z", polygon_end: "2026-05-20T22:00:00Z" }),
    row({ status: "CAN", polygon_begin: "2026-05-20T22:00:00Z" }),
    row({ phenomena: "TO", ps: "Tornado Warning", polygon_begin: undefined, polygon_end: undefined }),
  );
  expect(format).toBe("warnings");
  expect(shapes.map(({ fromMs, toMs, warning }) => [fromMs, toMs, warning!.kind])).toEqual([
    [at("21:00"), at("21:30"), "severe-thunderstorm"],
    [at("21:30"), at("22:00"), "severe-thunderstorm"],
    [at("21:00"), at("22:00"), "tornado"],
  ]);
  expect(shapes[0]).toMatchObject({
    label: "Severe Thunderstorm Warning",
    text: "Severe Thunderstorm Warning 123\nNWS OUN\nHail 1.75 in\nWind 60 mph",
    warning: { office: "OUN" },
  });
  expect(notes).toHaveLength(1);
});

test("codes that nobody knows are plain, short words", () => {
  const properties = {
    ...{ wfo: "OUN", phenomena: "constructor", significance: `<b>\u202e${"W".repeat(99)}` },
    ...{ issue: "2026-05-20T21:00:00Z", expire: "2026-05-20T22:00:00Z" },
  };
  const [shape] = read({ type: "Feature", geometry: polygon, properties }).shapes;
  expect(shape!.label).toBe(`constructor ${"W".repeat(67)}…`);
});

test("the codes of the archive's files in upper case are read too", () => {
  const { shapes } = read({
    type: "Feature",
    geometry: polygon,
    properties: {
      WFO: "OUN",
      PHENOM: "FF",
      SIG: "W",
      STATUS: "NEW",
      ISSUED: "202605202100",
      EXPIRED: "202605202200",
    },
  });
  expect(shapes).toMatchObject([
    {
      fromMs: at("21:00"),
      toMs: at("22:00"),
      warning: { kind: "flash-flood", title: "Flash Flood Warning" },
    },
  ]);
});
