import { expect, test } from "vitest";
import { findUsTimeZone } from "./us-time-zone.ts";

test.each([
  ["Norman, OK", -97.44, 35.22, "America/Chicago"],
  ["Chicago, IL", -87.63, 41.88, "America/Chicago"],
  ["Detroit, MI", -83.05, 42.33, "America/New_York"],
  ["Indianapolis, IN", -86.16, 39.77, "America/New_York"],
  ["Nashville, TN", -86.78, 36.16, "America/Chicago"],
  ["Louisville, KY", -85.76, 38.25, "America/New_York"],
  ["Atlanta, GA", -84.39, 33.75, "America/New_York"],
  ["Birmingham, AL", -86.8, 33.52, "America/Chicago"],
  ["Denver, CO", -104.99, 39.74, "America/Denver"],
  ["Amarillo, TX", -101.83, 35.22, "America/Chicago"],
  ["El Paso, TX", -106.49, 31.76, "America/Denver"],
  ["Rapid City, SD", -103.23, 44.08, "America/Denver"],
  ["Bismarck, ND", -100.78, 46.81, "America/Chicago"],
  ["Phoenix, AZ", -112.07, 33.45, "America/Phoenix"],
  ["Boise, ID", -116.2, 43.62, "America/Denver"],
  ["Spokane, WA", -117.43, 47.66, "America/Los_Angeles"],
  ["Las Vegas, NV", -115.14, 36.17, "America/Los_Angeles"],
  ["Salt Lake City, UT", -111.89, 40.76, "America/Denver"],
  ["Missoula, MT", -113.99, 46.87, "America/Denver"],
  ["Anchorage, AK", -149.9, 61.22, "America/Anchorage"],
  ["Honolulu, HI", -157.86, 21.31, "Pacific/Honolulu"],
  ["Miami, FL", -80.19, 25.76, "America/New_York"],
  ["Pensacola, FL", -87.22, 30.42, "America/Chicago"],
])("%s has the zone of its clocks", (_, longitude, latitude, zone) => {
  expect(findUsTimeZone([longitude, latitude])).toBe(zone);
});

test("a place far from the U.S. has none", () => {
  expect(findUsTimeZone([10, 50])).toBeUndefined();
});
