// The part for the presenter alone: next step, notes, and the revisions that wait.
import type { ReactNode } from "react";
import type { PresenterState } from "../../state/briefing/presenter-messages.ts";
import { toNoteLines, waitingRevision } from "../../text/presenter-text.ts";
import { toShowScale } from "../briefing/use-show-scale.ts";
import { NextMap } from "./next-map.tsx";

interface ProjectorProps {
  readonly projector: PresenterState;
}

export function NextStep({ projector: { steps, current, nextSwath, screen } }: ProjectorProps): ReactNode {
  const next = steps[current + 1];
  const mapWidthPx = screen.widthPx / toShowScale(screen.widthPx, screen.heightPx);
  return (
    <section className="presenter-next" aria-labelledby="next-step">
      <h2 className="presenter-label" id="next-step">
        {next ? `Next · ${current + 2} ${next.title}` : "Next · this is the last step"}
      </h2>
      {next && <NextMap view={next.view} swath={nextSwath} projectorWidthPx={mapWidthPx} />}
    </section>
  );
}

export function Notes({ projector: { steps, current } }: ProjectorProps): ReactNode {
  const lines = toNoteLines(steps[current]?.notes ?? "");
  return (
    <section className="presenter-notes" aria-labelledby="presenter-notes">
      <h2 className="presenter-label" id="presenter-notes">
        Notes
      </h2>
      {/* Long notes scroll, also by keyboard. */}
      <div className="presenter-words" tabIndex={0} role="group" aria-label="Notes of this step">
        {lines.length === 0 && <p className="quiet">No notes for this step</p>}
        {lines.map(({ isPoint, text }, index) => (
          <p key={index} data-point={isPoint}>
            {text}
          </p>
        ))}
      </div>
    </section>
  );
}

/** Most revisions that are named. */
const mostNamed = 4;

/** A revision of the window shown comes first, in amber. */
export function WaitingList({ waiting }: Pick<PresenterState, "waiting">): ReactNode {
  const ordered = [...waiting.filter((one) => one.isOfShown), ...waiting.filter((one) => !one.isOfShown)];
  return (
    <section className="presenter-waiting" aria-label="Waiting, not on the projector">
      <p>
        <strong>Waiting</strong> <span className="quiet">not on the projector</span>
      </p>
      {waiting.length === 0 ? (
        <p className="quiet">Nothing newer</p>
      ) : (
        <ul>
          {ordered.slice(0, mostNamed).map((revision) => (
            <li key={revision.sequence} className={revision.isOfShown ? "warning" : undefined}>
              {waitingRevision(revision)}
            </li>
          ))}
        </ul>
      )}
      {waiting.length > mostNamed && <p className="quiet">and {waiting.length - mostNamed} more</p>}
    </section>
  );
}
