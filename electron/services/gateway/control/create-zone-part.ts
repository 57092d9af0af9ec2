// The control plane's part of the API listener: settings, rules, hostnames and log of each zone, and GraphQL.
import type { ApiPart } from "../../api/api-part.ts";
import type { Gateway } from "../gateway.ts";
import type { RequestLog } from "../log/request-log.ts";
import type { ZoneSettings } from "../settings/zone-settings.ts";
import type { Zone } from "../zone.ts";
import { createExplainDrafts } from "./explain-routes.ts";
import { createGraphqlRoute } from "../graphql/graphql-route.ts";
import { createHostnameDrafts } from "./hostname-routes.ts";
import { createRecordDrafts } from "./record-routes.ts";
import { createRulesetDrafts } from "./ruleset-routes.ts";
import { createSettingDrafts } from "./setting-routes.ts";
import { toProblem, toRoute } from "./zone-route.ts";

export interface ZonePartOptions {
  readonly zones: readonly Zone[];
  readonly settings: ZoneSettings;
  readonly log: Pick<RequestLog, "page" | "groups">;
  /** Undefined: there is no such route. */
  readonly explain?: Gateway["explain"] | undefined;
}

export function createZonePart({ zones, settings, log, explain }: ZonePartOptions): ApiPart {
  const drafts = [
    ...createSettingDrafts(settings),
    ...createRulesetDrafts(settings),
    ...createHostnameDrafts(settings),
    ...createRecordDrafts(settings, log),
    ...(explain === undefined ? [] : createExplainDrafts(explain)),
  ];
  return {
    routes: [...drafts.map((draft) => toRoute(zones, draft)), createGraphqlRoute({ zones, log })],
    toProblem,
  };
}
