// Computes the rules after a replacement: which stay, which change, which are new.
import { AppError } from "../../../../shared/app-error.ts";
import type { ConfigRule, ConfigRuleDraft } from "./zone-settings.ts";

export interface NextRulesOptions {
  /** ISO. */
  readonly at: string;
  readonly createId: () => string;
}

/** @throws AppError `invalid-input` for two drafts of one rule */
export function toNextRules(
  before: readonly ConfigRule[],
  drafts: readonly ConfigRuleDraft[],
  { at, createId }: NextRulesOptions,
): readonly ConfigRule[] {
  const byId = new Map(before.map((rule) => [rule.id, rule]));
  const byRef = new Map(before.map((rule) => [rule.ref, rule]));
  const rules = drafts.map((draft) => {
    const old = byId.get(draft.id ?? "") ?? byRef.get(draft.ref ?? "");
    return toNextRule(old, draft, { at, createId });
  });
  checkNames(rules);
  return rules;
}

function toNextRule(
  old: ConfigRule | undefined,
  draft: ConfigRuleDraft,
  { at, createId }: NextRulesOptions,
): ConfigRule {
  const id = old?.id ?? createId();
  const { expression, description, enabled, redirectsForAiTraining } = draft;
  const next = {
    ...{ id, ref: draft.ref ?? old?.ref ?? id },
    ...{ expression, description, enabled, redirectsForAiTraining },
  };
  if (old === undefined) return { ...next, version: "1", lastUpdated: at };
  const isSame =
    old.ref === next.ref &&
    old.expression === expression &&
    old.description === description &&
    old.enabled === enabled &&
    old.redirectsForAiTraining === redirectsForAiTraining;
  return isSame ? old : { ...next, version: String(Number(old.version) + 1), lastUpdated: at };
}

function checkNames(rules: readonly ConfigRule[]): void {
  for (const [what, names] of [
    ["id", rules.map(({ id }) => id)],
    ["ref", rules.map(({ ref }) => ref)],
  ] as const) {
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice === undefined) continue;
    throw new AppError("invalid-input", `Two rules have the same ${what}: ${JSON.stringify(twice)}.`);
  }
}
