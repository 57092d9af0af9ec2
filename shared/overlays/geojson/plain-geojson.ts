// GeoJSON that is a person's own: titles, descriptions, colors and times by their usual names.
import type { OverlayContent, OverlayFormat, OverlayShape } from "../overlay.ts";
import { toLabel, toPlainText } from "../reading/plain-text.ts";
import { ShapeGatherer } from "../reading/shape-gatherer.ts";
import { readFeatureTimes } from "./feature-times.ts";
import type { Feature, ParsedFeatures, Properties } from "./parse-features.ts";
import { readSimpleStyle } from "./simple-style.ts";

/** Properties that a person reads where a feature has no description. */
const mostProperties = 20;
const styleNames = /^(?:stroke|fill|marker|icon|label)(?:-|$)|^styleUrl$|^@/;

export function toPlainOverlay(
  name: string,
  format: OverlayFormat,
  { features, title, notes = [] }: ParsedFeatures,
): OverlayContent {
  const gatherer = new ShapeGatherer(name);
  for (const note of notes) gatherer.note(note);
  for (const feature of features) addFeature(gatherer, feature);
  return gatherer.finish(format, { title: typeof title === "string" ? toLabel(title) : undefined });
}

function addFeature(gatherer: ShapeGatherer, { properties, geometries }: Feature): void {
  if (geometries.length === 0) gatherer.note("Features without a place are not drawn");
  const { isUnreadable, ...times } = readFeatureTimes(properties);
  if (isUnreadable) gatherer.note("Times that cannot be read are ignored");
  const about: Omit<OverlayShape, "geometry"> = {
    ...times,
    label: findTitle(properties),
    text: findText(properties),
    style: readSimpleStyle(properties),
  };
  for (const geometry of geometries) gatherer.add({ geometry, ...about });
}

/** The last two are those of outlooks of the Storm Prediction Center. */
const titleNames: readonly string[] = ["title", "name", "Name", "NAME", "LABEL2", "LABEL"];

function findTitle(properties: Properties): string | undefined {
  const title = titleNames.map((name) => properties[name]).find(isWord);
  return title === undefined ? undefined : toLabel(String(title));
}

function findText(properties: Properties): string | undefined {
  const description = properties.description ?? properties.Description;
  if (typeof description === "string" && description !== "") return toPlainText(description);
  const lines = Object.entries(properties)
    .filter(([name, value]) => isWord(value) && !styleNames.test(name) && !titleNames.includes(name))
    .slice(0, mostProperties)
    .map(([name, value]) => `${name}: ${String(value)}`);
  return toPlainText(lines.join("\n"));
}

function isWord(value: unknown): value is string | number | boolean {
  return (
    (typeof value === "string" && value !== "") || typeof value === "number" || typeof value === "boolean"
  );
}
