// Every schema of the storm data read service, in one import.
export * from "./data-status.ts";
export * from "./frame-metadata.ts";
export * from "./history.ts";
export * from "./identifiers.ts";
export * from "./latest-revision.ts";
export * from "./manifest.ts";
export * from "./messages.ts";
export * from "./place.ts";
export * from "./primitives.ts";
export * from "./published-frames.ts";
export * from "./storm-event.ts";
