// Publishing a briefing of the event on screen, and the briefings of the others.
import { useState, type ReactNode } from "react";
import type { Briefing } from "../../../shared/contract/briefings.ts";
import { behindWords, briefingFacts, briefingSentence } from "../../text/briefing-text.ts";
import { selectSelectedEvent } from "../../state/selectors.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { ChevronIcon } from "../controls/icons.tsx";
import { BriefingPlace } from "./briefing-place.tsx";
import { PublishBriefing } from "./publish-form.tsx";

export function MyBriefings(): ReactNode {
  const { phase, list } = useViewerState((state) => state.briefings);
  const selected = useViewerState(selectSelectedEvent);
  const others = list.filter(({ eventId }) => eventId !== selected?.id);
  return (
    <>
      {phase === "failed" && (
        <p className="bad">The briefings cannot be read now; the panel asks again by itself.</p>
      )}
      {list.length === 0 && <p>{briefingSentence}</p>}
      {selected ? (
        <PublishBriefing
          key={selected.id}
          event={selected}
          briefing={list.find(({ eventId }) => eventId === selected.id)}
        />
      ) : (
        <p>Choose an event from the list on the left; then its briefing is published here.</p>
      )}
      {others.length > 0 && (
        <>
          <h2>{selected ? "Other briefings" : "Briefings"}</h2>
          <ul className="pack-list" aria-label="Briefings of other events">
            {others.map((briefing) => (
              <BriefingRow key={briefing.eventId} briefing={briefing} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function BriefingRow({ briefing }: { readonly briefing: Briefing }): ReactNode {
  const { store } = useViewer();
  const [open, setOpen] = useState(false);
  const { label, eventId, behind } = briefing;
  const isThere = useViewerState(({ events }) => events.list.some(({ id }) => id === eventId));
  return (
    <li className="pack">
      <button
        type="button"
        className="pack-head"
        aria-expanded={open}
        title={label}
        onClick={() => {
          setOpen(!open);
        }}
      >
        <ChevronIcon />
        <span className="pack-label">{label}</span>
        {behind > 0 && <span className="pack-mark late">{behind} behind</span>}
        <span className="pack-facts caption">{briefingFacts(briefing)}</span>
      </button>
      {open && (
        <div className="pack-body" role="group" aria-label={`Briefing of ${label}`}>
          {behind > 0 && <p className="late">{behindWords(briefing)}</p>}
          <BriefingPlace briefing={briefing} />
          {isThere && (
            <div className="button-row">
              <button
                type="button"
                className="button small"
                aria-label={`Show on the map, and publish again: ${label}`}
                onClick={() => {
                  store.getState().chooseEvent(eventId);
                }}
              >
                Show on the map, and publish again…
              </button>
            </div>
          )}
        </div>
      )}
    </li>
  );
}
