// The catalogue of well-known hail events, which is part of the program: `assets/known-events.json`.
import * as z from "zod";
import catalogue from "../../../assets/known-events.json" with { type: "json" };
import { KnownEventEntry } from "../../../shared/contract/known-event.ts";

/** All entries in the order of their windows. */
export function listKnownEvents(): readonly KnownEventEntry[] {
  return z.array(KnownEventEntry).parse(catalogue);
}

export function findKnownEvent(name: string): KnownEventEntry | undefined {
  return listKnownEvents().find((event) => event.name === name);
}
