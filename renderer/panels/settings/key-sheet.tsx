// The sheet of keys, in the page for the printer only: black on white, with the keys as they are now.
import type { ReactNode } from "react";
import { activeKeysOf, commandGroups, commands, mapKeyHelp, rowOf, toKeyLabel } from "../../keyboard.ts";
import { groupNames } from "../../text/settings-text.ts";
import { useViewerState } from "../../viewer-context.ts";

export function KeySheet(): ReactNode {
  const ownKeys = useViewerState((state) => state.ownKeys);
  const characterKeys = useViewerState((state) => state.characterKeys);
  return (
    <div className="key-sheet">
      <h1>Echotop: keys</h1>
      <div className="key-sheet-groups">
        {commandGroups.map((group) => (
          <section key={group}>
            <h2>{groupNames[group]}</h2>
            <dl>
              {commands
                .filter((command) => rowOf(command).group === group)
                .map((command) => (
                  <SheetRow
                    key={command}
                    keys={activeKeysOf(command, { ownKeys, characterKeys }).map(toKeyLabel)}
                    does={rowOf(command).does}
                  />
                ))}
              {group === "Map" && mapKeyHelp.map((row) => <SheetRow key={row.does} {...row} />)}
            </dl>
          </section>
        ))}
      </div>
    </div>
  );
}

function SheetRow({ keys, does }: { readonly keys: readonly string[]; readonly does: string }): ReactNode {
  return (
    <div>
      <dt>{keys.join(", ") || "–"}</dt>
      <dd>{does}</dd>
    </div>
  );
}
