import { expect, test } from "vitest";
import { showControls } from "./visible-controls.ts";

test("control characters of both ranges are escaped, and other characters stay", () => {
  expect(showControls("\u001B]0;title\u0007\u009B31m\u007F\r\n\t")).toBe(
    "\\u001b]0;title\\u0007\\u009b31m\\u007f\\u000d\\u000a\\u0009",
  );
  expect(showControls("Köln ½ in, “words” 雷 🌩 a\\b")).toBe("Köln ½ in, “words” 雷 🌩 a\\b");
});

test("escaped JSON has the same meaning", () => {
  const value = { key: "a\u009B31m\u007F\u0000\nb" };
  expect(JSON.parse(showControls(JSON.stringify(value)))).toEqual(value);
});
