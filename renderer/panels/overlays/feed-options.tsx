// The options of an address or a folder that the host reads: its pace, a stop, and its removal.
import { useEffect, useState, type ReactNode } from "react";
import type { ConfiguredOverlay } from "../../../shared/contract/overlays.ts";
import { pacesWith } from "../../state/forms/typed-overlay.ts";
import type { OverlayFeed } from "../../state/overlays/held-overlay.ts";
import { mayAct } from "../../state/slices/tasks-slice.ts";
import { paceWords } from "../../text/overlay-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { ActionButton, Button } from "../controls/button.tsx";
import { Choice } from "../controls/fields.tsx";

export function FeedOptions({ feed }: { readonly feed: OverlayFeed }): ReactNode {
  const isAllowed = useViewerState((state) => mayAct(state.access));
  return isAllowed && <FeedChoices feed={feed} />;
}

function FeedChoices({ feed: { id } }: { readonly feed: OverlayFeed }): ReactNode {
  const { actions, hostOverlays } = useViewer();
  const [overlay, setOverlay] = useState<ConfiguredOverlay>();
  useEffect(() => {
    let isGone = false;
    void actions.ask("overlays.list", {}).then((listed) => {
      if (!isGone && "ok" in listed) setOverlay(listed.ok.overlays.find((each) => each.id === id));
    });
    return () => {
      isGone = true;
    };
  }, [actions, id]);
  if (!overlay) return null;
  const { name, on, source } = overlay;

  async function change(part: Partial<ConfiguredOverlay>): Promise<void> {
    const changed = await actions.act("overlays.change", { ...overlay!, ...part });
    if (changed) setOverlay(changed);
    void hostOverlays.refresh();
  }

  return (
    <>
      {source.kind === "address" && (
        <Choice
          name="Every"
          spokenName={`How often ${name} is asked`}
          value={source.everySeconds}
          onChange={(value) => void change({ source: { ...source, everySeconds: Number(value) } })}
        >
          {pacesWith(source.everySeconds).map((seconds) => (
            <option key={seconds} value={seconds}>
              {paceWords(seconds)}
            </option>
          ))}
        </Choice>
      )}
      <div className="overlay-buttons">
        <ActionButton
          name={`${on ? "Stop reading" : "Read again"}: ${name}`}
          onPress={() => void change({ on: !on })}
        >
          {on ? "Stop reading" : "Read again"}
        </ActionButton>
        <Button
          name={`Remove: ${name}`}
          onPress={() => void actions.act("overlays.remove", { id }).then(hostOverlays.refresh)}
        >
          {source.kind === "folder" ? "Remove folder" : "Remove"}
        </Button>
      </div>
    </>
  );
}
