// Patterns and names of identifiers, separate from their schemas for code that starts before the schema library loads.

/** Event ids: 1 to 64 lower-case letters, digits and inner hyphens. */
export const eventIdPattern = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/** Name of the `meta` element by which a service tells its page its limit for viewers; absent if there is none. */
export const serviceLimitMeta = "echotop-service";

/**
 * Limits of a service for its viewers.
 * - `read-only`: no actions.
 * - `public`: no stream and no feeds either; answers come from shared caches.
 */
export const serviceLimits = ["read-only", "public"] as const;
export type ServiceLimit = (typeof serviceLimits)[number];

export const eventKinds = ["historical-event", "operational-feed"] as const;

export function isEventId(text: string): boolean {
  return eventIdPattern.test(text);
}
