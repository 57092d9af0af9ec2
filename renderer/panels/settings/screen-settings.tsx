// Size of the text, theme, and how the viewer starts.
import type { ReactNode } from "react";
import { textSizes } from "../../state/settings/settings-slice.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { CaptionedChoice } from "../controls/segmented.tsx";

const sizeWords = { 100: "Usual", 112: "Larger", 125: "Largest" } as const;
const sizes = textSizes.map((value) => ({ value, label: sizeWords[value] }));
const themes = [
  { value: "dark", label: "Dark" },
  { value: "light", label: "Light" },
] as const;

export function ScreenSettings(): ReactNode {
  const { store } = useViewer();
  const textSize = useViewerState((state) => state.textSize);
  const theme = useViewerState((state) => state.theme);
  const startsWhereLeft = useViewerState((state) => state.startsWhereLeft);
  const { setTextSize, setTheme, setStartsWhereLeft } = store.getState();
  return (
    <section className="settings-section" aria-label="Screen">
      <h3>Screen</h3>
      <CaptionedChoice
        className="settings-row"
        caption="Text size"
        legend="Text size"
        options={sizes}
        value={textSize}
        onChange={setTextSize}
      />
      <CaptionedChoice
        className="settings-row"
        caption="Colors"
        legend="Colors of the screen"
        options={themes}
        value={theme}
        onChange={setTheme}
      />
      <label className="settings-check" title="Event, map, layers, pins and panes of the last visit">
        <input
          type="checkbox"
          className="check"
          checked={startsWhereLeft}
          onChange={(event) => {
            setStartsWhereLeft(event.target.checked);
          }}
        />
        Start where I left off
      </label>
    </section>
  );
}
