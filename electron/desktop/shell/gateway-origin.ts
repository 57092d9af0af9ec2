// Where the host's gateway serves pages now. It is switched on and off while the application runs, so that it is asked each time.
import { GatewayState } from "../../../shared/contract/briefings.ts";
import type { RunningHost } from "./application-options.ts";

export async function findGatewayOrigin({
  dispatch,
}: Pick<RunningHost, "dispatch">): Promise<string | undefined> {
  const outcome = await dispatch("gateway.read", {});
  if (!("ok" in outcome)) return undefined;
  const { data } = GatewayState.safeParse(outcome.ok);
  return data?.listener.status === "on" ? data.listener.address : undefined;
}
