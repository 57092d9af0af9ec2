// Alerts as the API of the National Weather Service has them: CAP fields as properties of features.
import type { OverlayContent } from "../overlay.ts";
import { readInstant } from "../reading/read-instant.ts";
import { toPlainText } from "../reading/plain-text.ts";
import { ShapeGatherer } from "../reading/shape-gatherer.ts";
import type { Feature, ParsedFeatures, Properties } from "./parse-features.ts";
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
  for (const feature of features) addAlert(gatherer, feature);
  return gatherer.finish("nws-alerts", { title: toWords(title) });
}

function addAlert(gatherer: ShapeGatherer, feature: Feature): void {
  const { properties } = feature;
  if (properties.status !== undefined && properties.status !== "Actual") {
    gatherer.note("Tests and exercises are not drawn");
    return;
  }
  if (properties.messageType === "Cancel") {
    gatherer.note("Cancellations are not drawn");
    return;
  }
  addWarning(gatherer, feature, {
    fromMs: readInstant(properties.onset ?? properties.effective ?? properties.sent),
    // `expires` is the end of the message; a watch lasts until `ends`.
    toMs: readInstant(properties.ends ?? properties.expires),
    warning: toWarning(toWords(properties.event) ?? "Alert", toWords(properties.senderName)),
    text: toPlainText(
      [properties.headline, properties.description, properties.instruction]
        .filter((part) => typeof part === "string")
        .join("\n\n"),
    ),
  });
}
