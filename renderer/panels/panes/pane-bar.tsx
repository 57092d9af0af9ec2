// The bar over the panes: how many, by what they are locked and what that means now, and what they share.
import type { ReactNode } from "react";
import { locks } from "../../state/panes/lock.ts";
import { paneCounts, type PaneCount, type PanesState } from "../../state/panes/pane-store.ts";
import { lockMeaning, lockWords } from "../../text/pane-text.ts";
import { usePanes, useViewer } from "../../viewer-context.ts";
import { BriefingButton } from "../briefing/briefing-button.tsx";
import { FourPanesIcon, LockIcon, OnePaneIcon, OpenLockIcon, TwoPanesIcon } from "../controls/icons.tsx";
import { ExportButton } from "../export/export-dialog.tsx";
import { Segmented, type SegmentOption } from "../controls/segmented.tsx";
import { usePaneFacts } from "./use-from-panes.ts";

const countLooks: Readonly<Record<PaneCount, SegmentOption<PaneCount>>> = {
  1: { value: 1, label: <OnePaneIcon />, name: "One pane" },
  2: { value: 2, label: <TwoPanesIcon />, name: "Two panes" },
  4: { value: 4, label: <FourPanesIcon />, name: "Four panes" },
};
const countOptions = paneCounts.map((count) => countLooks[count]);
const lockOptions = locks.map((value) => ({ value, ...lockWords[value] }));

export function PaneBar(): ReactNode {
  const { panes } = useViewer();
  const count = usePanes((state) => state.count);
  const lock = usePanes((state) => state.lock);
  return (
    <section className="pane-bar" aria-label="Side by side">
      <span className="caption">Panes</span>
      <Segmented legend="Panes" options={countOptions} value={count} onChange={panes.setCount} />
      <PairSwitch />
      <span className="caption pane-lock-caption">Locked by</span>
      <Segmented
        legend="Locked by"
        options={lockOptions}
        value={lock}
        onChange={(value) => {
          panes.store.setState({ lock: value });
        }}
      />
      <LockMeaning />
      <div className="pane-toggles">
        <Toggle id="crosshairInAll" name="Crosshair in all panes" short="Crosshair" />
        <Toggle id="sameZoom" name="Same zoom" short="Zoom" />
        <Toggle id="samePlace" name="Same place" short="Place" />
      </div>
      <div className="pane-tools">
        <ExportButton />
        <BriefingButton />
      </div>
    </section>
  );
}

/** On a narrow screen, which two of four panes are shown. */
function PairSwitch(): ReactNode {
  const { panes } = useViewer();
  const pair = usePanes((state) => state.pair);
  const isShown = usePanes((state) => state.isNarrow && state.count === 4);
  if (!isShown) return null;
  const options: readonly SegmentOption<0 | 1>[] = [
    { value: 0, label: "A B" },
    { value: 1, label: "C D" },
  ];
  return <Segmented legend="Panes shown" options={options} value={pair} onChange={panes.showPair} />;
}

function LockMeaning(): ReactNode {
  const lock = usePanes((state) => state.lock);
  const active = usePanes((state) => state.active);
  const meaning = lockMeaning(lock, active, usePaneFacts());
  return (
    <p className="lock-meaning" role="status" aria-label="Lock" title={meaning} data-lock={lock}>
      {lock === "off" ? <OpenLockIcon /> : <LockIcon />}
      <span>{meaning}</span>
    </p>
  );
}

interface ToggleProps {
  readonly id: keyof Pick<PanesState, "crosshairInAll" | "sameZoom" | "samePlace">;
  readonly name: string;
  /** For a narrow screen. */
  readonly short: string;
}

function Toggle({ id, name, short }: ToggleProps): ReactNode {
  const { panes } = useViewer();
  const isOn = usePanes((state) => state[id]);
  return (
    <button
      type="button"
      className="toggle"
      aria-label={name}
      aria-pressed={isOn}
      title={name}
      onClick={() => {
        panes.store.setState({ [id]: !isOn });
      }}
    >
      <span className="toggle-long">{name}</span>
      <span className="toggle-short">{short}</span>
    </button>
  );
}
