// The keys of all commands by group, with the ways to change, reset and print them.
import type { ReactNode } from "react";
import { createPortal } from "react-dom";
import { commandGroups, commands, rowOf } from "../../keyboard.ts";
import { groupNames } from "../../text/settings-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { CharacterKeysSwitch } from "../top-bar/keyboard-help.tsx";
import { KeyRow } from "./key-row.tsx";
import { KeySheet } from "./key-sheet.tsx";

export function KeySettings(): ReactNode {
  const { store } = useViewer();
  const hasOwn = useViewerState(({ ownKeys }) => Object.keys(ownKeys).length > 0);
  return (
    <section className="settings-column settings-keys" aria-label="Keys">
      <div className="settings-keys-head">
        <h3>Keys</h3>
        <Button
          unavailable={hasOwn ? undefined : "All keys are as they were at first"}
          onPress={() => {
            store.getState().setOwnKeys({});
          }}
        >
          Reset all keys
        </Button>
        <Button
          name="Print the sheet of keys"
          onPress={() => {
            window.print();
          }}
        >
          Print…
        </Button>
      </div>
      <CharacterKeysSwitch />
      {commandGroups.map((group) => (
        <div key={group} role="group" aria-label={groupNames[group]}>
          <h4>{groupNames[group]}</h4>
          <ul>
            {commands
              .filter((command) => rowOf(command).group === group)
              .map((command) => (
                <KeyRow key={command} command={command} />
              ))}
          </ul>
        </div>
      ))}
      <p className="caption">
        A control in focus keeps the keys that it needs itself: a field its letters, a slider its arrows.
      </p>
      {createPortal(<KeySheet />, document.body)}
    </section>
  );
}
