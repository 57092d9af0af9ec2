// Where the steps of an event are kept: at the host, or in the page's own storage where nothing may be saved there.
import { BriefingSteps, noSteps, type StoredSteps } from "../../../shared/views/briefing-steps.ts";
import type { ActionCarrier } from "../../api/action-client.ts";
import type { StormClient } from "../../api/client.ts";
import { createStoredValue, type KeyValueStorage } from "../../platform/stored-value.ts";

export type SaveOutcome =
  | { readonly version: number }
  /** The stored steps are not those that the change is based on. */
  | { readonly problem: "conflict" }
  | { readonly problem: "failed"; readonly detail: string };

export interface StepsKeeper {
  /** Throws if the steps cannot be read. */
  readonly load: (eventId: string) => Promise<Pick<StoredSteps, "version" | "document">>;
  readonly save: (document: BriefingSteps, basedOn: number) => Promise<SaveOutcome>;
}

export interface StepsKeeperParts {
  readonly client: Pick<StormClient, "getSteps">;
  readonly carrier: ActionCarrier;
  readonly storage: KeyValueStorage | undefined;
  /** Tells whether the page may save at the host now. */
  readonly mayAct: () => boolean;
}

/** In the page, the steps of the host are the first ones until the person changes them. */
export function createStepsKeeper({ client, carrier, storage, mayAct }: StepsKeeperParts): StepsKeeper {
  const valueOf = (eventId: string) => createStoredValue(`echotop.steps.${eventId}`, BriefingSteps, storage);
  const loadOwn = async (eventId: string): ReturnType<StepsKeeper["load"]> => {
    const document = valueOf(eventId).load();
    if (document) return { version: 0, document };
    const stored = await client.getSteps(eventId).catch(() => undefined);
    return { version: 0, document: stored?.document ?? noSteps(eventId) };
  };
  return {
    load: (eventId) => (mayAct() ? client.getSteps(eventId) : loadOwn(eventId)),
    save: async (document, basedOn) => {
      if (!mayAct()) {
        return valueOf(document.eventId).save(document)
          ? { version: basedOn }
          : { problem: "failed", detail: "The browser's storage is full or turned off." };
      }
      const outcome = await carrier("briefings.saveSteps", { document, basedOn });
      if ("ok" in outcome) return { version: outcome.ok.version };
      const { code, detail } = outcome.problem;
      return code === "steps-changed" ? { problem: "conflict" } : { problem: "failed", detail };
    },
  };
}
