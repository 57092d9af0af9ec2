// The words of the Share panel around its parts, whose own words are in pack-text.ts and briefing-text.ts.
import type { administrationParts, shareParts } from "../state/slices/screen-slice.ts";
import { briefingIntroduction } from "./briefing-text.ts";
import { packIntroduction } from "./pack-text.ts";

export const shareTabs: Readonly<Record<(typeof shareParts)[number], string>> = {
  briefing: "Briefing",
  packs: "Packs",
  get: "Download",
  changes: "Changes",
};

export const administrationTabs: Readonly<Record<(typeof administrationParts)[number], string>> = {
  hosting: "Sharing",
  gateway: "Web server",
  redirects: "Redirects",
  explain: "Explain",
};

export const shareIntroduction = `${briefingIntroduction} ${packIntroduction}`;
