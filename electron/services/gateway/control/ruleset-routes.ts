// The configuration rules of a zone: one list, which each PUT replaces. Before the first PUT it is empty, with version
// "0". A rule with a known id or ref updates that rule. The service sets `version` and `last_updated`, and ignores them
// in a request.
import { randomUUID } from "node:crypto";
import * as z from "zod";
import { flag, oneOf } from "../../api/api-input.ts";
import { ruleLimits } from "../gateway-limits.ts";
import { compileExpression } from "../rules/compile-expression.ts";
import { ExpressionError } from "../rules/expression-error.ts";
import { toNextRules } from "../settings/next-rules.ts";
import type { ConfigRuleDraft, ConfigRuleset, ZoneSettings } from "../settings/zone-settings.ts";
import { invalidInput, parseFields, parseQuery, text, type ZoneRouteDraft } from "./zone-route.ts";

const phase = "http_config_settings";
const path = `/rulesets/phases/${phase}/entrypoint`;
const { rules: maxRules, nameChars, descriptionChars } = ruleLimits;

const PutParameters = z.object({ dry_run: oneOf(["true", "false"]).default("false") });

const Rule = z.object({
  id: text(1, nameChars).optional(),
  ref: text(1, nameChars).optional(),
  action: z.literal("set_config", "must be set_config"),
  action_parameters: z.strictObject({ redirects_for_ai_training: flag }, "must be an object"),
  // `compileExpression` checks its length.
  expression: z.string("must be a text"),
  description: text(0, descriptionChars).nullish(),
  enabled: flag.default(true),
});

const PutBody = z.object({
  rules: z.array(Rule, "must be a list").max(maxRules, `must have at most ${maxRules} rules`),
});

export function createRulesetDrafts(settings: ZoneSettings): readonly ZoneRouteDraft[] {
  return [
    {
      method: "GET",
      path,
      async handle({ zone }) {
        await settings.refresh();
        return { result: toWire(settings.ruleset(zone.id)) };
      },
    },
    {
      method: "PUT",
      path,
      async handle({ zone, query, body, actor }) {
        const isDry = parseQuery(PutParameters, query).dry_run === "true";
        const rules = parseFields(PutBody, body).rules.map(toDraft);
        for (const { expression } of rules) checkExpression(expression);
        if (isDry) {
          await settings.refresh();
          toNextRules(settings.ruleset(zone.id).rules, rules, { at: "", createId: randomUUID });
          return { result: null };
        }
        return { result: toWire(await settings.replaceRules(zone.id, rules, actor)) };
      },
    },
  ];
}

/** @throws ApiRefusal 400 with the message of the ExpressionError, which shows the place */
function checkExpression(expression: string): void {
  try {
    compileExpression(expression);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw Object.assign(invalidInput(error.message), { cause: error });
  }
}

function toDraft(rule: z.output<typeof Rule>): ConfigRuleDraft {
  const { id, ref, expression, description, enabled, action_parameters } = rule;
  return {
    ...{ id, ref, expression, enabled, description: description ?? "" },
    redirectsForAiTraining: action_parameters.redirects_for_ai_training,
  };
}

function toWire({ id, version, lastUpdated, rules }: ConfigRuleset) {
  return {
    ...{ id, name: "default", description: "", kind: "zone", phase, version, last_updated: lastUpdated },
    rules: rules.map((rule) => ({
      ...{ id: rule.id, version: rule.version, ref: rule.ref, action: "set_config" },
      action_parameters: { redirects_for_ai_training: rule.redirectsForAiTraining },
      ...{ expression: rule.expression, description: rule.description, enabled: rule.enabled },
      last_updated: rule.lastUpdated,
    })),
  };
}
