import { expect, test, vi } from "vitest";
import { hasDisplay } from "../../platform/has-display.ts";
import { choosePlan, planWithoutElectron, type PlanFacts } from "./window-plan.ts";

const chromium = { name: "Chromium", executablePath: "/usr/bin/chromium" } as const;

function facts(changes: Partial<PlanFacts> = {}): PlanFacts {
  return {
    hasDisplay: true,
    isWindowUnwanted: false,
    obtainElectron: () => Promise.resolve({ isThere: false, reason: "its runtime could not be downloaded" }),
    findBrowser: () => chromium,
    isRoot: false,
    ...changes,
  };
}

test("Electron is chosen if its runtime is installed", async () => {
  const obtainElectron = () => Promise.resolve({ isThere: true, executablePath: "/e/electron" } as const);
  expect(await choosePlan(facts({ obtainElectron }))).toEqual({
    kind: "electron",
    executablePath: "/e/electron",
    sentence: "Opening Echotop in Electron.",
  });
});

test("without Electron an installed browser is chosen, and the message gives the reason", async () => {
  expect(await choosePlan(facts())).toEqual({
    kind: "app-window",
    browser: chromium,
    sentence:
      "Electron is not available here (its runtime could not be downloaded); opening an app window of Chromium instead.",
  });
});

test("as root the message mentions the missing sandbox", async () => {
  expect((await choosePlan(facts({ isRoot: true }))).sentence).toMatch(
    /As root, it runs without its sandbox\.$/,
  );
});

test("with neither, only the address is printed", async () => {
  const plan = await choosePlan(facts({ findBrowser: () => undefined }));
  expect(plan.kind).toBe("address");
  expect(plan.sentence).toContain("no Chrome, Chromium or Edge is installed");
});

test("without a display no runtime is downloaded and no window opened", async () => {
  const obtainElectron = vi.fn(facts().obtainElectron);
  const plan = await choosePlan(facts({ hasDisplay: false, obtainElectron }));
  expect(plan.kind).toBe("address");
  expect(plan.sentence).toContain("no display");
  expect(obtainElectron).not.toHaveBeenCalled();
});

test("--no-open opens no window", async () => {
  expect((await choosePlan(facts({ isWindowUnwanted: true }))).kind).toBe("address");
});

test("a browser replaces an Electron that could not start", () => {
  const plan = planWithoutElectron("it could not start: it ended with status 127", facts());
  expect(plan.kind).toBe("app-window");
  expect(plan.sentence).toContain("status 127");
});

test("a display is detected as the platform reports it", () => {
  expect(hasDisplay("darwin", {})).toBe(true);
  expect(hasDisplay("win32", {})).toBe(true);
  expect(hasDisplay("linux", {})).toBe(false);
  expect(hasDisplay("linux", { DISPLAY: "" })).toBe(false);
  expect(hasDisplay("linux", { DISPLAY: ":0" })).toBe(true);
  expect(hasDisplay("linux", { WAYLAND_DISPLAY: "wayland-0" })).toBe(true);
});
