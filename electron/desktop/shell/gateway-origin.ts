// The origin of the host's gateway, which is switched on and off while the application runs.
import { GatewayState } from "../../../shared/contract/briefings.ts";
import type { RunningHost } from "./application-options.ts";

/** Resolves with undefined while the gateway is off. */
export async function findGatewayOrigin({
  dispatch,
}: Pick<RunningHost, "dispatch">): Promise<string | undefined> {
  const outcome = await dispatch("gateway.read", {});
  if (!("ok" in outcome)) return undefined;
  const { data } = GatewayState.safeParse(outcome.ok);
  return data?.listener.status === "on" ? data.listener.address : undefined;
}
