// The gateway as the application starts it: the proxy, with the language of rules and redirects.
import type { Gateway } from "./gateway.ts";
import { composeGateway, type GatewayOptions } from "./proxy/compose-gateway.ts";
import { createRedirects } from "./redirects/create-redirects.ts";
import { compileExpression } from "./rules/compile-expression.ts";

export type { GatewayOptions } from "./proxy/compose-gateway.ts";

/** @throws ExpressionError for a redirect that does not parse, AppError `invalid-input` for a proxy that is no address */
export function createGateway(options: GatewayOptions): Gateway {
  return composeGateway(options, { compile: compileExpression, createRedirects });
}
