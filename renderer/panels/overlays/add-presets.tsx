// Official warnings and reports for the time of the event, fetched once and kept with it.
import type { ReactNode } from "react";
import type { OverlayPreset } from "../../../shared/contract/overlays.ts";
import { findPresetObstacle } from "../../state/forms/typed-overlay.ts";
import { selectSelectedEvent } from "../../state/selectors.ts";
import { presetWords } from "../../text/overlay-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { ActionButton } from "../controls/button.tsx";

const presets: readonly OverlayPreset[] = ["iem-warnings", "iem-reports", "nws-alerts"];

export function AddPresets(): ReactNode {
  const obstacle = useViewerState((state) => findPresetObstacle(selectSelectedEvent(state), state.tasks));
  return (
    <>
      <h2>Kept with this event</h2>
      {obstacle !== undefined && <p className="caption">{obstacle}</p>}
      <ul>
        {presets.map((preset) => (
          <PresetRow key={preset} preset={preset} obstacle={obstacle} />
        ))}
      </ul>
    </>
  );
}

interface RowProps {
  readonly preset: OverlayPreset;
  readonly obstacle: string | undefined;
}

function PresetRow({ preset, obstacle }: RowProps): ReactNode {
  const { actions } = useViewer();
  const eventId = useViewerState(({ selectedEventId }) => selectedEventId);
  const { name, source } = presetWords[preset];
  return (
    <li className="known-event">
      <div className="known-words">
        <span className="known-label">{name}</span>
        <span className="caption">{source}</span>
      </div>
      <ActionButton
        name={`Fetch: ${name}`}
        unavailable={obstacle}
        onPress={() => {
          if (eventId !== undefined) void actions.act("overlays.fetchPreset", { eventId, preset });
        }}
      >
        Fetch
      </ActionButton>
    </li>
  );
}
