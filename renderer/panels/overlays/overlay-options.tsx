// The options of one overlay: its rule, color and place in the list; and notes on the parts that are not drawn.
import type { ReactNode } from "react";
import type { TimeRule } from "../../../shared/overlays/overlay.ts";
import {
  overlayColors,
  rulesFor,
  sortOf,
  type Overlay,
  type OverlayColor,
} from "../../state/overlays/held-overlay.ts";
import { ruleOf } from "../../state/overlays/shown-overlays.ts";
import { colorNames, nameOf, ruleName } from "../../text/overlay-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { Choice } from "../controls/fields.tsx";
import { FeedOptions } from "./feed-options.tsx";

const asInFile = "file";

export function OverlayOptions({ overlay }: { readonly overlay: Overlay }): ReactNode {
  const { content } = overlay;
  return (
    <div className="overlay-options">
      {content && <RuleChoice overlay={overlay} />}
      {content && sortOf(content) === "shapes" && <ColorChoice overlay={overlay} />}
      {content?.notes.map((note) => (
        <p className="caption" key={note}>
          {note}
        </p>
      ))}
      {overlay.eventId !== undefined && (
        <p className="caption">Kept with the event and its packs. Switch it off to hide it.</p>
      )}
      {overlay.feed && <FeedOptions feed={overlay.feed} />}
      <OverlayButtons overlay={overlay} />
    </div>
  );
}

function RuleChoice({ overlay }: { readonly overlay: Overlay }): ReactNode {
  const { store } = useViewer();
  const rules = overlay.content ? rulesFor(overlay.content) : [];
  const keyOf = (rule: TimeRule): string => (rule.kind === "within" ? `within-${rule.minutes}` : rule.kind);
  return (
    <Choice
      name="Shown"
      spokenName={`When ${nameOf(overlay)} is shown`}
      value={keyOf(ruleOf(overlay))}
      onChange={(value) => {
        const rule = rules.find((candidate) => keyOf(candidate) === value);
        if (rule) store.getState().chooseForOverlay(overlay.id, { rule });
      }}
    >
      {rules.map((rule) => (
        <option key={keyOf(rule)} value={keyOf(rule)}>
          {ruleName(rule)}
        </option>
      ))}
    </Choice>
  );
}

function ColorChoice({ overlay }: { readonly overlay: Overlay }): ReactNode {
  const { store } = useViewer();
  const { id, color, hasFileColors } = overlay;
  return (
    <Choice
      name="Color"
      spokenName={`Color of ${nameOf(overlay)}`}
      value={hasFileColors ? asInFile : color}
      onChange={(value) => {
        const choice =
          value === asInFile
            ? { hasFileColors: true }
            : { hasFileColors: false, color: value as OverlayColor };
        store.getState().chooseForOverlay(id, choice);
      }}
    >
      <option value={asInFile}>As in the file</option>
      {overlayColors.map((each) => (
        <option key={each} value={each}>
          {colorNames[each]}
        </option>
      ))}
    </Choice>
  );
}

function OverlayButtons({ overlay }: { readonly overlay: Overlay }): ReactNode {
  const { store, overlays } = useViewer();
  const { id, place } = overlay;
  const name = nameOf(overlay);
  const count = useViewerState((state) => state.overlays.length);
  const index = useViewerState((state) => state.overlays.findIndex((other) => other.id === id));
  return (
    <div className="overlay-buttons">
      {index > 0 && (
        <Button
          name={`Move up: ${name}`}
          onPress={() => {
            store.getState().moveOverlay(id, -1);
          }}
        >
          Move up
        </Button>
      )}
      {index < count - 1 && (
        <Button
          name={`Move down: ${name}`}
          onPress={() => {
            store.getState().moveOverlay(id, 1);
          }}
        >
          Move down
        </Button>
      )}
      {place === "page" && (
        <Button
          name={`Remove: ${name}`}
          onPress={() => {
            overlays.remove(id);
          }}
        >
          Remove
        </Button>
      )}
    </div>
  );
}
