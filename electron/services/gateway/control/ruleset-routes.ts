// The configuration rules of a zone: one list, replaced whole. One that was never written has no rules and version "0". A rule that
// names an existing id or ref is that rule; what only the service sets (version, last_updated) is passed over in what comes in.
import { randomUUID } from "node:crypto";
import * as z from "zod";
import { flag, oneOf } from "../../api/api-input.ts";
import { ExpressionError } from "../rules/expression-error.ts";
import type { CompiledExpression } from "../rules/compile-expression.ts";
import { toNextRules } from "../settings/next-rules.ts";
import type { ConfigRuleDraft, ConfigRuleset, ZoneSettings } from "../settings/zone-settings.ts";
import { parseFields, parseQuery, text } from "./zone-input.ts";
import { invalidInput } from "./zone-problems.ts";
import type { ZoneRouteDraft } from "./zone-route.ts";

const phase = "http_config_settings";
const path = `/rulesets/phases/${phase}/entrypoint`;
const maxRules = 100;
const maxNameLength = 100;

const PutParameters = z.object({ dry_run: oneOf(["true", "false"]).default("false") });

const Rule = z.object({
  id: text(1, maxNameLength).optional(),
  ref: text(1, maxNameLength).optional(),
  action: z.literal("set_config", "must be set_config"),
  action_parameters: z.strictObject({ redirects_for_ai_training: flag }, "must be an object"),
  // Its length is the language's to judge.
  expression: z.string("must be a text"),
  description: text(0, 500).nullish(),
  enabled: flag.default(true),
});

const PutBody = z.object({
  rules: z.array(Rule, "must be a list").max(maxRules, `must have at most ${maxRules} rules`),
});

/** @throws ExpressionError, which begins "Filter parsing error" */
export type Compile = (text: string) => CompiledExpression;

export function createRulesetDrafts(settings: ZoneSettings, compile: Compile): readonly ZoneRouteDraft[] {
  return [
    {
      method: "GET",
      path,
      handle: ({ zone }) => ({ result: toWire(settings.ruleset(zone.id)) }),
    },
    {
      method: "PUT",
      path,
      handle({ zone, query, body, actor }) {
        const isDry = parseQuery(PutParameters, query).dry_run === "true";
        const rules = parseFields(PutBody, body).rules.map(toDraft);
        for (const { expression } of rules) checkExpression(expression, compile);
        if (isDry) {
          toNextRules(settings.ruleset(zone.id).rules, rules, { at: "", createId: randomUUID });
          return { result: null };
        }
        return { result: toWire(settings.replaceRules(zone.id, rules, actor)) };
      },
    },
  ];
}

/** @throws ApiRefusal 400, with the expression's fault as it is: its message shows where */
function checkExpression(expression: string, compile: Compile): void {
  try {
    compile(expression);
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
