// Everything that stands on the map above the storm: words, measured lines, the mark of a place, pins. Bottom first.
import type { Map as MapLibreMap } from "maplibre-gl";
import { PinMarkers } from "./pin-markers.ts";
import { PlaceMarker } from "./place-marker.ts";
import { SwathLabels } from "./swath-labels.ts";
import { ToolDrawing } from "./tools/tool-drawing.ts";

export class MapMarks {
  readonly swathLabels = new SwathLabels();
  readonly tools = new ToolDrawing();
  readonly place = new PlaceMarker();
  readonly pins = new PinMarkers();

  /** Call it on each new style, which has no custom images, sources or layers. */
  addTo(map: MapLibreMap): void {
    for (const part of [this.swathLabels, this.tools, this.place, this.pins]) part.addTo(map);
  }
}
