import { describe, expect, test, vi } from "vitest";
import { type MenuEntry, type MenuSection, toMenu } from "./menu-template.ts";
import { toElectronMenu } from "./menu.ts";

const platforms = ["linux", "win32", "darwin"] as const;

function entriesOf(sections: readonly MenuSection[]): readonly MenuEntry[] {
  return sections.flatMap(({ entries }) => entries);
}

function rolesOf(sections: readonly MenuSection[]): readonly string[] {
  return entriesOf(sections).flatMap((entry) => (entry.kind === "role" ? [entry.role] : []));
}

function menuOf(platform: NodeJS.Platform, isPackaged = true): readonly MenuSection[] {
  return toMenu({ platform, productName: "Echotop", isPackaged });
}

describe.each(platforms)("the menu on %s", (platform) => {
  test("offers every command exactly once", () => {
    const commands = entriesOf(menuOf(platform)).flatMap((entry) =>
      entry.kind === "command" ? [entry.command] : [],
    );
    expect(commands.toSorted()).toEqual(["add-files", "add-folder", "show-notices"]);
  });

  test("offers zoom, full screen, reload, about and quit exactly once each", () => {
    const roles = rolesOf(menuOf(platform));
    for (const role of ["zoomIn", "zoomOut", "resetZoom", "togglefullscreen", "reload", "about", "quit"]) {
      expect(roles.filter((name) => name === role)).toEqual([role]);
    }
  });

  test("gives no key to two entries", () => {
    const keys = entriesOf(menuOf(platform)).flatMap((entry) =>
      entry.kind === "command" && entry.accelerator !== undefined ? [entry.accelerator] : [],
    );
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.length).toBeGreaterThan(0);
  });

  test("has developer tools in a checkout only", () => {
    expect(rolesOf(menuOf(platform, false))).toContain("toggleDevTools");
    expect(rolesOf(menuOf(platform, true))).not.toContain("toggleDevTools");
  });

  test("neither begins nor ends a section with a separator", () => {
    for (const { entries } of menuOf(platform)) {
      expect(entries[0]?.kind).not.toBe("separator");
      expect(entries.at(-1)?.kind).not.toBe("separator");
    }
  });
});

test("only macOS has an application menu, and it comes first", () => {
  expect(menuOf("darwin")[0]?.label).toBe("Echotop");
  expect(menuOf("linux")[0]?.label).toBe("&File");
});

test("a command's click runs that command", () => {
  const run = vi.fn();
  const template = toElectronMenu(menuOf("linux"), run);
  const file = template.find(({ label }) => label === "&File")?.submenu;
  const add = Array.isArray(file) ? file.find(({ label }) => label === "Add MRMS &files…") : undefined;
  expect(add?.accelerator).toBe("CommandOrControl+O");
  (add?.click as (() => void) | undefined)?.();
  expect(run).toHaveBeenCalledExactlyOnceWith("add-files");
});
