// Publishing a briefing of the selected event, and the briefings of other events.
import { useState, type ReactNode } from "react";
import type { Briefing } from "../../../../shared/contract/briefings.ts";
import { selectSelectedEvent } from "../../../state/selectors.ts";
import { behindWords, briefingFacts, briefingIntroduction } from "../../../text/briefing-text.ts";
import { useViewer, useViewerState } from "../../../viewer-context.ts";
import { Button, ShowOnMapButton } from "../../controls/button.tsx";
import { ExpandableRow } from "../../controls/expandable.tsx";
import { CopyField } from "../../controls/fields.tsx";
import { PublishBriefing } from "./publish-form.tsx";

export function MyBriefings(): ReactNode {
  const { phase, list } = useViewerState((state) => state.briefings);
  const selected = useViewerState(selectSelectedEvent);
  const briefing = list.find(({ eventId }) => eventId === selected?.id);
  const others = list.filter(({ eventId }) => eventId !== selected?.id);
  return (
    <>
      {phase === "failed" && (
        <p className="bad">Can't read the briefings now. The panel retries automatically.</p>
      )}
      {list.length === 0 && <p>{briefingIntroduction}</p>}
      {selected ? (
        <>
          <PublishBriefing key={selected.id} event={selected} briefing={briefing} />
          {briefing && (
            <div className="briefing-place" role="group" aria-label={`Briefing of ${selected.label}`}>
              <BriefingPlace briefing={briefing} />
            </div>
          )}
        </>
      ) : (
        <p>Select an event from the list to publish its briefing here.</p>
      )}
      {others.length > 0 && (
        <>
          <h2>{selected ? "Other briefings" : "Briefings"}</h2>
          <ul aria-label="Briefings of other events">
            {others.map((other) => (
              <BriefingRow key={other.eventId} briefing={other} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

interface BriefingProps {
  readonly briefing: Briefing;
}

function BriefingRow({ briefing }: BriefingProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { label, eventId, behind } = briefing;
  return (
    <ExpandableRow
      label={label}
      mark={behind > 0 ? `${behind} behind` : ""}
      isMarkWarning={behind > 0}
      facts={briefingFacts(briefing)}
      title={`Briefing of ${label}`}
      isOpen={isOpen}
      onToggle={() => {
        setOpen(!isOpen);
      }}
    >
      {behind > 0 && <p className="warning">{behindWords(briefing)}</p>}
      <BriefingPlace briefing={briefing} />
      <div className="button-row">
        <ShowOnMapButton eventId={eventId} words="Show on map to publish again" />
      </div>
    </ExpandableRow>
  );
}

/** The address of a briefing, if it is online, and its folder. */
function BriefingPlace({ briefing: { address, folder, label } }: BriefingProps): ReactNode {
  const { store } = useViewer();
  return (
    <>
      {address === null ? (
        <p>
          Not online yet.{" "}
          <Button
            className="link"
            onPress={() => {
              store.getState().setSharePart("gateway");
            }}
          >
            Turn on the web server
          </Button>
        </p>
      ) : (
        <>
          <div className="button-row">
            <a
              className="button small"
              href={address}
              target="_blank"
              rel="noopener noreferrer"
              aria-label={`Open the briefing of ${label} in a new window`}
            >
              Open
            </a>
          </div>
          <CopyField name="Address" value={address} />
        </>
      )}
      <CopyField
        name="Folder"
        value={folder}
        words="On the computer that runs Echotop: plain files for any web server."
      />
    </>
  );
}
