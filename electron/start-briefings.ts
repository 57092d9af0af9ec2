// Puts briefings together: the folder that they lie in, for the actions about them. Part of the composition, as start.ts is.
import { AppError } from "../shared/app-error.ts";
import type { BriefingServices } from "./start-actions.ts";

export function startBriefings(): BriefingServices {
  return {
    listBriefings: () => Promise.resolve([]),
    beginPublish: () => Promise.reject(new AppError("conflict", "This host publishes no briefings.")),
  };
}
