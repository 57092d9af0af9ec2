// Tests which browser the tests use on different machines: an existing one, a downloaded one, or an error with advice.
import { describe, expect, test } from "vitest";
import { type BrowserSearch, findBrowser } from "../run/browser.ts";

const playwrightPath = "/playwright/chrome";
const aptPath = "/usr/bin/chromium";

/**
 * Returns a machine on which the given paths start as browsers and `onCommand` decides the result of other commands.
 */
function machine(
  browsers: string[],
  changes: Partial<BrowserSearch> = {},
  onCommand: (line: string) => boolean = () => false,
) {
  const commands: string[] = [];
  const search: BrowserSearch = {
    env: {},
    playwrightPath,
    findInstalled: () =>
      browsers.includes(aptPath) ? { name: "Chromium", executablePath: aptPath } : undefined,
    exists: (path) => browsers.includes(path),
    succeeds: ([command, ...args]) => {
      if (args[0] === "--version") return Promise.resolve(browsers.includes(command));
      const line = [command, ...args].join(" ");
      commands.push(line);
      return Promise.resolve(onCommand(line));
    },
    mayUseApt: false,
    say: () => undefined,
    ...changes,
  };
  return { search, commands };
}

describe("the browser for tests", () => {
  test("the browser that ECHOTOP_BROWSER names comes first", async () => {
    const { search } = machine(["/mine", playwrightPath, aptPath], { env: { ECHOTOP_BROWSER: "/mine" } });
    expect(await findBrowser(search)).toEqual({
      executablePath: "/mine",
      source: "named by ECHOTOP_BROWSER",
    });
  });

  test("a named browser that does not start is an error; no other replaces it", async () => {
    const { search } = machine([playwrightPath], { env: { ECHOTOP_BROWSER: "/mine" } });
    await expect(findBrowser(search)).rejects.toThrow("ECHOTOP_BROWSER names /mine");
  });

  test("Playwright's own browser comes before an installed one, and nothing is installed if either starts", async () => {
    const both = machine([playwrightPath, aptPath]);
    expect((await findBrowser(both.search)).executablePath).toBe(playwrightPath);
    const installed = machine([aptPath]);
    expect(await findBrowser(installed.search)).toEqual({
      executablePath: aptPath,
      source: "Chromium, installed",
    });
    expect([...both.commands, ...installed.commands]).toEqual([]);
  });

  test("Playwright downloads its browser if none is installed", async () => {
    const browsers: string[] = [];
    const { search, commands } = machine(browsers, {}, (line) => {
      if (line.endsWith("install chromium")) browsers.push(playwrightPath);
      return true;
    });
    expect((await findBrowser(search)).executablePath).toBe(playwrightPath);
    expect(commands).toHaveLength(1);
  });

  test("Debian's package is installed if Playwright's browser cannot be downloaded or does not start", async () => {
    for (const isFetched of [false, true]) {
      const browsers: string[] = [];
      const { search, commands } = machine(browsers, { mayUseApt: true }, (line) => {
        if (line.startsWith("apt-get install")) browsers.push(aptPath);
        return line.startsWith("apt-get") || isFetched;
      });
      expect(await findBrowser(search)).toEqual({
        executablePath: aptPath,
        source: "Chromium, just installed with apt-get",
      });
      expect(commands.slice(1)).toEqual([
        "apt-get update",
        "apt-get install -y --no-install-recommends chromium-headless-shell",
      ]);
    }
  });

  test("Chromium itself is installed where there is none without windows", async () => {
    const browsers: string[] = [];
    const { search, commands } = machine(browsers, { mayUseApt: true }, (line) => {
      if (line.endsWith(" chromium")) browsers.push(aptPath);
      return line === "apt-get update" || line.endsWith(" chromium");
    });
    expect((await findBrowser(search)).executablePath).toBe(aptPath);
    expect(commands.at(-1)).toBe("apt-get install -y --no-install-recommends chromium");
  });

  test("a missing browser is reported with advice if nothing may be installed", async () => {
    const { search, commands } = machine([]);
    await expect(findBrowser(search)).rejects.toThrow(/Install Chrome, Chromium or Edge/);
    expect(commands.some((line) => line.startsWith("apt-get"))).toBe(false);
  });
});
