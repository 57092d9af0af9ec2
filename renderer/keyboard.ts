// The keyboard shortcuts of the whole screen. Keys that the focused control needs are left to it.

export interface KeyHelp {
  readonly keys: readonly string[];
  readonly does: string;
}

export const keyHelp: readonly KeyHelp[] = [
  { keys: ["Space"], does: "Play or pause" },
  { keys: ["←", "→"], does: "Previous, next frame" },
  { keys: ["Page Up", "Page Down"], does: "Jump 10 frames forward/back" },
  { keys: ["Home", "End"], does: "First, last frame loaded" },
  { keys: ["N"], does: "Newest frame, and follow it" },
  { keys: ["R"], does: "Flip to the other version of a frame" },
  { keys: ["[", "]"], does: "Previous, next correction" },
  { keys: ["O"], does: "Order of the timeline" },
  { keys: ["K"], does: "As known at: go to the handle (← → move it, End: now)" },
  { keys: ["C"], does: "What changed: on, off" },
  { keys: ["B"], does: "Hold: the revision before" },
  { keys: ["V"], does: "Only revisions that change this view" },
  { keys: ["D"], does: "Measure: on, off (Backspace takes a point back, Esc ends)" },
  { keys: ["G"], does: "Storm motion: on, off" },
  { keys: ["L"], does: "Go to layers" },
  { keys: ["M"], does: "One, two or four panes side by side" },
  { keys: ["F6"], does: "Next pane" },
  { keys: ["J"], does: "Next lock of the panes" },
  { keys: ["T"], does: "Fold or unfold the timeline" },
  { keys: ["1", "2"], does: "Show or hide a layer" },
  { keys: ["W"], does: "Show or hide the largest hail so far" },
  { keys: ["/"], does: "Search places (Enter: go there)" },
  { keys: ["+", "−"], does: "Zoom in, out" },
  { keys: ["0"], does: "Show the whole event" },
  { keys: ["Tab to the map, then arrows"], does: "Move crosshair (Shift: bigger steps)" },
  { keys: ["S"], does: "Save the picture" },
  { keys: ["Ctrl C on the map"], does: "Copy the picture" },
  { keys: ["E"], does: "Export: picture, loop, data, link" },
  { keys: ["Click", "Enter on the map"], does: "Pin the reading at the pointer or crosshair" },
  { keys: ["P"], does: "Pin the place at the pointer or crosshair: its story" },
  { keys: ["Esc"], does: "Close, clear, unpin, leave the crosshair" },
  { keys: ["?"], does: "This list" },
];

const namedKeys = {
  " ": "play-or-pause",
  ArrowLeft: "previous",
  ArrowRight: "next",
  PageDown: "ten-back",
  PageUp: "ten-forward",
  Home: "first",
  End: "last",
  Escape: "close",
  F6: "next-pane",
  Backspace: "take-back",
} as const;

/** Single-character keys; people can turn them off, because speech input can press them by accident. */
const characterKeys = {
  n: "newest",
  r: "flip",
  "[": "previous-correction",
  "]": "next-correction",
  o: "timeline-order",
  k: "known-at",
  c: "what-changed",
  b: "hold-before",
  v: "view-changes",
  p: "pin-place",
  d: "measure",
  g: "storm-motion",
  l: "layers",
  w: "so-far",
  t: "fold-timeline",
  m: "pane-count",
  j: "next-lock",
  e: "export",
  s: "save-picture",
  "1": "layer-1",
  "2": "layer-2",
  "/": "search",
  "+": "zoom-in",
  "=": "zoom-in",
  "-": "zoom-out",
  "0": "whole-event",
  "?": "keys",
} as const;

/** Shows the revision before while it is held. */
export const holdKey = "b";

type NamedKey = keyof typeof namedKeys;
type CharacterKey = keyof typeof characterKeys;
export type Command = (typeof namedKeys)[NamedKey] | (typeof characterKeys)[CharacterKey] | "copy-picture";

export type KeyPress = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

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

const arrowCommands: readonly Command[] = ["previous", "next", "ten-back", "ten-forward", "first", "last"];

export function findCommand(
  press: KeyPress,
  focus: FocusKind,
  characterKeysOn: boolean,
): Command | undefined {
  if (press.ctrlKey || press.metaKey || press.altKey) {
    const isCopy = press.key.toLowerCase() === "c" && !press.altKey && !press.shiftKey;
    return isCopy && focus === "map" ? "copy-picture" : undefined;
  }
  const keys: Readonly<Record<string, Command>> = characterKeysOn
    ? { ...namedKeys, ...characterKeys }
    : namedKeys;
  const command = keys[press.key] ?? keys[press.key.toLowerCase()];
  if (command === undefined || command === "close" || command === "next-pane") return command;
  if (focus === "text") return undefined;
  if (focus === "arrows" && arrowCommands.includes(command)) return undefined;
  if (focus === "list" && (command === "first" || command === "last")) return undefined;
  if (focus === "press" && command === "play-or-pause") return undefined;
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
