// Decides whether crawlers are redirected at all for a request: the plan allows it, and the last matching rule, or
// else the zone's setting, turns it on. Rules are compiled once per revision of the settings.
import type { Log } from "../../../platform/effects.ts";
import { compileExpression } from "../rules/compile-expression.ts";
import type { CompiledExpression } from "../rules/compile-expression.ts";
import type { RequestFields } from "../rules/request-fields.ts";
import type { ConfigRule, ZoneSettings } from "../settings/zone-settings.ts";
import { mayRedirectCrawlers, type Zone } from "../zone.ts";

export type FeatureDecision =
  | { readonly isOn: false; readonly by: "plan" }
  | { readonly isOn: boolean; readonly by: "setting" }
  | { readonly isOn: boolean; readonly by: "rule"; readonly rule: ConfigRule };

export interface Feature {
  /** Returns true if a rule of the zone needs the visitor's verdict, which must be known before `decide`. */
  readonly asksForBots: (zone: Zone) => boolean;
  readonly decide: (zone: Zone, fields: RequestFields) => FeatureDecision;
}

export interface FeatureOptions {
  readonly settings: Pick<ZoneSettings, "setting" | "ruleset" | "revision">;
  readonly compile?: typeof compileExpression;
  readonly report: Log;
}

interface CompiledRule {
  readonly expression: CompiledExpression;
  readonly decision: FeatureDecision;
}

interface ZoneState {
  readonly revision: number;
  /** The enabled rules, the last one first. */
  readonly rules: readonly CompiledRule[];
  readonly asksForBots: boolean;
  readonly otherwise: FeatureDecision;
}

const belowPlan: FeatureDecision = { isOn: false, by: "plan" };

export function createFeature({ settings, compile = compileExpression, report }: FeatureOptions): Feature {
  const states = new Map<string, ZoneState>();
  const compileRule = (zone: Zone, rule: ConfigRule): readonly CompiledRule[] => {
    try {
      const expression = compile(rule.expression);
      return [{ expression, decision: { isOn: rule.redirectsForAiTraining, by: "rule", rule } }];
    } catch (error) {
      // It compiled when it was stored: the gateway continues without it.
      report("warn", "A configuration rule does not compile and matches nothing.", {
        zone: zone.id,
        rule: rule.id,
        error,
      });
      return [];
    }
  };
  const read = (zone: Zone, revision: number): ZoneState => {
    const enabled = settings.ruleset(zone.id).rules.filter((rule) => rule.enabled);
    const rules = enabled.flatMap((rule) => compileRule(zone, rule)).reverse();
    return {
      revision,
      rules,
      asksForBots: rules.some(({ expression }) => expression.asksForBots),
      otherwise: { isOn: settings.setting(zone.id).value === "on", by: "setting" },
    };
  };
  const stateOf = (zone: Zone): ZoneState => {
    const revision = settings.revision();
    const known = states.get(zone.id);
    if (known?.revision === revision) return known;
    const state = read(zone, revision);
    states.set(zone.id, state);
    return state;
  };
  return {
    asksForBots: (zone) => mayRedirectCrawlers(zone) && stateOf(zone).asksForBots,
    decide(zone, fields) {
      if (!mayRedirectCrawlers(zone)) return belowPlan;
      const { rules, otherwise } = stateOf(zone);
      for (const { expression, decision } of rules) if (expression.matches(fields)) return decision;
      return otherwise;
    },
  };
}
