import { expect, test } from "vitest";
import type { MapView } from "./map-view.ts";
import { toScaleBar } from "./scale-bar.ts";
import type { Typesetter } from "./typesetter.ts";

/** Returns the words and the length in pixels of the bar at the equator. */
function scaleAt(kmPerPx: number): { readonly words: string; readonly lengthPx: number } {
  let words = "";
  const typesetter: Typesetter = {
    ...({} as Typesetter),
    set: (text) => {
      words = text;
      return "";
    },
    measure: () => 0,
  };
  const place = { at: [32, 900], scale: 1 } as const;
  const view = { northY: 0.5, unitsPerPx: kmPerPx / 40_075.017, widthPx: 900, heightPx: 0 } as MapView;
  const lengthPx = Number(/h(\d+)v/.exec(toScaleBar(view, typesetter, place).svg)?.[1]);
  return { words, lengthPx };
}

test("the scale bar is a round number of miles, with kilometers beside it, and never too long", () => {
  expect(scaleAt(0.8).words).toBe("100 mi · 161 km");
  expect(scaleAt(0.8).lengthPx).toBe(201);
  expect(scaleAt(0.05).words).toBe("5 mi · 8 km");
  for (const kmPerPx of [0.05, 0.1, 0.3, 1, 2, 5]) expect(scaleAt(kmPerPx).lengthPx).toBeLessThanOrEqual(240);
});
