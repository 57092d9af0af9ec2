// Alerts as the API of the National Weather Service has them: CAP fields as properties of features.
import type { OverlayContent } from "../overlay.ts";
import { readInstant } from "../reading/read-instant.ts";
import { toPlainText } from "../reading/plain-text.ts";
import { ShapeGatherer } from "../reading/shape-gatherer.ts";
import { isProperties, type Feature, type ParsedFeatures, type Properties } from "./parse-features.ts";
import { addWarning, toWarning, toWords } from "./warning-features.ts";

export function isAlert(properties: Properties): boolean {
  return (
    typeof properties.event === "string" &&
    typeof properties.sent === "string" &&
    "expires" in properties &&
    ("severity" in properties || "senderName" in properties)
  );
}

export function toAlerts(name: string, { features, title }: ParsedFeatures): OverlayContent {
  const gatherer = new ShapeGatherer(name);
  const replaced = findReplaced(features);
  for (const feature of features) addAlert(gatherer, feature, replaced);
  return gatherer.finish("nws-alerts", { title: toWords(title) });
}

/** Returns when updates and cancellations in the list replaced other alerts, by the names of those. */
function findReplaced(features: readonly Feature[]): ReadonlyMap<unknown, number> {
  const replaced = new Map<unknown, number>();
  for (const { properties } of features) {
    const sentMs = readInstant(properties.sent);
    if (sentMs === undefined || !isActual(properties) || !Array.isArray(properties.references)) continue;
    for (const reference of properties.references as readonly unknown[]) {
      const id = isProperties(reference) ? reference.identifier : undefined;
      replaced.set(id, Math.min(sentMs, replaced.get(id) ?? sentMs));
    }
  }
  return replaced;
}

function isActual({ status }: Properties): boolean {
  return status === undefined || status === "Actual";
}

function addAlert(gatherer: ShapeGatherer, feature: Feature, replaced: ReadonlyMap<unknown, number>): void {
  const { properties } = feature;
  if (!isActual(properties)) {
    gatherer.note("Tests and exercises are not drawn");
    return;
  }
  if (properties.messageType === "Cancel") {
    gatherer.note("Cancellations are not drawn");
    return;
  }
  const replacedMs = replaced.get(properties.id) ?? readInstant(properties.replacedAt);
  // `expires` is the end of the message; a watch lasts until `ends`.
  const endMs = readInstant(properties.ends ?? properties.expires);
  const isReplaced = endMs !== undefined && replacedMs !== undefined && replacedMs < endMs;
  if (isReplaced) gatherer.note("Alerts end where an update or a cancellation replaced them");
  addWarning(gatherer, feature, {
    fromMs: findBeginning(properties),
    toMs: isReplaced ? replacedMs : endMs,
    warning: toWarning(toWords(properties.event) ?? "Alert", toWords(properties.senderName)),
    text: toPlainText(
      [properties.headline, properties.description, properties.instruction]
        .filter((part) => typeof part === "string")
        .join("\n\n"),
    ),
  });
}

/** An update of a flood that has begun has an onset before it was sent: nobody knew its polygon then. */
function findBeginning({ onset, effective, sent }: Properties): number | undefined {
  const fromMs = readInstant(onset ?? effective ?? sent);
  return fromMs === undefined ? undefined : Math.max(fromMs, readInstant(sent) ?? fromMs);
}
