// Which browser the tests run in, on machines of every kind: what is there, what can be fetched, and what is said when none can.
import { describe, expect, test } from "vitest";
import { type BrowserSearch, findBrowser } from "../run/browser.ts";

const playwrightPath = "/playwright/chrome";
const aptPath = "/usr/bin/chromium";

/** A machine on which the given paths start as browsers, and commands do what `onCommand` says. */
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
  test("is the named one, before all others", async () => {
    const { search } = machine(["/mine", playwrightPath, aptPath], { env: { ECHOTOP_BROWSER: "/mine" } });
    expect(await findBrowser(search)).toEqual({
      executablePath: "/mine",
      source: "named by ECHOTOP_BROWSER",
    });
  });

  test("is none other when the named one does not start", async () => {
    const { search } = machine([playwrightPath], { env: { ECHOTOP_BROWSER: "/mine" } });
    await expect(findBrowser(search)).rejects.toThrow("ECHOTOP_BROWSER names /mine");
  });

  test("is Playwright's own before an installed one, and an installed one before any installation", async () => {
    const both = machine([playwrightPath, aptPath]);
    expect((await findBrowser(both.search)).executablePath).toBe(playwrightPath);
    const installed = machine([aptPath]);
    expect(await findBrowser(installed.search)).toEqual({
      executablePath: aptPath,
      source: "Chromium, installed",
    });
    expect([...both.commands, ...installed.commands]).toEqual([]);
  });

  test("is fetched by Playwright where there is none", async () => {
    const browsers: string[] = [];
    const { search, commands } = machine(browsers, {}, (line) => {
      if (line.endsWith("install chromium")) browsers.push(playwrightPath);
      return true;
    });
    expect((await findBrowser(search)).executablePath).toBe(playwrightPath);
    expect(commands).toHaveLength(1);
  });

  test("is installed from Debian where Playwright's cannot be fetched or does not start", async () => {
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

  test("cannot be had where nothing may be installed, and the sentence says what to do", async () => {
    const { search, commands } = machine([]);
    await expect(findBrowser(search)).rejects.toThrow(/install Chrome, Chromium or Edge/);
    expect(commands.some((line) => line.startsWith("apt-get"))).toBe(false);
  });
});
