import { describe, expect, test } from "vitest";
import { mercatorY } from "../../../shared/geo/mercator.ts";
import { withRoom } from "./event-area.ts";

describe("room around an event", () => {
  test("keeps its sides and gives more room above than below, measured in the map's own projection", () => {
    const [west, south, east, north] = withRoom([-102, 32, -92, 40], 588);
    expect([west, east]).toEqual([-102, -92]);
    const whole = mercatorY(south) - mercatorY(north);
    const perPx = whole / (588 - 48);
    expect((mercatorY(40) - mercatorY(north)) / perPx).toBeCloseTo(72, 6);
    expect((mercatorY(south) - mercatorY(32)) / perPx).toBeCloseTo(24, 6);
  });

  test("is not made where the map is too low for it", () => {
    expect(withRoom([-102, 32, -92, 40], 200)).toEqual([-102, 32, -92, 40]);
  });
});
