// Windows and their layers: since when a layer stands, and which windows lack it.
import { describe, expect, test } from "vitest";
import type { ProductId } from "../contract/primitives.ts";
import {
  mostSwathWindows,
  toLayerWindows,
  toStandingLayers,
  toSwathWindows,
  type RevisionFacts,
} from "./window-layers.ts";

const names = { hail: "mrms-mesh", echo: "mrms-reflectivity" } as const;

/** `at` is minutes and seconds after 21:00; each layer is a name with the number of its frame. */
function revision(
  sequence: number,
  at: string,
  layers: Readonly<Partial<Record<keyof typeof names, number>>>,
): RevisionFacts {
  const observedAt = `2026-05-20T21:${at}Z`;
  return {
    sequence,
    observedAt,
    layers: Object.entries(layers).map(([name, frame]) => ({
      id: names[name as keyof typeof names] satisfies ProductId,
      observedAt,
      imageUrl: `/${name}/${frame}.png`,
    })),
  };
}

const history = [
  revision(1, "00:39", { hail: 1, echo: 1 }),
  revision(2, "02:39", { echo: 2 }),
  revision(3, "06:39", { hail: 3, echo: 3 }),
  revision(4, "02:39", { hail: 2, echo: 2 }),
  revision(5, "00:39", { hail: 1, echo: 9 }),
];

describe("standing layers", () => {
  test("stand since the revision that brought their frame, not since a later one of the same window", () => {
    const standing = toStandingLayers(history).map(
      ({ id, since, layer }) => `${id} ${since.sequence} ${layer?.imageUrl ?? "none"}`,
    );
    expect(standing).toEqual([
      "mrms-reflectivity 5 /echo/9.png",
      "mrms-mesh 1 /hail/1.png",
      "mrms-reflectivity 2 /echo/2.png",
      "mrms-mesh 4 /hail/2.png",
      "mrms-reflectivity 3 /echo/3.png",
      "mrms-mesh 3 /hail/3.png",
    ]);
  });

  test("that a window lacks have the time of the window, since the revision that published it so", () => {
    const standing = toStandingLayers(history.slice(0, 3)).filter(({ layer }) => !layer);
    expect(standing).toEqual([
      expect.objectContaining({ id: names.hail, observedAt: "2026-05-20T21:02:39Z", since: history[1] }),
    ]);
  });
});

describe("the windows of a swath", () => {
  const toWords = (revisions: readonly RevisionFacts[], fromMs?: number, toMs?: number): string[] =>
    toSwathWindows(toLayerWindows(revisions, names.hail, { fromMs, toMs })).map((window) =>
      "missing" in window ? `${window.missing.observedAt} ${window.missing.why}` : window.layer.imageUrl,
    );

  test("are every two minutes from the first to the last, with what is missing", () => {
    expect(toWords(history)).toEqual([
      "/hail/1.png",
      "/hail/2.png",
      "2026-05-20T21:04:00Z not-published",
      "/hail/3.png",
    ]);
    expect(toWords(history.slice(0, 3))).toEqual([
      "/hail/1.png",
      "2026-05-20T21:02:39Z not-delivered",
      "2026-05-20T21:04:00Z not-published",
      "/hail/3.png",
    ]);
  });

  test("begin and end with the span, both included", () => {
    const ms = (at: string): number => Date.parse(`2026-05-20T21:${at}Z`);
    expect(toWords(history, ms("02:39"), ms("06:39"))).toHaveLength(3);
    expect(toWords(history, ms("02:40"), ms("06:38"))).toEqual([]);
    expect(toWords([])).toEqual([]);
  });

  test("are refused, in one sentence, when files lie too far apart to tell each that is missing", () => {
    const years = [history[0]!, { ...revision(2, "00:39", {}), observedAt: "2031-05-20T21:00:39Z" }];
    expect(() => toWords(years)).toThrow(
      /^From 2026-.* to 2031-.* are 1,314,721 windows, more than 100,000: /,
    );
    const lastMs = Date.parse(history[0]!.observedAt) + (mostSwathWindows - 1) * 120_000;
    const most = [history[0]!, { ...revision(2, "00:39", {}), observedAt: new Date(lastMs).toISOString() }];
    expect(toWords(most)).toHaveLength(mostSwathWindows);
  });
});
