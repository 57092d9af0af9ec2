// The light banner that says what "As known at" hides, with the way back. One stands on the timeline, one on the map.
import { useEffect, useState, type ReactNode } from "react";
import { laterHidden } from "../../../text/known-at-text.ts";
import { useIsSideBySide, usePaneName, useViewer, useViewerState } from "../../../viewer-context.ts";
import { Button } from "../../controls/button.tsx";
import { useKnownAt } from "./use-known-at.ts";

interface TimelineBannerProps {
  /** Opens the field for another time. */
  readonly onEdit: () => void;
  /** The field, while a time is typed: it takes the place of the time, and of nothing else. */
  readonly field: ReactNode;
}

/** Its button is the one for keys and screen readers. */
export function TimelineKnownAtBanner({ onEdit, field }: TimelineBannerProps): ReactNode {
  const { store } = useViewer();
  const at = useKnownAt();
  if (!at) return null;
  return (
    <div className="known-banner">
      <p>
        <strong>As known at</strong>{" "}
        {!field && (
          <button type="button" className="link known-edit" title="Type another time" onClick={onEdit}>
            <span className="known-wide">{at.at}</span>
            <span className="known-narrow">{at.atShort}</span>
          </button>
        )}
      </p>
      {field}
      <p className="known-count">
        <span className="known-wide">{[at.place, at.hidden].filter((part) => part !== "").join(" · ")}</span>
        <span className="known-narrow">{at.hiddenShort}</span>
      </p>
      <Button className="known-back" onPress={store.getState().backToNow}>
        Back to now
      </Button>
    </div>
  );
}

export function MapKnownAtBanner(): ReactNode {
  const { store } = useViewer();
  const isSideBySide = useIsSideBySide();
  const name = usePaneName("Back to now");
  const at = useKnownAt();
  if (!at) return null;
  return (
    <div className="known-banner map-known-banner">
      <p title={at.age && `${at.age.name}: ${at.age.value}`}>
        <strong>As known at {at.at}</strong>
        {at.place && ` · ${at.place}`} · {at.hidden}
      </p>
      {/* Of one map, the same button is on the timeline, in the order of Tab. */}
      <button
        type="button"
        className="known-back"
        aria-label={name}
        tabIndex={isSideBySide ? 0 : -1}
        aria-hidden={!isSideBySide}
        onClick={store.getState().backToNow}
      >
        Back to now
      </button>
    </div>
  );
}

/** Tells a screen reader that more is hidden when a revision arrives, and nothing while the handle moves. */
export function HiddenStatus(): ReactNode {
  const { store } = useViewer();
  const [told, setTold] = useState("");
  const isOn = useViewerState((state) => state.knownAt !== undefined);
  useEffect(
    () =>
      store.subscribe(({ history, knownAt }, before) => {
        const hidden = history.all.length - history.revisions.length;
        const isArrival = history.all !== before.history.all && knownAt === before.knownAt;
        if (isArrival && knownAt !== undefined) setTold(laterHidden(hidden));
      }),
    [store],
  );
  return (
    <p className="unseen" role="status">
      {isOn ? told : ""}
    </p>
  );
}
