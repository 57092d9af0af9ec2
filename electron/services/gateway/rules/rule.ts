// Expressions as the rest of the gateway holds them: compiled once, asked at each request.
import type { RequestFields } from "./request-fields.ts";

export interface CompiledExpression {
  /** As it was written. */
  readonly text: string;
  /** It asks who the visitor is, which must be found out before `matches`. */
  readonly asksForBots: boolean;
  /** Never throws, and takes time linear in the fields. */
  readonly matches: (fields: RequestFields) => boolean;
}
