import { expect, test } from "vitest";
import type { OverlayContent, OverlayShape } from "./overlay.ts";
import { chooseTimeRule, TimedShapes, type PictureTime } from "./time-rule.ts";

const minuteMs = 60_000;
const at = (clock: string): number => Date.parse(`2026-05-20T${clock}Z`);
const then = (clock: string): PictureTime => ({ observedMs: at(clock), isNow: false });
const now = (clock: string): PictureTime => ({ observedMs: at(clock), isNow: true });

function shape(label: string, from?: string, to?: string): OverlayShape {
  return {
    geometry: { type: "Point", coordinates: [-97, 35] },
    label,
    fromMs: from === undefined ? undefined : at(from),
    toMs: to === undefined ? undefined : at(to),
  };
}

const report = (label: string, clock: string): OverlayShape => shape(label, clock, clock);
const labels = (shapes: readonly OverlayShape[]): unknown[] => shapes.map(({ label }) => label);

const warnings = [
  shape("early", "21:00:00", "21:30:00"),
  shape("valid", "21:20:00", "22:00:00"),
  shape("open", "21:25:00"),
  shape("later", "21:40:00", "22:15:00"),
];

test("a shape is valid between its times, both included", () => {
  const timed = new TimedShapes(warnings, "always");
  const shown = (clock: string): unknown[] => labels(timed.show({ kind: "valid-at" }, then(clock)).shapes);
  expect(shown("20:59:59")).toEqual([]);
  expect(shown("21:00:00")).toEqual(["early"]);
  expect(shown("21:30:00")).toEqual(["early", "valid", "open"]);
  expect(shown("21:30:01")).toEqual(["valid", "open"]);
  expect(shown("22:00:00")).toEqual(["valid", "open", "later"]);
  expect(shown("23:00:00")).toEqual(["open"]);
});

test("shapes that begin later are counted, and the span of those shown is told", () => {
  const timed = new TimedShapes(warnings, "always");
  const { laterHidden, span } = timed.show({ kind: "valid-at" }, then("21:10:00"));
  expect(laterHidden).toBe(3);
  expect(span).toEqual({ fromMs: at("21:00:00"), toMs: at("21:30:00") });
  expect(timed.show({ kind: "valid-at" }, then("20:00:00")).span).toBeUndefined();
});

test("reports count within the minutes before the observed time, never after it", () => {
  const timed = new TimedShapes(
    [
      report("old", "21:19:38"),
      report("first", "21:19:39"),
      report("last", "21:34:39"),
      report("later", "21:34:40"),
    ],
    "always",
  );
  const shown = timed.show({ kind: "within", minutes: 15 }, then("21:34:39"));
  expect(labels(shown.shapes)).toEqual(["first", "last"]);
  expect(shown.laterHidden).toBe(1);
  expect(shown.span).toEqual({ fromMs: at("21:19:39"), toMs: at("21:34:39") });
  expect(labels(timed.show({ kind: "within", minutes: 30 }, then("21:34:39")).shapes)).toEqual([
    "old",
    "first",
    "last",
  ]);
});

test("an overlay of the present is hidden from a picture of the past", () => {
  const timed = new TimedShapes([shape("mark"), shape("other")], "now");
  expect(timed.show({ kind: "now" }, then("21:34:00"))).toMatchObject({ shapes: [], heldBack: 2 });
  expect(timed.show({ kind: "now" }, now("21:34:00"))).toMatchObject({ shapes: { length: 2 }, heldBack: 0 });
});

test("shapes without times in an address are of the present, in a file of every time", () => {
  const shapes = [shape("bare"), shape("timed", "21:00:00", "22:00:00")];
  const ofAddress = new TimedShapes(shapes, "now");
  expect(ofAddress.show({ kind: "valid-at" }, then("21:34:00"))).toMatchObject({
    shapes: [{ label: "timed" }],
    heldBack: 1,
  });
  expect(ofAddress.show({ kind: "valid-at" }, now("21:34:00")).shapes).toHaveLength(2);
  const ofFile = new TimedShapes(shapes, "always");
  expect(labels(ofFile.show({ kind: "valid-at" }, then("23:00:00")).shapes)).toEqual(["bare"]);
});

test("the array stays the same while the set does", () => {
  const timed = new TimedShapes(warnings, "always");
  const rule = { kind: "valid-at" } as const;
  const { shapes } = timed.show(rule, then("21:26:00"));
  expect(timed.show(rule, then("21:28:00")).shapes).toBe(shapes);
  expect(timed.show(rule, then("21:30:01")).shapes).not.toBe(shapes);
  const empty = timed.show(rule, then("10:00:00")).shapes;
  expect(timed.show({ kind: "within", minutes: 15 }, then("11:00:00")).shapes).toBe(empty);
});

test("every rule agrees with a plain filter at every instant", () => {
  let seed = 17;
  const random = (most: number): number => (seed = (seed * 48_271) % 2_147_483_647) % most;
  const shapes = Array.from({ length: 60 }, (_, index): OverlayShape => {
    const fromMs = random(5) === 0 ? undefined : random(100) * minuteMs;
    const toMs = random(5) === 0 ? undefined : (fromMs ?? 0) + random(40) * minuteMs;
    return { geometry: { type: "Point", coordinates: [0, 0] }, label: String(index), fromMs, toMs };
  });
  const timed = new TimedShapes(shapes, "always");
  for (let step = 0; step < 2_000; step += 1) {
    const observedMs = random(150) * minuteMs + random(3) - 1;
    const minutes = ([0, 15, 30, 60] as const)[random(4)]!;
    const rule = minutes === 0 ? ({ kind: "valid-at" } as const) : ({ kind: "within", minutes } as const);
    const expected = shapes.filter(
      ({ fromMs = -Infinity, toMs = Infinity }) =>
        fromMs <= observedMs && toMs >= observedMs - minutes * minuteMs,
    );
    expect(labels(timed.show(rule, { observedMs, isNow: false }).shapes)).toEqual(labels(expected));
  }
});

test("the rule follows from the content until a person chooses", () => {
  const content = (shapes: readonly OverlayShape[]): OverlayContent => ({
    format: "geojson",
    shapes,
    notes: [],
  });
  const warning = { kind: "tornado", title: "Tornado Warning" } as const;
  expect(chooseTimeRule(content([{ ...report("w", "21:00:00"), warning }]), "now")).toEqual({
    kind: "valid-at",
  });
  expect(chooseTimeRule(content(warnings), "now")).toEqual({ kind: "valid-at" });
  expect(chooseTimeRule(content([report("a", "21:00:00"), shape("b")]), "now")).toEqual({
    kind: "within",
    minutes: 15,
  });
  expect(chooseTimeRule(content([shape("a")]), "always")).toEqual({ kind: "always" });
  expect(chooseTimeRule(content([shape("a")]), "now")).toEqual({ kind: "now" });
});
