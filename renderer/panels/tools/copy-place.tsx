// Copies the place of a reading, in the chosen notation.
import { useState, type ReactNode } from "react";
import type { Coordinate } from "../../../shared/contract/index.ts";
import { placeToCopy } from "../../text/coordinate-text.ts";
import { useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { CopyIcon } from "../controls/icons.tsx";

type Copied = "not-yet" | "done" | "denied";

const words: Readonly<Record<Copied, string>> = {
  "not-yet": "",
  done: "Copied",
  denied: "The browser does not allow copying here",
};

export function CopyPlace({ coordinate }: { readonly coordinate: Coordinate }): ReactNode {
  const notation = useViewerState((state) => state.cursorNotation);
  const [copied, setCopied] = useState<{ readonly text: string; readonly result: Copied }>();
  const text = placeToCopy(coordinate, notation);
  const result = copied?.text === text ? copied.result : "not-yet";
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setCopied({ text, result: "done" });
    } catch {
      // Some browsers, and pages of plain HTTP from another machine, deny access to the clipboard.
      setCopied({ text, result: "denied" });
    }
  }
  return (
    <>
      <Button className="icon-button tiny" name={`Copy ${text}`} onPress={() => void copy()}>
        <CopyIcon />
      </Button>
      <span className="caption quiet" role="status">
        {words[result]}
      </span>
    </>
  );
}
