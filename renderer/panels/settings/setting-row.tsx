// A setting of a few values, as a row of the dialog.
import type { ReactNode } from "react";
import type { ViewerState } from "../../state/store.ts";
import { useViewerState } from "../../viewer-context.ts";
import { CaptionedChoice, type SegmentOption } from "../controls/segmented.tsx";

interface SettingRowProps<T> {
  readonly caption: string;
  /** Accessible name; by default the caption. */
  readonly legend?: string;
  readonly options: readonly SegmentOption<T>[];
  readonly select: (state: ViewerState) => readonly [value: T, set: (value: T) => void];
}

export function SettingRow<T extends string | number>({ select, ...row }: SettingRowProps<T>): ReactNode {
  const [value, set] = useViewerState(select);
  return (
    <CaptionedChoice className="settings-row" legend={row.caption} {...row} value={value} onChange={set} />
  );
}
