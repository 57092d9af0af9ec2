import { expect, test } from "vitest";
import { parseShellOptions } from "./options.ts";

test("no options mean defaults", () => {
  expect(parseShellOptions([])).toEqual({ dataDirectory: undefined, port: undefined });
});

test("our options are found among Chromium's switches", () => {
  const args = [
    "--no-sandbox",
    "--data=/tmp/a b=c",
    "--force-device-scale-factor=2",
    "--port=0",
    "file.grib2",
  ];
  expect(parseShellOptions(args)).toEqual({ dataDirectory: "/tmp/a b=c", port: 0 });
});

test.each(["--port=", "--port=-1", "--port=65536", "--port=80.5", "--port=http"])("%s is refused", (arg) => {
  expect(() => parseShellOptions([arg])).toThrow("--port takes 0 to 65535");
});
