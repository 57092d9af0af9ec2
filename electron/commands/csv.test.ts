import { expect, test } from "vitest";
import { toCsvLine } from "./csv.ts";

test("numbers and plain text stay unchanged, and a missing value is empty", () => {
  expect(toCsvLine([1, "noaa", undefined, -25, "a b"])).toBe("1,noaa,,-25,a b\r\n");
});

test("commas and quotes are quoted", () => {
  expect(toCsvLine(['say "hail", twice', "\u201Cwords\u201D"])).toBe(
    '"say ""hail"", twice",\u201Cwords\u201D\r\n',
  );
});

test("a row is one line, and control characters are shown escaped", () => {
  expect(toCsvLine(["two\nlines", "\u001B]0;title\u0007", "\u009B31m", "\t=1"])).toBe(
    "two\\u000alines,\\u001b]0;title\\u0007,\\u009b31m,\\u0009=1\r\n",
  );
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", '=HYPERLINK("http://a,b")'])(
  "%j cannot be read as a formula",
  (text) => {
    const [cell] = toCsvLine([text]).split("\r\n");
    expect(cell).toMatch(/^"?'/);
    expect(cell?.replace(/^"|"$/g, "").replaceAll('""', '"')).toBe(`'${text}`);
  },
);

test("a minus within text does not make a formula", () => {
  expect(toCsvLine(["conus-live"])).toBe("conus-live\r\n");
});
