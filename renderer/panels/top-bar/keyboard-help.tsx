// The list of keyboard shortcuts, and the switch for those of a single character.
import type { ReactNode } from "react";
import { keyHelp } from "../../keyboard.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";

export function KeyboardHelp(): ReactNode {
  const { store } = useViewer();
  const characterKeys = useViewerState((state) => state.characterKeys);
  return (
    <>
      <h2>Keyboard</h2>
      <dl>
        {keyHelp.map(({ keys, does }) => (
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
    </>
  );
}
