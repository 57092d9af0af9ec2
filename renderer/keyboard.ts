// The keys that work anywhere on the screen, and what each asks for. What a control needs for itself is left to it.

export type Command =
  | "play-or-pause"
  | "previous"
  | "next"
  | "ten-back"
  | "ten-forward"
  | "first"
  | "last"
  | "newest"
  | "layers"
  | "layer-1"
  | "layer-2"
  | "search"
  | "zoom-in"
  | "zoom-out"
  | "whole-event"
  | "keys"
  | "close";

export interface KeyHelp {
  readonly keys: readonly string[];
  readonly does: string;
}

export const keyHelp: readonly KeyHelp[] = [
  { keys: ["Space"], does: "play or pause" },
  { keys: ["←", "→"], does: "previous, next revision" },
  { keys: ["Page Up", "Page Down"], does: "ten revisions forward, back" },
  { keys: ["Home", "End"], does: "first, last revision held" },
  { keys: ["N"], does: "newest revision, and follow it" },
  { keys: ["L"], does: "to the layers" },
  { keys: ["1", "2"], does: "show or hide a layer" },
  { keys: ["/"], does: "search places; Enter goes there" },
  { keys: ["+", "−"], does: "zoom in, out" },
  { keys: ["0"], does: "whole event in view" },
  { keys: ["Tab to the map, then arrows"], does: "crosshair probe; with Shift farther" },
  { keys: ["Esc"], does: "close, clear, leave the crosshair" },
  { keys: ["?"], does: "this list" },
];

const namedKeys: Readonly<Record<string, Command>> = {
  " ": "play-or-pause",
  ArrowLeft: "previous",
  ArrowRight: "next",
  PageDown: "ten-back",
  PageUp: "ten-forward",
  Home: "first",
  End: "last",
  Escape: "close",
};

/** Keys that print a character; a person may switch them off, because speech input can press them by accident. */
const characterKeys: Readonly<Record<string, Command>> = {
  n: "newest",
  l: "layers",
  "1": "layer-1",
  "2": "layer-2",
  "/": "search",
  "+": "zoom-in",
  "=": "zoom-in",
  "-": "zoom-out",
  "0": "whole-event",
  "?": "keys",
};

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** What stands under the keyboard focus, as far as it matters here. */
export type FocusKind =
  /** Takes letters: every key but Escape is its own. */
  | "text"
  /** Moves with arrows, Home, End and pages: sliders and radio buttons. */
  | "arrows"
  /** Moves up and down, and to both ends: a list, which leaves left and right to the revisions. */
  | "list"
  /** Is pressed with Space. */
  | "press"
  | "none";

const arrowCommands: ReadonlySet<Command> = new Set([
  "previous",
  "next",
  "ten-back",
  "ten-forward",
  "first",
  "last",
]);

export function findCommand(
  press: KeyPress,
  focus: FocusKind,
  characterKeysOn: boolean,
): Command | undefined {
  if (press.ctrlKey || press.metaKey || press.altKey) return undefined;
  const named = namedKeys[press.key];
  const command = named ?? (characterKeysOn ? characterKeys[press.key.toLowerCase()] : undefined);
  if (command === undefined || command === "close") return command;
  if (focus === "text") return undefined;
  if (focus === "arrows" && arrowCommands.has(command)) return undefined;
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
  return element instanceof HTMLButtonElement || element.tagName === "SUMMARY" ? "press" : "none";
}
