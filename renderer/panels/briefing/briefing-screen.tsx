// The projector: the map over the whole screen, and over it what the last row must be able to read. Nothing on it
// changes but by a key of the presenter; what arrives is only counted.
import { useEffect, type ReactNode } from "react";
import { natureOf } from "../../../shared/revisions/event-origin.ts";
import { selectIsLoadingPicture, selectSelectedEvent } from "../../state/selectors.ts";
import { isOtherPicture, type Show } from "../../state/briefing/show.ts";
import { basemapCredits } from "../../text/export-text.ts";
import { showTitle } from "../../text/briefing-mode-text.ts";
import { useBriefing, useIsSideBySide, useViewerState } from "../../viewer-context.ts";
import { NatureNote } from "../map/truth-strip.tsx";
import { FrozenNote } from "./frozen-note.tsx";
import { ShowFacts } from "./show-facts.tsx";
import { ShowLegends } from "./show-legends.tsx";
import { ShowReading } from "./show-reading.tsx";
import { KeyHints, ShowSteps } from "./show-steps.tsx";
import { usePresenterPictures } from "./use-presenter-pictures.ts";
import { useFullScreen } from "./use-full-screen.ts";
import { useShowKeys } from "./use-show-keys.ts";
import { useShowScale } from "./use-show-scale.ts";

export function BriefingScreen(): ReactNode {
  const show = useBriefing((state) => state.show);
  return show && <ShowOf show={show} />;
}

function ShowOf({ show }: { readonly show: Show }): ReactNode {
  const isSideBySide = useIsSideBySide();
  const nature = useViewerState((state) => {
    const event = selectSelectedEvent(state);
    return event && natureOf(event);
  });
  const title = showTitle(show);
  useShowScale();
  useFullScreen();
  usePresenterPictures();
  const isResting = useShowKeys();
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div
      className="show"
      role="document"
      aria-label={title}
      data-nature={nature}
      data-resting={isResting}
      data-notes={show.notes}
    >
      <div className="show-top">
        <div className="show-truth">
          <h1 className="show-title">{show.steps[show.current]?.title}</h1>
          {!isSideBySide && (
            <>
              <ShowFacts />
              <div className="show-marks">
                <NatureNote />
                {isOtherPicture(show) && <p className="note">Not as recorded</p>}
              </div>
            </>
          )}
        </div>
        <div className="show-standing">
          <FrozenNote show={show} />
          <ShowNotice show={show} />
        </div>
      </div>
      {!isSideBySide && (
        <>
          <ShowReading />
          <ShowLegends />
        </>
      )}
      {show.notes && <PresenterNotes show={show} />}
      <ShowCredits />
      <div className="show-bottom">
        <ShowSteps show={show} />
        <KeyHints isFrozen={show.frozen !== undefined} />
      </div>
      {show.black && <div className="show-black" />}
    </div>
  );
}

/** A question that the presenter has asked for, or the step that is being read. */
function ShowNotice({ show }: { readonly show: Show }): ReactNode {
  const isLoading = useViewerState(selectIsLoadingPicture);
  if (show.asking === "leave") {
    return (
      <p className="show-box show-question" role="alert">
        Leave the briefing? <kbd>Esc</kbd> again leaves, any other key stays
      </p>
    );
  }
  if (show.asking === "unfreeze") {
    return (
      <p className="show-box show-question" role="alert">
        Unfreeze and jump to the newest? <kbd>F</kbd> again does, any other key stays
      </p>
    );
  }
  if (show.wanted === show.current && !isLoading) return null;
  return (
    <p className="show-box show-waits" role="status">
      Step {show.wanted + 1} is being read
    </p>
  );
}

function PresenterNotes({ show }: { readonly show: Show }): ReactNode {
  const step = show.steps[show.current];
  const next = show.steps[show.current + 1];
  return (
    <section className="show-notes" aria-label="Notes">
      <p className="show-notes-words">{step?.notes === "" ? "No notes for this step" : step?.notes}</p>
      <p className="quiet">
        {next ? `Next: ${next.title}` : "This is the last step"} · Only one screen found
      </p>
    </section>
  );
}

function ShowCredits(): ReactNode {
  const attribution = useViewerState((state) => state.history.attribution);
  return (
    <footer className="show-credits">
      <p>Radar estimates. Not a warning source.</p>
      <p>{[attribution, basemapCredits].filter((part) => part !== "").join(" · ")}</p>
    </footer>
  );
}
