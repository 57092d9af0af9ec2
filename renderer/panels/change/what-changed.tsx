// The card "What changed": its switch, the pair of revisions, and the counts. The map shows the same pair.
import { Fragment, type ReactNode } from "react";
import { selectChangePair, selectLaterVersion, type ChangePair } from "../../state/change/change-pair.ts";
import { knownLayersOf, selectWantedRevision } from "../../state/selectors.ts";
import {
  comparisonName,
  laterVersionWords,
  noChangeWords,
  pairWords,
  timesWords,
} from "../../text/change-text.ts";
import { layerShortNames } from "../../text/state-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { Segmented } from "../controls/segmented.tsx";
import { ChangeCounts } from "./change-counts.tsx";
import { ChangeLegend } from "./change-legend.tsx";
import { CompareWith } from "./compare-with.tsx";
import { useShortcut } from "../hooks/use-shortcut.ts";

export function WhatChanged(): ReactNode {
  const { store } = useViewer();
  const { after, aria } = useShortcut("what-changed");
  const isOn = useViewerState((state) => state.isComparing);
  const hasLayers = useViewerState((state) => knownLayersOf(state.history.revisions).length > 0);
  const pair = useViewerState(selectChangePair);
  if (!hasLayers) return null;
  return (
    <section className="what-changed" aria-label="What changed">
      <label className="layer-switch" title={after("What changed")}>
        <input
          type="checkbox"
          className="check"
          aria-label={comparisonName(pair)}
          aria-keyshortcuts={aria}
          checked={isOn}
          onChange={(event) => {
            store.getState().setComparing(event.target.checked);
          }}
        />
        <span className="layer-name">What changed</span>
        {!isOn && pair && <span className="quiet layer-unit">{pairWords(pair)}</span>}
        {isOn && pair && <span className="quiet layer-unit">{layerShortNames[pair.shown.id]}</span>}
      </label>
      {isOn && (pair ? <Comparison pair={pair} /> : <NothingToCompare />)}
      {isOn && <LaterVersionNote />}
    </section>
  );
}

function Comparison({ pair }: { readonly pair: ChangePair }): ReactNode {
  const nothing = noChangeWords(pair);
  return (
    <>
      <CompareWith after={pair.after} before={pair.before} />
      <LayerChoice pair={pair} />
      {nothing === undefined && <ChangeLegend layer={pair.shown.after!} />}
      {nothing === undefined ? <ChangeCounts pair={pair} /> : <p className="caption">{nothing}</p>}
      <p className="caption quiet">{timesWords(pair)}</p>
    </>
  );
}

function NothingToCompare(): ReactNode {
  const shown = useViewerState(selectWantedRevision);
  return (
    <>
      <p className="caption">
        Choose a correction <CorrectionKeys /> to see what it changed, or a revision to compare with.
      </p>
      {shown && <CompareWith after={shown} before={undefined} />}
    </>
  );
}

/** Only where several layers can be compared. */
function LayerChoice({ pair: { layers, shown } }: { readonly pair: ChangePair }): ReactNode {
  const { store } = useViewer();
  const changed = layers.filter(({ kind }) => kind === "changed");
  if (changed.length < 2) return null;
  return (
    <div className="change-row">
      <Segmented
        legend="Compared layer"
        options={changed.map(({ id }) => ({ value: id, label: layerShortNames[id] }))}
        value={shown.id}
        onChange={store.getState().setComparedLayer}
      />
    </div>
  );
}

/** A later revision of this window leaves the pair on screen. */
function LaterVersionNote(): ReactNode {
  const { store } = useViewer();
  const revisions = useViewerState((state) => state.history.revisions);
  const later = useViewerState(selectLaterVersion);
  return (
    <p className="change-later caption" role="status">
      {later && (
        <>
          {laterVersionWords(revisions, later)}
          <Button
            className="link"
            onPress={() => {
              store.getState().compareWith(later.sequence);
            }}
          >
            Compare with {later.sequence}
          </Button>
        </>
      )}
    </p>
  );
}

function CorrectionKeys(): ReactNode {
  const labels = [useShortcut("previous-correction").label, useShortcut("next-correction").label];
  const keys = labels.filter((label) => label !== undefined);
  if (keys.length === 0) return null;
  return (
    <>
      (
      {keys.map((key, index) => (
        <Fragment key={key}>
          {index > 0 && " "}
          <kbd>{key}</kbd>
        </Fragment>
      ))}
      )
    </>
  );
}
