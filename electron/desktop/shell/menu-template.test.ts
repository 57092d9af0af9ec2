import type { MenuItemConstructorOptions } from "electron";
import { describe, expect, test, vi } from "vitest";
import { toMenu } from "./menu-template.ts";

type Entry = MenuItemConstructorOptions;

const submenuOf = ({ submenu }: Entry): readonly Entry[] => submenu as readonly Entry[];
/** Returns the entries of all sections and of the menus inside them. */
const entriesOf = (sections: readonly Entry[]): readonly Entry[] =>
  sections.flatMap(submenuOf).flatMap((entry) => (entry.submenu ? [entry, ...submenuOf(entry)] : [entry]));
const rolesOf = (sections: readonly Entry[]): readonly (string | undefined)[] =>
  entriesOf(sections).map(({ role }) => role);

function menuOf(platform: NodeJS.Platform, isPackaged = true, run = vi.fn()): readonly Entry[] {
  return toMenu({
    ...{ platform, productName: "Echotop", isPackaged, run },
    updateMode: "notify",
    showsNotifications: true,
  });
}

const click = ({ click: handler }: Entry): void => {
  (handler as () => void)();
};

describe.each(["linux", "win32", "darwin"] as const)("the menu on %s", (platform) => {
  test("offers every command exactly once", () => {
    const run = vi.fn();
    for (const entry of entriesOf(menuOf(platform, true, run))) if (entry.click) click(entry);
    expect(run.mock.calls.flat().toSorted()).toEqual([
      ...["add-files", "add-folder", "check-for-updates", "copy-diagnostics", "open-logs", "show-notices"],
      ...["toggle-notifications", "updates-install", "updates-notify", "updates-off"],
    ]);
  });

  test("offers zoom, full screen, reload, about and quit exactly once each", () => {
    const roles = rolesOf(menuOf(platform));
    for (const role of ["zoomIn", "zoomOut", "resetZoom", "togglefullscreen", "reload", "about", "quit"]) {
      expect(roles.filter((name) => name === role)).toEqual([role]);
    }
  });

  test("gives no key to two entries", () => {
    const keys = entriesOf(menuOf(platform)).flatMap(({ accelerator }) => accelerator ?? []);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.length).toBeGreaterThan(0);
  });

  test("has developer tools only in a checkout", () => {
    expect(rolesOf(menuOf(platform, false))).toContain("toggleDevTools");
    expect(rolesOf(menuOf(platform, true))).not.toContain("toggleDevTools");
  });

  test("neither begins nor ends a section with a separator", () => {
    for (const section of menuOf(platform)) {
      expect(submenuOf(section)[0]?.type).not.toBe("separator");
      expect(submenuOf(section).at(-1)?.type).not.toBe("separator");
    }
  });
});

test("the chosen mode of updates and the switch of notifications have a mark", () => {
  const marked = entriesOf(menuOf("linux")).filter(({ checked }) => checked);
  expect(marked.map(({ type, label }) => [type, label])).toEqual([
    ["checkbox", "&Notifications"],
    ["radio", "&Tell me"],
  ]);
});

test("only macOS has an application menu, and it comes first", () => {
  expect(menuOf("darwin")[0]?.label).toBe("Echotop");
  expect(menuOf("linux")[0]?.label).toBe("&File");
});

test("an entry shows its key and runs its command", () => {
  const run = vi.fn();
  const add = entriesOf(menuOf("linux", true, run)).find(({ label }) => label === "Add MRMS &files…")!;
  expect(add.accelerator).toBe("CommandOrControl+O");
  click(add);
  expect(run).toHaveBeenCalledExactlyOnceWith("add-files");
});
