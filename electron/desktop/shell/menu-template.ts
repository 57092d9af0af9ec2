// The application menu as data: what stands where, with which keys. Turning it into Electron's menu is `menu.ts`.

export type MenuCommand = "add-files" | "add-folder" | "show-notices";

export type MenuRole =
  | "about"
  | "close"
  | "copy"
  | "cut"
  | "front"
  | "hide"
  | "hideOthers"
  | "minimize"
  | "paste"
  | "quit"
  | "reload"
  | "resetZoom"
  | "selectAll"
  | "services"
  | "toggleDevTools"
  | "togglefullscreen"
  | "unhide"
  | "window"
  | "zoom"
  | "zoomIn"
  | "zoomOut";

export type MenuEntry =
  | { readonly kind: "separator" }
  | { readonly kind: "role"; readonly role: MenuRole; readonly label?: string }
  | {
      readonly kind: "command";
      readonly label: string;
      readonly command: MenuCommand;
      readonly accelerator?: string;
    };

export interface MenuSection {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
}

export interface MenuCircumstances {
  readonly platform: NodeJS.Platform;
  readonly productName: string;
  /** Developer tools are offered in a checkout only. */
  readonly isPackaged: boolean;
}

const separator: MenuEntry = { kind: "separator" };
const role = (name: MenuRole, label?: string): MenuEntry =>
  label === undefined ? { kind: "role", role: name } : { kind: "role", role: name, label };

export function toMenu({ platform, productName, isPackaged }: MenuCircumstances): readonly MenuSection[] {
  const isMac = platform === "darwin";
  return [
    ...(isMac ? [toMacApplicationSection(productName)] : []),
    { label: "&File", entries: toFileEntries(isMac) },
    { label: "&Edit", entries: [role("cut"), role("copy"), role("paste"), separator, role("selectAll")] },
    { label: "&View", entries: toViewEntries(isPackaged) },
    { label: "&Window", entries: toWindowEntries(isMac) },
    { label: "&Help", entries: toHelpEntries(isMac, productName) },
  ];
}

function toMacApplicationSection(productName: string): MenuSection {
  const entries = [
    role("about", `About ${productName}`),
    separator,
    role("services"),
    separator,
    role("hide"),
    role("hideOthers"),
    role("unhide"),
    separator,
    role("quit"),
  ];
  return { label: productName, entries };
}

function toFileEntries(isMac: boolean): readonly MenuEntry[] {
  return [
    { kind: "command", label: "Add MRMS &files…", command: "add-files", accelerator: "CommandOrControl+O" },
    {
      kind: "command",
      label: "Add a folder of &MRMS files…",
      command: "add-folder",
      accelerator: "CommandOrControl+Shift+O",
    },
    separator,
    isMac ? role("close") : role("quit"),
  ];
}

function toViewEntries(isPackaged: boolean): readonly MenuEntry[] {
  return [
    role("reload"),
    separator,
    role("resetZoom", "Actual si&ze"),
    role("zoomIn"),
    role("zoomOut"),
    separator,
    role("togglefullscreen"),
    ...(isPackaged ? [] : [separator, role("toggleDevTools")]),
  ];
}

function toWindowEntries(isMac: boolean): readonly MenuEntry[] {
  return isMac
    ? [role("minimize"), role("zoom"), separator, role("front")]
    : [role("minimize"), role("close")];
}

function toHelpEntries(isMac: boolean, productName: string): readonly MenuEntry[] {
  const notices: MenuEntry = { kind: "command", label: "&Third-party notices", command: "show-notices" };
  return isMac ? [notices] : [notices, separator, role("about", `&About ${productName}`)];
}
