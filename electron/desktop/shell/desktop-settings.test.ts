import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openDesktopSettings } from "./desktop-settings.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "echotop-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

test("an address that a person writes meanwhile counts, and outlives a choice in the menu", () => {
  const path = join(folder, "desktop.json");
  const settings = openDesktopSettings(path, vi.fn());
  settings.change({ notifications: false });
  const updates = { mode: "off", address: "https://desk.example/echotop/" } as const;
  writeFileSync(path, JSON.stringify({ ...settings.current(), updates }));
  expect(settings.current()).toMatchObject({ updates, notifications: false });
  settings.change({ notifications: true });
  expect(openDesktopSettings(path, vi.fn()).current()).toMatchObject({ updates, notifications: true });
});

test("a choice counts even if the file cannot be written, which is reported", () => {
  const report = vi.fn();
  const settings = openDesktopSettings(folder, report);
  settings.change({ notifications: false });
  expect(settings.current().notifications).toBe(false);
  expect(report).toHaveBeenCalledWith("The choices for the desktop could not be saved.", expect.anything());
});
