// What each action about the gateway does. The gateway as it is switched, its settings and its log come in as functions, so that
// this part knows none of them.
import type { GatewayActionName } from "../../../shared/contract/action-names.ts";
import type { ActionHandlers } from "../../../shared/contract/actions.ts";
import type {
  ExplainInput,
  Explanation,
  GatewayFeatureInput,
  GatewayReport,
  GatewayReportInput,
  GatewayState,
} from "../../../shared/contract/briefings.ts";

export interface GatewayParts {
  readonly readGateway: () => Promise<GatewayState>;
  /** Resolves with what came of it, also `failed`; throws `conflict` where the configuration decides. */
  readonly switchGateway: (on: boolean) => Promise<GatewayState>;
  /** Throws `conflict` while the gateway is off and where the zone's plan forbids it, `not-found` for a zone that is not there. */
  readonly setFeature: (input: GatewayFeatureInput) => Promise<void>;
  /** Throws as `setFeature` does. */
  readonly reportGateway: (input: GatewayReportInput) => Promise<GatewayReport>;
  /** Throws `conflict` while the gateway is off, `not-found` for a URL of no zone. */
  readonly explain: (input: ExplainInput) => Promise<Explanation>;
}

export function createGatewayActions(parts: GatewayParts): ActionHandlers<GatewayActionName> {
  return {
    "gateway.read": () => parts.readGateway(),
    "gateway.switch": ({ on }) => parts.switchGateway(on),
    "gateway.setFeature": async (input) => {
      await parts.setFeature(input);
      return parts.readGateway();
    },
    "gateway.report": (input) => parts.reportGateway(input),
    "gateway.explain": (input) => parts.explain(input),
  };
}
