import { join } from "node:path";
import { expect, test } from "vitest";
import { defaultDataDirectory } from "./data-location.ts";

test("the data directory follows each platform's convention", () => {
  expect(defaultDataDirectory({ XDG_DATA_HOME: "/x" }, "linux")).toBe(join("/x", "echotop"));
  expect(defaultDataDirectory({ APPDATA: "/roaming" }, "win32")).toBe(join("/roaming", "Echotop"));
  expect(defaultDataDirectory({}, "darwin")).toMatch(/Application Support.Echotop$/);
});
