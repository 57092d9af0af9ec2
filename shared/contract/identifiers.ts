// Patterns and names of identifiers, separate from their schemas for code that starts before the schema library loads.

/** Event ids: 1 to 64 lower-case letters, digits and inner hyphens. */
export const eventIdPattern = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/** Name of the `meta` element that the page of a public service has. */
export const publicServiceMeta = "echotop-public";

export const eventKinds = ["historical-event", "operational-feed"] as const;

export function isEventId(text: string): boolean {
  return eventIdPattern.test(text);
}
