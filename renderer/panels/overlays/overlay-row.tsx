// One overlay of the list: its switch, how many shapes are shown, by which rule, and from where.
import { useState, type ReactNode } from "react";
import { boundsOfShape } from "../../map/overlays/shape-hits.ts";
import { isInReach, toReachNm } from "../../map/overlays/view-reach.ts";
import { selectShownRevision } from "../../state/selectors.ts";
import type { ShownOverlay } from "../../state/overlays/shown-overlays.ts";
import {
  madeUpWords,
  nameOf,
  ruleWords,
  sourceWords,
  unreachedWords,
  waitWords,
} from "../../text/overlay-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { MoreIcon } from "../controls/icons.tsx";
import { OverlayOptions } from "./overlay-options.tsx";
import { OverlaySymbol } from "./overlay-symbol.tsx";

export function OverlayRow({ shown }: { readonly shown: ShownOverlay }): ReactNode {
  const { store } = useViewer();
  const { overlay } = shown;
  const [isOpen, setOpen] = useState(false);
  const name = nameOf(overlay);
  return (
    <li className="overlay-row" data-on={overlay.isOn}>
      <div className="overlay-head">
        <label className="overlay-switch" title={name}>
          <input
            type="checkbox"
            className="check"
            aria-label={name}
            checked={overlay.isOn}
            onChange={({ target }) => {
              store.getState().chooseForOverlay(overlay.id, { isOn: target.checked });
            }}
          />
          <OverlaySymbol overlay={overlay} />
          <span className="overlay-name">{name}</span>
        </label>
        {overlay.content && <ShownCount shown={shown} />}
        <Button
          className="icon-button tiny"
          name={`Options of ${name}`}
          isOpen={isOpen}
          onPress={() => {
            setOpen(!isOpen);
          }}
        >
          <MoreIcon />
        </Button>
      </div>
      <OverlayFacts shown={shown} />
      {isOpen && <OverlayOptions overlay={overlay} />}
    </li>
  );
}

function OverlayFacts({ shown }: { readonly shown: ShownOverlay }): ReactNode {
  const { overlay } = shown;
  const { content, problem, unreachedSinceMs, feed } = overlay;
  const observedMs = useViewerState((state) => selectShownRevision(state)?.observedMs);
  const source = useViewerState((state) => sourceWords(overlay, state.nowMs));
  return (
    <>
      {content && (
        <p className="overlay-rule">
          {overlay.origin === "synthetic" && <span className="overlay-made-up">{madeUpWords} · </span>}
          {ruleWords(shown, observedMs)}
        </p>
      )}
      {!content && problem === undefined && <p className="overlay-rule">{waitWords(feed)}</p>}
      {problem !== undefined && (
        <p className="overlay-problem bad" role="status">
          {problem}
        </p>
      )}
      {(source !== "" || unreachedSinceMs !== undefined) && (
        <p className="overlay-source">
          {source}
          {unreachedSinceMs !== undefined && (
            <span className="warning">
              {source !== "" && " · "}
              {unreachedWords(unreachedSinceMs)}
            </span>
          )}
        </p>
      )}
      {feed?.problem !== undefined && (
        <p className="overlay-problem warning" role="status">
          {feed.problem}
        </p>
      )}
    </>
  );
}

/** Counts the shapes shown that are in view, and not only farther in. */
function ShownCount({ shown: { shapes } }: { readonly shown: ShownOverlay }): ReactNode {
  const view = useViewerState((state) => state.view?.bounds);
  const [west, south, east, north] = view ?? [-180, -90, 180, 90];
  const reachNm = view ? toReachNm(view) : 0;
  const inView = shapes.filter((shape) => {
    if (!isInReach(shape, reachNm)) return false;
    const bounds = boundsOfShape(shape);
    return bounds[0] <= east && bounds[2] >= west && bounds[1] <= north && bounds[3] >= south;
  });
  return (
    <span className="overlay-count" title={`${inView.length} in view, ${shapes.length} in all`}>
      {inView.length.toLocaleString("en-US")} shown
    </span>
  );
}
