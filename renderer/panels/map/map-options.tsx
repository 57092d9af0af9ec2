// The options of the map in one small panel: what the ground shows, the theme, the notation of coordinates, and a
// map file of the person's own.
import { useId, useRef, type ReactNode } from "react";
import type { GroundPart, MapTheme } from "../../basemap/ground-parts.ts";
import { cursorNotations } from "../../state/tools/tools-slice.ts";
import { notationNames } from "../../text/coordinate-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { Flyout } from "../controls/flyout.tsx";
import { MapOptionsIcon } from "../controls/icons.tsx";
import { Segmented, type SegmentOption } from "../controls/segmented.tsx";

/** In the order of the panel, with the zoom level in words where a part appears later. */
const parts: readonly { readonly id: GroundPart; readonly label: string; readonly hint: string }[] = [
  { id: "cities", label: "Cities and towns", hint: "More with each zoom" },
  { id: "counties", label: "Counties", hint: "Lines over a few states, names closer in" },
  { id: "warning-areas", label: "Warning areas (CWA)", hint: "Dashed, with the office; drawn by county" },
  { id: "highways", label: "Interstates", hint: "Over a few states and closer" },
  { id: "water", label: "Lakes and rivers", hint: "The Great Lakes always show" },
  { id: "airports", label: "Airports", hint: "Hubs first, others closer in" },
  { id: "radars", label: "Radars (WSR-88D)", hint: "Sites with their identifier" },
];

const themes: readonly SegmentOption<MapTheme>[] = [
  { value: "dark", label: "Dark" },
  { value: "light", label: "Light", hint: "For projectors and bright rooms" },
];

export function MapOptions(): ReactNode {
  return (
    <div className="map-options">
      <Flyout
        id="map-options"
        name="Map options"
        title="Map options"
        label={<MapOptionsIcon />}
        panelClass="map-options-panel"
      >
        <h2>On the map</h2>
        <ul className="ground-parts">
          {parts.map((part) => (
            <li key={part.id}>
              <PartSwitch {...part} />
            </li>
          ))}
        </ul>
        <h2>Theme</h2>
        <ThemeChoice />
        <h2>Coordinates</h2>
        <NotationChoice />
        <h2>Your map file</h2>
        <UserMapFile />
      </Flyout>
    </div>
  );
}

function PartSwitch({ id, label, hint }: (typeof parts)[number]): ReactNode {
  const { store } = useViewer();
  const isShown = useViewerState(({ ground }) => ground[id]);
  return (
    <label className="ground-part" title={hint}>
      <input
        type="checkbox"
        className="check"
        checked={isShown}
        onChange={(event) => {
          store.getState().setGroundPart(id, event.target.checked);
        }}
      />
      {label}
    </label>
  );
}

function ThemeChoice(): ReactNode {
  const { store } = useViewer();
  const theme = useViewerState((state) => state.theme);
  return <Segmented legend="Theme" options={themes} value={theme} onChange={store.getState().setTheme} />;
}

function NotationChoice(): ReactNode {
  const { store } = useViewer();
  const notation = useViewerState((state) => state.cursorNotation);
  return (
    <Segmented
      legend="Notation of coordinates"
      options={cursorNotations.map((value) => ({ value, ...notationNames[value] }))}
      value={notation}
      onChange={store.getState().setCursorNotation}
    />
  );
}

/** Chooses a file, names the one that is shown, and says why one is not. */
function UserMapFile(): ReactNode {
  const { store } = useViewer();
  const input = useRef<HTMLInputElement>(null);
  const problemId = useId();
  const fileName = useViewerState(({ userMap }) => userMap?.name);
  const problem = useViewerState(({ userMapProblem }) => userMapProblem);
  const choose = (chosen: File | undefined): void => {
    store.getState().setUserMap(chosen);
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".pmtiles"
        hidden
        aria-label="Map file"
        onChange={({ target }) => {
          const [chosen] = target.files ?? [];
          if (chosen) choose(chosen);
          // The same file can be chosen again.
          target.value = "";
        }}
      />
      {problem !== undefined && (
        <p className="bad" id={problemId} role="alert">
          {problem}
        </p>
      )}
      {fileName === undefined ? (
        <p>A PMTiles file is read on this computer only, until you close the viewer.</p>
      ) : (
        <p className="user-map-name">{fileName}</p>
      )}
      <div className="map-file-buttons">
        <Button className="button small" onPress={() => input.current?.click()}>
          {fileName === undefined ? "Choose file…" : "Choose another…"}
        </Button>
        {fileName !== undefined && (
          <Button
            className="button small"
            onPress={() => {
              choose(undefined);
            }}
          >
            Remove
          </Button>
        )}
      </div>
    </>
  );
}
