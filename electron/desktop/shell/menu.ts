// Turns the menu's data into Electron's template. The one thing that happens here is that commands become clicks.
import type { MenuItemConstructorOptions } from "electron";
import type { MenuCommand, MenuEntry, MenuSection } from "./menu-template.ts";

export function toElectronMenu(
  sections: readonly MenuSection[],
  run: (command: MenuCommand) => void,
): MenuItemConstructorOptions[] {
  return sections.map(({ label, entries }) => ({
    label,
    submenu: entries.map((entry) => toElectronItem(entry, run)),
  }));
}

function toElectronItem(entry: MenuEntry, run: (command: MenuCommand) => void): MenuItemConstructorOptions {
  switch (entry.kind) {
    case "separator":
      return { type: "separator" };
    case "role":
      return entry.label === undefined ? { role: entry.role } : { role: entry.role, label: entry.label };
    case "command":
      return {
        label: entry.label,
        ...(entry.accelerator === undefined ? {} : { accelerator: entry.accelerator }),
        click: () => {
          run(entry.command);
        },
      };
  }
}
