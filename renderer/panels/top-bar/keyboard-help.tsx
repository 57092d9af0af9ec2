// The list of keyboard shortcuts, and the switch for those of a single character.
import type { ReactNode } from "react";
import { activeKeysOf, commands, mapKeyHelp, rowOf, toKeyLabel } from "../../keyboard.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";

export function KeyboardHelp(): ReactNode {
  const { store } = useViewer();
  const ownKeys = useViewerState((state) => state.ownKeys);
  const rows = commands.map((command) => ({
    // While single characters are off, the list still shows them: its switch turns them on.
    keys: activeKeysOf(command, { ownKeys, characterKeys: true }).map(toKeyLabel),
    does: rowOf(command).does,
  }));
  return (
    <>
      <h2>Keyboard</h2>
      <dl>
        {[...rows, ...mapKeyHelp]
          .filter(({ keys }) => keys.length > 0)
          .map(({ keys, does }) => (
            <div key={does}>
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
      </dl>
      <CharacterKeysSwitch />
      <Button
        onPress={() => {
          store.getState().toggleFlyout("settings");
        }}
      >
        Change the keys…
      </Button>
    </>
  );
}

export function CharacterKeysSwitch(): ReactNode {
  const { store } = useViewer();
  const characterKeys = useViewerState((state) => state.characterKeys);
  return (
    <label className="check-row">
      <input
        type="checkbox"
        className="check"
        checked={characterKeys}
        onChange={(event) => {
          store.getState().setCharacterKeys(event.target.checked);
        }}
      />
      Use single-key shortcuts
    </label>
  );
}
