import { afterEach, describe, expect, test } from "vitest";
import { getProduct } from "../../shared/products/registry.ts";
import { setScreenClock } from "./screen-clock.ts";
import {
  byteSize,
  classRange,
  clockDay,
  clockShort,
  clockWindow,
  coordinate,
  duration,
  hailName,
  instantWords,
  otherTime,
  publicationDelay,
  spokenRange,
  timeWithZone,
  utcClock,
  utcDay,
} from "./format.ts";

afterEach(() => {
  setScreenClock();
});

const julyMorning = Date.parse("2022-07-04T11:00:40Z");

describe("instants", () => {
  test("UTC is read from the instant and not from the machine's zone", () => {
    expect(utcClock(julyMorning)).toBe("11:00:40");
    expect(utcDay(julyMorning)).toBe("4 Jul 2022");
  });

  test("the other clock names its zone, and its day if that is not the first one's", () => {
    setScreenClock({ timeZone: "UTC", otherZone: "America/Chicago", hours: 24 });
    expect(otherTime(julyMorning)).toBe("06:00 CDT");
    expect(otherTime(Date.parse("2022-07-04T02:10:00Z"))).toBe("3 Jul 21:10 CDT");
    expect(otherTime(Date.parse("2022-01-01T00:30:00Z"))).toBe("31 Dec 18:30 CST");
  });

  test("the other clock is left out where it would repeat the first", () => {
    expect(otherTime(julyMorning)).toBeUndefined();
  });

  test("another zone stands first everywhere but in what files need, with its day and its name", () => {
    setScreenClock({ timeZone: "America/Chicago", otherZone: "UTC", hours: 24 });
    const night = Date.parse("2022-07-04T02:10:40Z");
    expect(timeWithZone(night)).toBe("21:10:40 CDT");
    expect(clockShort(night)).toBe("21:10 CDT");
    expect(clockDay(night)).toBe("3 Jul 2022");
    expect(otherTime(night)).toBe("4 Jul 02:10 UTC");
    expect(clockWindow(night, night + 3_600_000)).toBe("3 Jul 2022 21:10–22:10 CDT");
    expect(instantWords("2022-07-04T02:10:40Z")).toBe("3 Jul 2022 21:10 CDT");
    expect(utcClock(night)).toBe("02:10:40");
    expect(utcDay(night)).toBe("4 Jul 2022");
  });

  test.each([
    ["2022-07-04T00:00:05Z", "12:00:05 AM UTC"],
    ["2022-07-04T11:59:00Z", "11:59:00 AM UTC"],
    ["2022-07-04T12:00:00Z", "12:00:00 PM UTC"],
    ["2022-07-04T21:46:10Z", "9:46:10 PM UTC"],
  ])("with 12 hours %s is %s", (instant, words) => {
    setScreenClock({ timeZone: "UTC", otherZone: "UTC", hours: 12 });
    expect(timeWithZone(Date.parse(instant))).toBe(words);
  });

  test("in the hour that autumn repeats each end of a window has its zone", () => {
    setScreenClock({ timeZone: "America/Chicago", otherZone: "UTC", hours: 12 });
    const first = Date.parse("2026-11-01T06:30:00Z");
    expect(clockWindow(first, first + 3_600_000)).toBe("1 Nov 2026 1:30 AM CDT–1:30 AM CST");
    expect(clockWindow(first, first + 2_400_000)).toBe("1 Nov 2026 1:30 AM CDT–1:10 AM CST");
    expect(clockWindow(first, first + 600_000)).toBe("1 Nov 2026 1:30 AM–1:40 AM CDT");
  });

  test("a window names its day once, and both days over midnight", () => {
    const start = Date.parse("2019-06-10T22:00:00Z");
    expect(clockWindow(start, Date.parse("2019-06-10T23:58:00Z"))).toBe("10 Jun 2019 2200–2358Z");
    expect(clockWindow(start, Date.parse("2019-06-11T01:00:00Z"))).toBe("10 Jun 2200Z–11 Jun 2019 0100Z");
    expect(clockWindow(Date.parse("2019-12-31T23:00:00Z"), Date.parse("2020-01-01T01:00:00Z"))).toBe(
      "31 Dec 2019 2300Z–1 Jan 2020 0100Z",
    );
    expect(clockWindow(start, Date.parse("2019-06-14T01:00:00Z"))).toBe("10 Jun–14 Jun 2019");
    expect(clockWindow(start, Date.parse("2020-06-14T01:00:00Z"))).toBe("10 Jun 2019–14 Jun 2020");
    expect(clockWindow(start, start)).toBe("10 Jun 2019 2200Z");
    expect(clockWindow(start, undefined)).toBe("from 10 Jun 2019 2200Z");
    expect(clockWindow(undefined, start)).toBe("to 10 Jun 2019 2200Z");
    expect(clockWindow(undefined, undefined)).toBe("");
  });

  test("a publication has its delay, or its day if that is long after", () => {
    expect(publicationDelay(julyMorning, julyMorning + 123_000)).toBe("+2 min 03 s");
    expect(publicationDelay(julyMorning, Date.parse("2026-11-20T19:48:38Z"))).toBe("20 Nov 2026");
  });

  test("a span has its two largest units", () => {
    expect(duration(48_900)).toBe("48 s");
    expect(duration(231_000)).toBe("3 min 51 s");
    expect(duration(7_500_000)).toBe("2 h 05 min");
    expect(duration(76 * 3_600_000)).toBe("3 d 4 h");
    expect(duration(-5_000)).toBe("0 s");
  });
});

describe("sizes", () => {
  test("inches are hundredths, and a half of one rounds up", () => {
    expect(classRange({ from: 3.175, to: 6.35, unit: "mm" }, "in")[0]).toBe("0.13–0.25 in");
    expect(classRange({ from: 25, to: 30, unit: "mm" }, "mm")).toEqual(["25.0–30.0 mm", "0.98–1.18 in"]);
  });

  test("all hail classes have ranges in decimals, without fractions and without empty ranges", () => {
    const { edgeUnits, edgesPerUnit } = getProduct("mrms-mesh");
    const edges = edgeUnits.map((units) => units / edgesPerUnit);
    const ranges = edges.map(
      (from, index) => classRange({ from, to: edges[index + 1], unit: "mm" }, "in")[0]!,
    );
    expect(ranges).toContain("0.72–0.75 in");
    expect(ranges).toContain("1.09–1.13 in");
    for (const words of ranges.slice(0, -1)) {
      const [low, high] = /^(\d\.\d\d)–(\d\.\d\d) in$/.exec(words)!.slice(1);
      expect(Number(low)).toBeLessThan(Number(high));
    }
  });

  test("a hail class has both units, the wanted one first", () => {
    const entry = { from: 25.4, to: 26.19375, unit: "mm" };
    expect(classRange(entry, "in")).toEqual(["1.00–1.03 in", "25.4–26.2 mm"]);
    expect(classRange(entry, "mm")).toEqual(["25.4–26.2 mm", "1.00–1.03 in"]);
  });

  test("the class that is open above says so", () => {
    expect(classRange({ from: 203.2, to: undefined, unit: "mm" }, "in")).toEqual([
      "8.00 in and above",
      "203.2 mm and above",
    ]);
    expect(classRange({ from: 80, to: undefined, unit: "dBZ" }, "in")).toEqual(["80 dBZ and above"]);
  });

  test("reflectivity has the decimals of its classes and no others", () => {
    expect(classRange({ from: 55, to: 55.5, unit: "dBZ" }, "in")).toEqual(["55–55.5 dBZ"]);
  });

  test("a screen reader hears a range in words", () => {
    expect(spokenRange("1.00–1.03 in")).toBe("1.00 to 1.03 inches");
    expect(spokenRange("55–55.5 dBZ")).toBe("55 to 55.5 dBZ");
  });

  test("the everyday name is that of the size reached", () => {
    expect(hailName(25.4)).toBe("quarter size");
    expect(hailName(25.39)).toBe("nickel size");
    expect(hailName(22.225)).toBe("nickel size");
    expect(hailName(3.175)).toBe("smaller than a pea");
    expect(hailName(203.2)).toBe("softball size");
  });

  test("coordinates have the grid's step", () => {
    expect(coordinate(-94.0249, 42.3051)).toBe("42.31 N 94.02 W");
    expect(coordinate(10, -3)).toBe("3.00 S 10.00 E");
  });

  test("bytes are rounded to megabytes or tenths of gigabytes", () => {
    expect(byteSize(24_000_000)).toBe("23 MB");
    expect(byteSize(1_500_000_000)).toBe("1.4 GB");
  });
});
