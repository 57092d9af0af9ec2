// The control plane's part of the API listener: settings, rules, hostnames and log of each zone, and the log's GraphQL.
import type { ApiPart } from "../../api/api-part.ts";
import type { Gateway } from "../gateway.ts";
import type { KeptRequestLog } from "../log/open-request-log.ts";
import type { ZoneSettings } from "../settings/zone-settings.ts";
import type { Zone } from "../zone.ts";
import { createExplainDrafts } from "./explain-routes.ts";
import { createGraphqlRoute } from "../graphql/graphql-route.ts";
import { createHostnameDrafts } from "./hostname-routes.ts";
import { toProblem } from "./zone-problems.ts";
import { createRecordDrafts } from "./record-routes.ts";
import { createRulesetDrafts, type Compile } from "./ruleset-routes.ts";
import { createSettingDrafts } from "./setting-routes.ts";
import { toRoute } from "./zone-route.ts";

export interface ZonePartOptions {
  readonly zones: readonly Zone[];
  readonly settings: ZoneSettings;
  readonly log: Pick<KeptRequestLog, "page" | "groups">;
  /** Without it there is no such route. */
  readonly explain?: Gateway["explain"] | undefined;
  readonly compile: Compile;
}

export function createZonePart({ zones, settings, log, explain, compile }: ZonePartOptions): ApiPart {
  const drafts = [
    ...createSettingDrafts(settings),
    ...createRulesetDrafts(settings, compile),
    ...createHostnameDrafts(settings),
    ...createRecordDrafts(settings, log),
    ...(explain === undefined ? [] : createExplainDrafts(explain)),
  ];
  return {
    routes: [...drafts.map((draft) => toRoute(zones, draft)), createGraphqlRoute({ zones, log })],
    toProblem,
  };
}
