// The story of a place as a table, for screen readers.
import { memo, type ReactNode } from "react";
import type { PlaceStory, StoryWindow } from "../../state/story/place-story.ts";
import type { PlacePin } from "../../state/slices/story-slice.ts";
import type { PublishedAt } from "../../state/slices/history-slice.ts";
import { clockMinute, clockTime, clockZoneName, type HailUnits } from "../../text/format.ts";
import { layerShortNames } from "../../text/state-text.ts";
import { cellWords, publishedMsOf } from "../../text/story-text.ts";
import { useViewerState } from "../../viewer-context.ts";
import { useClock } from "../hooks/use-clock.ts";

const layers = ["mrms-mesh", "mrms-reflectivity"] as const;

interface StoryTableProps {
  readonly pin: PlacePin;
  readonly story: PlaceStory;
}

export const StoryTable = memo(({ pin, story }: StoryTableProps): ReactNode => {
  const publishedAt = useViewerState((state) => state.publishedAt);
  const hailUnits = useViewerState((state) => state.hailUnits);
  useClock();
  const [first] = story.windows;
  const zone = first ? clockZoneName(Date.parse(first.observedAt)) : "";
  return (
    // A table keeps its height whatever its style says; the box around it does not.
    <div className="unseen">
      <table>
        <caption>{pin.label} through the event, radar estimates</caption>
        <thead>
          <tr>
            <th scope="col">Window, {zone}</th>
            {layers.map((id) => (
              <th key={id} scope="col">
                {layerShortNames[id]}
              </th>
            ))}
            <th scope="col">Published, {zone}</th>
            <th scope="col">Corrected</th>
          </tr>
        </thead>
        <tbody>
          {story.windows.map((window) => (
            <StoryRow key={window.window} window={window} publishedAt={publishedAt} hailUnits={hailUnits} />
          ))}
        </tbody>
      </table>
    </div>
  );
});

interface StoryRowProps {
  readonly window: StoryWindow;
  readonly publishedAt: Readonly<Record<string, PublishedAt>>;
  readonly hailUnits: HailUnits;
}

function StoryRow({ window, publishedAt, hailUnits }: StoryRowProps): ReactNode {
  const rows = layers.map((id) => window.layers.find((layer) => layer.id === id));
  const times = rows.flatMap((layer) => {
    const ms = layer && publishedMsOf(layer.since, { publishedAt });
    return layer ? [{ id: layer.id, time: ms === undefined ? "unknown" : clockTime(ms) }] : [];
  });
  const isOne = times.every(({ time }) => time === times[0]?.time);
  const published = isOne
    ? times[0]?.time
    : times.map(({ id, time }) => `${layerShortNames[id]} ${time}`).join(", ");
  const corrected = rows.flatMap((layer) =>
    layer?.before ? [`${layerShortNames[layer.id]} was ${cellWords(layer.before, layer.id, hailUnits)}`] : [],
  );
  return (
    <tr>
      <th scope="row">{clockMinute(Date.parse(window.observedAt))}</th>
      {rows.map((layer, at) => (
        <td key={layers[at]}>{layer ? cellWords(layer.cell, layer.id, hailUnits) : "not in this event"}</td>
      ))}
      <td>{published}</td>
      <td>{corrected.length === 0 ? "no" : corrected.join(", ")}</td>
    </tr>
  );
}
