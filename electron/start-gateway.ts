// Puts the gateway together for the actions about it. Part of the composition, as start.ts is.
import { AppError } from "../shared/app-error.ts";
import type { GatewayParts } from "./actions/gateway-actions.ts";

export function startGateway(): GatewayParts {
  const refuse = () => Promise.reject(new AppError("conflict", "This host has no gateway."));
  return {
    readGateway: () =>
      Promise.resolve({ listener: { status: "off" }, isConfigured: false, zones: [], directory: null }),
    switchGateway: refuse,
    setFeature: refuse,
    reportGateway: refuse,
    explain: refuse,
  };
}
