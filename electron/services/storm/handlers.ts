// What a resource is to the service: one function an operation, from typed parameters to an answer.
import type { OperationId, OperationInput } from "../../../shared/contract/operations.ts";
import type { Answer } from "../http/answer.ts";

/** Throws AppError for everything that is not an answer; the errors file says how that reaches the client. */
export type Handler<Id extends OperationId> = (input: OperationInput<Id>) => Answer | Promise<Answer>;

export type Handlers = { readonly [Id in OperationId]: Handler<Id> };
