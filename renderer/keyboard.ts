// The keyboard shortcuts of the whole screen: one table of commands and their keys. Help, tooltips, the printed sheet
// and what screen readers announce follow from it. Keys that the focused control needs are left to it.

export type CommandGroup = "Time" | "Corrections" | "Layers" | "Map" | "Panes" | "Panels";

interface CommandRow {
  readonly group: CommandGroup;
  /** Keys of a new installation, as `toKeyName` names them. */
  readonly keys: readonly string[];
  readonly does: string;
  /** Set if the keys act on the map only. */
  readonly on?: "map";
}

/** A new command is one line here, and its action in `app.tsx`. */
const table = {
  "play-or-pause": { group: "Time", keys: ["Space"], does: "Play or pause" },
  previous: { group: "Time", keys: ["ArrowLeft"], does: "Previous frame" },
  next: { group: "Time", keys: ["ArrowRight"], does: "Next frame" },
  "ten-forward": { group: "Time", keys: ["PageUp"], does: "10 frames forward" },
  "ten-back": { group: "Time", keys: ["PageDown"], does: "10 frames back" },
  first: { group: "Time", keys: ["Home"], does: "First frame loaded" },
  last: { group: "Time", keys: ["End"], does: "Last frame loaded" },
  newest: { group: "Time", keys: ["n"], does: "Newest frame, and follow it" },
  "timeline-order": { group: "Time", keys: ["o"], does: "Order of the timeline" },
  "known-at": { group: "Time", keys: ["k"], does: "As known at: go to the handle (← → move it, End: now)" },
  "fold-timeline": { group: "Time", keys: ["t"], does: "Fold or unfold the timeline" },
  flip: { group: "Corrections", keys: ["r"], does: "Flip to the other version of a frame" },
  "previous-correction": { group: "Corrections", keys: ["["], does: "Previous correction" },
  "next-correction": { group: "Corrections", keys: ["]"], does: "Next correction" },
  "what-changed": { group: "Corrections", keys: ["c"], does: "What changed: on, off" },
  "hold-before": { group: "Corrections", keys: ["b"], does: "Hold: the revision before" },
  "view-changes": { group: "Corrections", keys: ["v"], does: "Only revisions that change this view" },
  measure: { group: "Map", keys: ["d"], does: "Measure: on, off (Backspace takes a point back, Esc ends)" },
  "storm-motion": { group: "Map", keys: ["g"], does: "Storm motion: on, off" },
  "take-back": { group: "Map", keys: ["Backspace"], does: "Take back the last point of a tool" },
  layers: { group: "Layers", keys: ["l"], does: "Go to layers" },
  "layer-1": { group: "Layers", keys: ["1"], does: "Show or hide the first layer" },
  "layer-2": { group: "Layers", keys: ["2"], does: "Show or hide the second layer" },
  "so-far": { group: "Layers", keys: ["w"], does: "Show or hide the largest hail so far" },
  search: { group: "Map", keys: ["/"], does: "Search places (Enter: go there)" },
  "zoom-in": { group: "Map", keys: ["+", "="], does: "Zoom in" },
  "zoom-out": { group: "Map", keys: ["-"], does: "Zoom out" },
  "whole-event": { group: "Map", keys: ["0"], does: "Show the whole event" },
  "pin-place": { group: "Map", keys: ["p"], does: "Pin the place at the pointer or crosshair: its story" },
  "copy-picture": { group: "Map", keys: ["Ctrl+c"], does: "Copy the picture", on: "map" },
  "pane-count": { group: "Panes", keys: ["m"], does: "One, two or four panes side by side" },
  "next-pane": { group: "Panes", keys: ["F6"], does: "Next pane" },
  "next-lock": { group: "Panes", keys: ["j"], does: "Next lock of the panes" },
  "save-picture": { group: "Panels", keys: ["s"], does: "Save the picture" },
  export: { group: "Panels", keys: ["e"], does: "Export: picture, loop, data, link" },
  "read-storm": { group: "Panels", keys: ["h"], does: "Read the storm: say what is in view" },
  "watch-rules": { group: "Panels", keys: ["a"], does: "Watch rules" },
  settings: { group: "Panels", keys: [","], does: "Settings" },
  keys: { group: "Panels", keys: ["?"], does: "List of keys" },
  close: { group: "Panels", keys: ["Escape"], does: "Close, clear, unpin, leave the crosshair" },
} as const satisfies Readonly<Record<string, CommandRow>>;

export type Command = keyof typeof table;
export const commands = Object.keys(table) as readonly Command[];

/** The table's row of a command. */
export function rowOf(command: Command): CommandRow {
  return table[command];
}

export const commandGroups = [...new Set(commands.map((command) => rowOf(command).group))];

/** Keys of the map itself, which stay with it. */
export const mapKeyHelp: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ["Tab to the map, then arrows"], does: "Move crosshair (Shift: bigger steps)" },
  { keys: ["Click", "Enter on the map"], does: "Pin the reading at the pointer or crosshair" },
];

/** Commands whose keys the person changed; an empty list is a command without a key. */
export type OwnKeys = Readonly<Partial<Record<Command, readonly string[]>>>;

export interface KeySettings {
  readonly ownKeys: OwnKeys;
  /** People can turn single characters off, because speech input can press them by accident. */
  readonly characterKeys: boolean;
}

export function keysOf(command: Command, { ownKeys }: Pick<KeySettings, "ownKeys">): readonly string[] {
  return ownKeys[command] ?? table[command].keys;
}

/** Returns the keys of a command that act now: none of a single character while those are off. */
export function activeKeysOf(command: Command, settings: KeySettings): readonly string[] {
  return keysOf(command, settings).filter((key) => settings.characterKeys || !isCharacter(key));
}

export function isCharacter(key: string): boolean {
  return key.length === 1;
}

export type KeyPress = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** Returns `n`, `Space`, `ArrowLeft`, `Ctrl+c`: the name under which a key is kept. */
export function toKeyName({ key, ctrlKey, metaKey, altKey }: KeyPress): string {
  const name = key === " " ? "Space" : key.length === 1 ? key.toLowerCase() : key;
  // The right Alt key of many keyboards reads as both, and types the character.
  if (ctrlKey && altKey) return name;
  return `${ctrlKey || metaKey ? "Ctrl+" : ""}${altKey ? "Alt+" : ""}${name}`;
}

/** Keys that no command can have: they move the focus, press, close, or only change another key. */
const reservedKeys: readonly string[] = [
  ...["Tab", "Enter", "Escape", "Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock"],
  ...["Dead", "Process", "Unidentified", "Delete"],
];

export function isReserved(key: string): boolean {
  return reservedKeys.includes(key.replace(/^(Ctrl\+)?(Alt\+)?(?=.)/, ""));
}

/** Returns the other command that has the key. */
export function findOwner(key: string, command: Command, ownKeys: OwnKeys): Command | undefined {
  return commands.find((other) => other !== command && keysOf(other, { ownKeys }).includes(key));
}

const keyLabels: Readonly<Record<string, string>> = {
  ...{ ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" },
  ...{ PageUp: "Page Up", PageDown: "Page Down", Escape: "Esc", "-": "−" },
};

/** Returns a key as it is printed: `N`, `←`, `Ctrl C`. */
export function toKeyLabel(key: string): string {
  const parts = /^((?:Ctrl\+)?(?:Alt\+)?)(.+)$/.exec(key)!;
  const name = parts[2]!;
  return `${parts[1]!.replaceAll("+", " ")}${keyLabels[name] ?? (isCharacter(name) ? name.toUpperCase() : name)}`;
}

/** Kind of the focused control, by the keys it needs. */
export type FocusKind =
  /** Text input: needs every key but Escape. */
  | "text"
  /** Sliders and radio buttons: need arrows, Home, End, Page Up and Page Down. */
  | "arrows"
  /** A list: needs up, down, Home and End. */
  | "list"
  /** A button: needs Space. */
  | "press"
  /** The map: copies its picture. */
  | "map"
  | "none";

const arrowKeys: readonly string[] = [
  ...["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"],
  ...["PageUp", "PageDown", "Home", "End"],
];

/** Keys that a focused control needs itself, by its kind. A text field also needs all others but function keys. */
const neededKeys: Readonly<Record<Exclude<FocusKind, "text">, readonly string[]>> = {
  arrows: arrowKeys,
  list: ["ArrowUp", "ArrowDown", "Home", "End"],
  press: ["Space"],
  map: ["ArrowUp", "ArrowDown"],
  none: [],
};

export function findCommand(press: KeyPress, focus: FocusKind, settings: KeySettings): Command | undefined {
  const key = toKeyName(press);
  // Whatever its keys are, Escape closes.
  if (key === "Escape") return "close";
  if (focus === "text" ? !/^F\d+$/.test(key) : neededKeys[focus].includes(key)) return undefined;
  const command = commands.find((candidate) => activeKeysOf(candidate, settings).includes(key));
  if (command === undefined || (rowOf(command).on === "map" && focus !== "map")) return undefined;
  return command;
}

export function focusKindOf(element: Element | null): FocusKind {
  if (!element) return "none";
  const role = element.getAttribute("role");
  if (element instanceof HTMLInputElement) {
    if (element.type === "range" || element.type === "radio") return "arrows";
    return element.type === "checkbox" ? "press" : "text";
  }
  if (element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement) return "text";
  if (role === "slider") return "arrows";
  if (role === "listbox") return "list";
  if (element.closest(".map-region")) return "map";
  return element instanceof HTMLButtonElement || element.tagName === "SUMMARY" ? "press" : "none";
}
