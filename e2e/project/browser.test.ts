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
  test("is the one that ECHOTOP_BROWSER names, if it is set", async () => {
    const { search } = machine(["/mine", playwrightPath, aptPath], { env: { ECHOTOP_BROWSER: "/mine" } });
    expect(await findBrowser(search)).toEqual({
      executablePath: "/mine",
      source: "named by ECHOTOP_BROWSER",
    });
  });

  test("is not replaced by another if the named one does not start", async () => {
    const { search } = machine([playwrightPath], { env: { ECHOTOP_BROWSER: "/mine" } });
    await expect(findBrowser(search)).rejects.toThrow("ECHOTOP_BROWSER names /mine");
  });

  test("is Playwright's own, else an installed one; nothing is installed if either exists", async () => {
    const both = machine([playwrightPath, aptPath]);
    expect((await findBrowser(both.search)).executablePath).toBe(playwrightPath);
    const installed = machine([aptPath]);
    expect(await findBrowser(installed.search)).toEqual({
      executablePath: aptPath,
      source: "Chromium, installed",
    });
    expect([...both.commands, ...installed.commands]).toEqual([]);
  });

  test("is downloaded by Playwright if none is installed", async () => {
    const browsers: string[] = [];
    const { search, commands } = machine(browsers, {}, (line) => {
      if (line.endsWith("install chromium")) browsers.push(playwrightPath);
      return true;
    });
    expect((await findBrowser(search)).executablePath).toBe(playwrightPath);
    expect(commands).toHaveLength(1);
  });

  test("is installed from Debian if Playwright's cannot be downloaded or does not start", async () => {
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
        "apt-get install -y --no-install-recommends chromium",
      ]);
    }
  });

  test("is reported missing with advice if nothing may be installed", async () => {
    const { search, commands } = machine([]);
    await expect(findBrowser(search)).rejects.toThrow(/Install Chrome, Chromium or Edge/);
    expect(commands.some((line) => line.startsWith("apt-get"))).toBe(false);
  });
});
