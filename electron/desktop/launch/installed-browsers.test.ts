import { describe, expect, test } from "vitest";
import { findInstalledBrowser, thisMachine } from "./installed-browsers.ts";

function machine(platform: NodeJS.Platform, env: Record<string, string>, ...installed: string[]) {
  return { platform, env, isExecutable: (path: string) => installed.includes(path) };
}

describe("an installed browser", () => {
  test("is found in the Linux search path, Chromium first, in any order of folders", () => {
    const env = { PATH: "/opt/bin:/usr/bin" };
    expect(
      findInstalledBrowser(machine("linux", env, "/opt/bin/google-chrome", "/usr/bin/chromium")),
    ).toEqual({ name: "Chromium", executablePath: "/usr/bin/chromium" });
    expect(findInstalledBrowser(machine("linux", env, "/opt/bin/microsoft-edge"))).toEqual({
      name: "Microsoft Edge",
      executablePath: "/opt/bin/microsoft-edge",
    });
  });

  test("is never looked for in the current folder", () => {
    expect(
      findInstalledBrowser(machine("linux", { PATH: ":.:bin" }, "chromium", "bin/chromium")),
    ).toBeUndefined();
  });

  test("is found in the user's applications before the system's on macOS", () => {
    const bundle = "Google Chrome.app/Contents/MacOS/Google Chrome";
    const own = `/Users/a/Applications/${bundle}`;
    const env = { HOME: "/Users/a" };
    expect(findInstalledBrowser(machine("darwin", env, own, `/Applications/${bundle}`))?.executablePath).toBe(
      own,
    );
    expect(findInstalledBrowser(machine("darwin", env, `/Applications/${bundle}`))?.name).toBe(
      "Google Chrome",
    );
  });

  test("is found in every configured program folder of Windows", () => {
    const edge = "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe";
    const env = { "PROGRAMFILES(X86)": "C:\\Program Files (x86)" };
    expect(findInstalledBrowser(machine("win32", env, edge))).toEqual({
      name: "Microsoft Edge",
      executablePath: edge,
    });
    expect(findInstalledBrowser(machine("win32", {}, edge))).toBeUndefined();
  });

  test("is missing on a machine without one", () => {
    for (const platform of ["linux", "darwin", "win32"] as const) {
      expect(findInstalledBrowser(machine(platform, { PATH: "/usr/bin", HOME: "/root" }))).toBeUndefined();
    }
  });
});

test("a folder or a missing file is not an executable", () => {
  const { isExecutable } = thisMachine();
  expect(isExecutable(process.execPath)).toBe(true);
  expect(isExecutable("/")).toBe(false);
  expect(isExecutable("/no/such/file")).toBe(false);
});
