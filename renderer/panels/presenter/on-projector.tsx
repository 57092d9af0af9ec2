// The projector as the presenter sees it: map, title of the step, facts of the picture, list of steps.
import { useEffect, useRef, type ReactNode } from "react";
import type { PresenterState } from "../../state/briefing/presenter-messages.ts";
import { clockDay, publicationDelay, timeWithZone } from "../../text/format.ts";
import { changeOf } from "../../text/presenter-text.ts";
import { natureNotes } from "../../../shared/revisions/event-origin.ts";
import { usePresenter, usePresenterView } from "./presenter-context.ts";

interface ProjectorProps {
  readonly projector: PresenterState;
}

export function OnProjector({ projector }: ProjectorProps): ReactNode {
  const { steps, current, screen, reading, differences } = projector;
  const step = steps[current];
  const nature = step?.view.panes[step.view.active]?.event.nature;
  const note = nature && natureNotes[nature];
  return (
    <section className="presenter-projector" aria-labelledby="on-projector">
      <div className="presenter-line">
        <h2 className="presenter-label" id="on-projector">
          On the projector · step {current + 1} of {steps.length}
        </h2>
        <span className="caption">
          {screen.widthPx} × {screen.heightPx}
        </span>
      </div>
      <Picture projector={projector} />
      <h3 className="presenter-title">{step?.title}</h3>
      <Facts picture={projector.picture} isLive={nature === "live"} />
      {reading !== null && (
        <p className="quiet" role="status">
          Step {reading + 1} is being read
        </p>
      )}
      {differences.map((sentence) => (
        <p className="warning" key={sentence}>
          {sentence}
        </p>
      ))}
      <StepList projector={projector} />
      <p className="caption">
        {[note, "Radar estimates", "Not a warning source"].filter(Boolean).join(". ")}.
      </p>
    </section>
  );
}

/** The map on the projector as it was sent last; dark while the projector is. */
function Picture({ projector: { black, steps, current } }: ProjectorProps): ReactNode {
  const image = usePresenterView(({ picture }) => picture);
  const shown = useRef<HTMLImageElement>(null);
  useEffect(() => {
    if (!image) return undefined;
    const address = URL.createObjectURL(image);
    shown.current!.src = address;
    return () => {
      URL.revokeObjectURL(address);
    };
  }, [image]);
  return (
    <div className="presenter-picture" data-black={black}>
      {image ? (
        <img ref={shown} alt={`Map on the projector: ${steps[current]?.title ?? ""}`} />
      ) : (
        <p className="quiet">The picture comes with the projector's next repaint</p>
      )}
      {black && <p className="presenter-black">The projector is black</p>}
    </div>
  );
}

interface FactsProps extends Pick<PresenterState, "picture"> {
  /** False for an event whose publication is the time at which it was added to this machine. */
  readonly isLive: boolean;
}

function Facts({ picture, isLive }: FactsProps): ReactNode {
  if (!picture) return <p className="quiet">No picture yet</p>;
  const observedMs = Date.parse(picture.observedAt);
  const publishedMs = picture.publishedAt === null ? undefined : Date.parse(picture.publishedAt);
  const { words, isLate } = changeOf(picture);
  return (
    <dl className="presenter-facts" aria-label="Picture on the projector">
      <div>
        <dt>Observed</dt>
        <dd>
          {timeWithZone(observedMs)} <span className="quiet">{clockDay(observedMs)}</span>
        </dd>
      </div>
      {publishedMs !== undefined && (
        <div>
          <dt>{isLive ? "Published" : "Added here"}</dt>
          <dd>
            {timeWithZone(publishedMs)}{" "}
            <span className="quiet">{publicationDelay(observedMs, publishedMs)}</span>
          </dd>
        </div>
      )}
      <div>
        <dt>Revision</dt>
        <dd>
          {picture.sequence} <span className={isLate ? "warning" : "quiet"}>{words}</span>
        </dd>
      </div>
    </dl>
  );
}

function StepList({ projector: { steps, current } }: ProjectorProps): ReactNode {
  const { session } = usePresenter();
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.children[current]?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return (
    <ol className="presenter-steps" aria-label="Steps" ref={list}>
      {steps.map(({ id, title }, index) => (
        <li key={id}>
          <button
            type="button"
            aria-current={index === current ? "step" : undefined}
            title={title}
            onClick={() => {
              session.goTo(index);
            }}
          >
            {index + 1} {title}
          </button>
        </li>
      ))}
    </ol>
  );
}
