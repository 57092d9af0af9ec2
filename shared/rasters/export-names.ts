// The names of data files, the same on the command line and in the viewer.
import type { StormEvent } from "../contract/storm-event.ts";
import { natureOf } from "../revisions/event-origin.ts";
import type { ExportedLayer } from "./exported-layer.ts";

export function toGeotiffName({ revision, id }: Pick<ExportedLayer, "revision" | "id">): string {
  return `echotop-${revision.event.id}-rev${revision.sequence}-${id}.tif`;
}

/** Returns the name of a file of several layers or revisions, without its ending. */
export function toStem(layers: readonly Pick<ExportedLayer, "revision">[]): string {
  const sequences = layers.map(({ revision }) => revision.sequence);
  const [first, last] = [Math.min(...sequences), Math.max(...sequences)];
  return `echotop-${layers[0]!.revision.event.id}-rev${first === last ? first : `${first}-${last}`}`;
}

/** Returns the name of a table. It has no line for words, so its name says if the storms are synthetic. */
export function toCsvName(event: Pick<StormEvent, "id" | "kind" | "label">, content: string): string {
  const mark = natureOf(event).startsWith("synthetic") ? "-synthetic" : "";
  return `echotop-${event.id}${mark}-${content}.csv`;
}
