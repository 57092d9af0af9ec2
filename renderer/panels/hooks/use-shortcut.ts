// The keys of a command as buttons and tooltips name them.
import { activeKeysOf, isCharacter, toKeyLabel, type Command } from "../../keyboard.ts";
import { useViewerState } from "../../viewer-context.ts";

export interface Shortcut {
  /** `N`; undefined if no key acts now. */
  readonly label: string | undefined;
  /** Value of `aria-keyshortcuts`. */
  readonly aria: string | undefined;
  /** Adds the key to a tooltip: `Newest frame (N)`. */
  readonly after: (words: string) => string;
}

export function useShortcut(command: Command): Shortcut {
  const ownKeys = useViewerState((state) => state.ownKeys);
  const characterKeys = useViewerState((state) => state.characterKeys);
  const keys = activeKeysOf(command, { ownKeys, characterKeys });
  const label = keys[0] === undefined ? undefined : toKeyLabel(keys[0]);
  return {
    label,
    aria: keys.length === 0 ? undefined : keys.map(toAriaKey).join(" "),
    after: (words) => (label === undefined ? words : `${words} (${label})`),
  };
}

function toAriaKey(key: string): string {
  const name = key.replace(/^Ctrl\+/, "Control+");
  return isCharacter(key) ? key.toUpperCase().replace("+", "Plus") : name;
}
