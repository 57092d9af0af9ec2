// The person's own color table of a layer: its name, how exactly the classes show it, and its removal.
import { useState, type ReactNode } from "react";
import type { ProductId } from "../../../shared/contract/index.ts";
import { exactnessWords } from "../../text/color-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";

export function OwnTableNote({ id }: { readonly id: ProductId }): ReactNode {
  const { store } = useViewer();
  const table = useViewerState((state) => state.ownTables[id]);
  const hailUnits = useViewerState((state) => state.hailUnits);
  const [isOpen, setOpen] = useState(false);
  if (!table) return null;
  const sentences = exactnessWords(table, hailUnits);
  const isExact = sentences[0]!.startsWith("Exact");
  return (
    <div className="own-table caption">
      <p>
        <span className="own-table-name" title={table.name}>
          {table.name}
        </span>
        <Button
          className="link"
          isOpen={isOpen}
          onPress={() => {
            setOpen(!isOpen);
          }}
        >
          {isExact ? "exact" : "not exact"}
        </Button>
        <Button
          className="link"
          name={`Remove the color table ${table.name}`}
          onPress={() => {
            store.getState().removeOwnTable(id);
          }}
        >
          Remove
        </Button>
      </p>
      {isOpen && sentences.map((sentence) => <p key={sentence}>{sentence}</p>)}
    </div>
  );
}
