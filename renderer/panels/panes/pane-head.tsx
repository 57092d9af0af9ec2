// The head of a pane: its letter, event, layers, and as of when it is known.
import type { ReactNode } from "react";
import { natureOf, splitLabel } from "../../../shared/revisions/event-origin.ts";
import {
  knownLayersOf,
  selectSelectedEvent,
  selectShownRevision,
  toLayerViews,
} from "../../state/selectors.ts";
import { layerShortNames, natureWords } from "../../text/state-text.ts";
import { useIsShow, usePanes, useViewer, useViewerState } from "../../viewer-context.ts";
import { PaneKnownAt } from "./pane-known-at.tsx";

export function PaneHead(): ReactNode {
  const { letter } = useViewer();
  const isActive = usePanes(({ active }) => active === letter);
  const isShow = useIsShow();
  return (
    <header className="pane-head">
      <span className="pane-letter" data-active={isActive} aria-hidden="true">
        {letter}
      </span>
      {isShow ? (
        <EventName />
      ) : (
        <>
          <EventChoice />
          <LayerToggles />
          <PaneKnownAt />
        </>
      )}
    </header>
  );
}

/** The event on a projector, where nothing is chosen. */
function EventName(): ReactNode {
  const event = useViewerState(selectSelectedEvent);
  return event && <span>{splitLabel(event.label).name}</span>;
}

function EventChoice(): ReactNode {
  const { letter, store } = useViewer();
  const list = useViewerState(({ events }) => events.list);
  const event = useViewerState(selectSelectedEvent);
  return (
    <>
      <select
        className="field select pane-event"
        aria-label={`Event of pane ${letter}`}
        value={event?.id ?? ""}
        onChange={({ target }) => {
          store.getState().chooseEvent(target.value);
        }}
      >
        {event === undefined && <option value="">Choose an event</option>}
        {list.map(({ id, label }) => (
          <option key={id} value={id}>
            {splitLabel(label).name}
          </option>
        ))}
      </select>
      {event && (
        <span className={`nature nature-${natureOf(event)}`}>
          {natureWords[natureOf(event)].toLowerCase()}
        </span>
      )}
    </>
  );
}

function LayerToggles(): ReactNode {
  const { letter, store } = useViewer();
  const known = useViewerState((state) => knownLayersOf(state.history.revisions));
  const revision = useViewerState(selectShownRevision);
  const preferences = useViewerState((state) => state.layerPreferences);
  return (
    <div className="pane-layers" role="group" aria-label={`Layers of pane ${letter}`}>
      {toLayerViews(known, revision, preferences).map(({ layer, visible, delivered }) => (
        <button
          key={layer.id}
          type="button"
          className="toggle"
          aria-pressed={visible}
          data-delivered={delivered}
          title={delivered ? layer.label : `${layer.label}: not delivered for this window`}
          onClick={() => {
            store.getState().setLayerVisible(layer.id, !visible);
          }}
        >
          {layerShortNames[layer.id]}
        </button>
      ))}
    </div>
  );
}
