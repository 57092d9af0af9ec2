// Formats and parses the place of a finding (`where`), so that a repair can start from the findings of a verification.

export type FindingPlace =
  | { readonly kind: "catalog" }
  | { readonly kind: "event"; readonly eventId: string }
  | { readonly kind: "revision"; readonly eventId: string; readonly sequence: number }
  | { readonly kind: "frame"; readonly frameId: string }
  | { readonly kind: "steps"; readonly eventId: string }
  | { readonly kind: "overlay"; readonly eventId: string; readonly name: string }
  | { readonly kind: "other" };

export const catalogPlace = "catalog.sqlite";

export function eventPlace(eventId: string, catalog = catalogPlace): string {
  return `${catalog}, event ${eventId}`;
}

export function revisionPlace(eventId: string, sequence: number, catalog = catalogPlace): string {
  return `${eventPlace(eventId, catalog)}, sequence ${sequence}`;
}

/** The steps of an event's briefing. */
export function stepsPlace(eventId: string, catalog = catalogPlace): string {
  return `${catalog}, steps of ${eventId}`;
}

/** An overlay kept with an event. */
export function overlayPlace(eventId: string, name: string, catalog = catalogPlace): string {
  return `${catalog}, overlay ${name} of ${eventId}`;
}

export function framePlace(frameId: string): string {
  return `frames/${frameId.slice(0, 2)}/${frameId}.png`;
}

const revision = /^catalog\.sqlite, event (.*), sequence (\d+)$/s;
const event = /^catalog\.sqlite, event (.*)$/s;
const steps = /^catalog\.sqlite, steps of (.*)$/s;
const overlay = /^catalog\.sqlite, overlay (.*?) of (.*)$/s;
const frame = /^frames\/([0-9a-f]{2})\/(\1[0-9a-f]{62})\.png$/;

export function parsePlace(where: string): FindingPlace {
  if (where === catalogPlace) return { kind: "catalog" };
  const inRevision = revision.exec(where);
  if (inRevision) return { kind: "revision", eventId: inRevision[1]!, sequence: Number(inRevision[2]) };
  const inEvent = event.exec(where);
  if (inEvent) return { kind: "event", eventId: inEvent[1]! };
  const inSteps = steps.exec(where);
  if (inSteps) return { kind: "steps", eventId: inSteps[1]! };
  const inOverlay = overlay.exec(where);
  if (inOverlay) return { kind: "overlay", name: inOverlay[1]!, eventId: inOverlay[2]! };
  const inFrame = frame.exec(where);
  return inFrame ? { kind: "frame", frameId: inFrame[2]! } : { kind: "other" };
}
