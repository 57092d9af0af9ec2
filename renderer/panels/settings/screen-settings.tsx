// Size of the text, theme, and how the viewer starts.
import type { ReactNode } from "react";
import { textSizes } from "../../state/settings/settings-slice.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { SettingRow } from "./setting-row.tsx";

const sizeWords = { 100: "Usual", 112: "Larger", 125: "Largest" } as const;
const sizes = textSizes.map((value) => ({ value, label: sizeWords[value] }));
const themes = [
  { value: "dark", label: "Dark" },
  { value: "light", label: "Light" },
] as const;

export function ScreenSettings(): ReactNode {
  const { store } = useViewer();
  const startsWhereLeft = useViewerState((state) => state.startsWhereLeft);
  return (
    <section className="settings-section" aria-label="Screen">
      <h3>Screen</h3>
      <SettingRow
        caption="Text size"
        options={sizes}
        select={(state) => [state.textSize, state.setTextSize]}
      />
      <SettingRow
        caption="Colors"
        legend="Colors of the screen"
        options={themes}
        select={(state) => [state.theme, state.setTheme]}
      />
      <label className="settings-check" title="Event, map, layers, pins and panes of the last visit">
        <input
          type="checkbox"
          className="check"
          checked={startsWhereLeft}
          onChange={(event) => {
            store.getState().setStartsWhereLeft(event.target.checked);
          }}
        />
        Start where I left off
      </label>
    </section>
  );
}
