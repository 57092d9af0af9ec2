// The application menu of each platform as Electron's template.
import type { MenuItemConstructorOptions } from "electron";
import type { UpdateMode } from "../../../shared/contract/desktop.ts";

export type MenuCommand =
  | "add-files"
  | "add-folder"
  | "check-for-updates"
  | `updates-${UpdateMode}`
  | "toggle-notifications"
  | "open-logs"
  | "copy-diagnostics"
  | "show-notices";

export interface MenuCircumstances {
  readonly platform: NodeJS.Platform;
  readonly productName: string;
  /** Only a checkout has developer tools. */
  readonly isPackaged: boolean;
  readonly updateMode: UpdateMode;
  readonly showsNotifications: boolean;
  readonly run: (command: MenuCommand) => void;
}

type Entry = MenuItemConstructorOptions;
type Role = NonNullable<Entry["role"]>;

const separator: Entry = { type: "separator" };
const toEntries = (...entries: readonly (Entry | Role)[]): Entry[] =>
  entries.map((entry) => (typeof entry === "string" ? { role: entry } : entry));

export function toMenu(circumstances: MenuCircumstances): Entry[] {
  const { platform, productName } = circumstances;
  const isMac = platform === "darwin";
  return [
    ...(isMac ? [toMacApplicationSection(productName)] : []),
    { label: "&File", submenu: toFileEntries(circumstances, isMac) },
    { label: "&Edit", submenu: toEntries("cut", "copy", "paste", separator, "selectAll") },
    { label: "&View", submenu: toViewEntries(circumstances) },
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

function toViewEntries({ isPackaged, showsNotifications, run }: MenuCircumstances): Entry[] {
  const notifications: Entry = {
    label: "&Notifications",
    type: "checkbox",
    checked: showsNotifications,
    click: () => {
      run("toggle-notifications");
    },
  };
  return [
    ...toEntries("reload", separator, { role: "resetZoom", label: "Actual si&ze" }, "zoomIn", "zoomOut"),
    ...toEntries(separator, "togglefullscreen", separator, notifications),
    ...(isPackaged ? [] : toEntries(separator, "toggleDevTools")),
  ];
}

const updateModes: readonly (readonly [mode: UpdateMode, label: string])[] = [
  ["off", "&Off"],
  ["notify", "&Tell me"],
  ["install", "&Install when I quit"],
];

function toHelpEntries({ productName, updateMode, run }: MenuCircumstances, isMac: boolean): Entry[] {
  const toEntry = (label: string, command: MenuCommand): Entry => ({
    label,
    click: () => {
      run(command);
    },
  });
  const modes = updateModes.map(([mode, label]): Entry => ({
    ...toEntry(label, `updates-${mode}`),
    type: "radio",
    checked: mode === updateMode,
  }));
  return [
    ...toEntries(toEntry("Check for &updates…", "check-for-updates"), {
      label: "Automatic u&pdates",
      submenu: modes,
    }),
    ...toEntries(separator, toEntry("Open the &log folder", "open-logs")),
    ...toEntries(toEntry("Copy &diagnostics", "copy-diagnostics"), separator),
    toEntry("&Third-party notices", "show-notices"),
    ...(isMac ? [] : toEntries(separator, { role: "about", label: `&About ${productName}` })),
  ];
}
