// The application menu of each platform as Electron's template.
import type { MenuItemConstructorOptions } from "electron";

export type MenuCommand = "add-files" | "add-folder" | "show-notices";

export interface MenuCircumstances {
  readonly platform: NodeJS.Platform;
  readonly productName: string;
  /** Only a checkout has developer tools. */
  readonly isPackaged: boolean;
  readonly run: (command: MenuCommand) => void;
}

type Entry = MenuItemConstructorOptions;
type Role = NonNullable<Entry["role"]>;

const separator: Entry = { type: "separator" };
const toEntries = (...entries: readonly (Entry | Role)[]): Entry[] =>
  entries.map((entry) => (typeof entry === "string" ? { role: entry } : entry));

export function toMenu(circumstances: MenuCircumstances): Entry[] {
  const { platform, productName, isPackaged } = circumstances;
  const isMac = platform === "darwin";
  return [
    ...(isMac ? [toMacApplicationSection(productName)] : []),
    { label: "&File", submenu: toFileEntries(circumstances, isMac) },
    { label: "&Edit", submenu: toEntries("cut", "copy", "paste", separator, "selectAll") },
    { label: "&View", submenu: toViewEntries(isPackaged) },
    {
      label: "&Window",
      submenu: isMac ? toEntries("minimize", "zoom", separator, "front") : toEntries("minimize", "close"),
    },
    { label: "&Help", submenu: toHelpEntries(circumstances, isMac) },
  ];
}

function toMacApplicationSection(productName: string): Entry {
  const about: Entry = { role: "about", label: `About ${productName}` };
  return {
    label: productName,
    submenu: [
      ...toEntries(about, separator, "services", separator),
      ...toEntries("hide", "hideOthers", "unhide", separator, "quit"),
    ],
  };
}

function toFileEntries({ run }: MenuCircumstances, isMac: boolean): Entry[] {
  return toEntries(
    {
      label: "Add MRMS &files…",
      accelerator: "CommandOrControl+O",
      click: () => {
        run("add-files");
      },
    },
    {
      label: "Add a folder of &MRMS files…",
      accelerator: "CommandOrControl+Shift+O",
      click: () => {
        run("add-folder");
      },
    },
    separator,
    isMac ? "close" : "quit",
  );
}

function toViewEntries(isPackaged: boolean): Entry[] {
  return [
    ...toEntries("reload", separator, { role: "resetZoom", label: "Actual si&ze" }, "zoomIn", "zoomOut"),
    ...toEntries(separator, "togglefullscreen"),
    ...(isPackaged ? [] : toEntries(separator, "toggleDevTools")),
  ];
}

function toHelpEntries({ productName, run }: MenuCircumstances, isMac: boolean): Entry[] {
  const notices: Entry = {
    label: "&Third-party notices",
    click: () => {
      run("show-notices");
    },
  };
  return isMac ? [notices] : [notices, separator, { role: "about", label: `&About ${productName}` }];
}
