// A panel with tabs, one part in view. Without the right to act it shows only its introduction.
import { useEffect, useRef, type ReactNode } from "react";
import { mayAct } from "../../state/slices/tasks-slice.ts";
import { useViewerState } from "../../viewer-context.ts";
import { Segmented } from "./segmented.tsx";

export interface TabbedPanelProps<View extends string> {
  /** Accessible name of the tabs. */
  readonly legend: string;
  /** Label of each part, in order. */
  readonly tabs: Readonly<Record<View, string>>;
  readonly view: View;
  readonly introduction: string;
  readonly onChange: (view: View) => void;
  readonly children: ReactNode;
}

export function TabbedPanel<View extends string>(props: TabbedPanelProps<View>): ReactNode {
  const { legend, tabs, view, introduction, onChange, children } = props;
  const access = useViewerState((state) => state.access);
  const panel = useRef<HTMLDivElement>(null);
  // A link that led to another part is gone with its own part: focus moves to the new tab.
  useEffect(() => {
    if (document.activeElement === document.body)
      panel.current?.querySelector<HTMLElement>("input:checked")?.focus();
  }, [view]);
  if (!mayAct(access)) return <p>{introduction}</p>;
  const options = (Object.keys(tabs) as View[]).map((value) => ({ value, label: tabs[value] }));
  return (
    <div ref={panel} className="panel-parts">
      <Segmented legend={legend} options={options} value={view} onChange={onChange} />
      {children}
    </div>
  );
}
