// The table's paths as the service meets them: as routes, as patterns, and with their parameters read out.
import {
  actionPathPrefix,
  hostActionNames,
  type HostActionName,
} from "../../../shared/contract/action-names.ts";
import { operations, type Operation, type OperationId } from "../../../shared/contract/operations.ts";

export const operationIds = Object.keys(operations) as OperationId[];

/** The router's form of an operation's path: `{name}` becomes `:name`. */
export function toRoute(id: OperationId): string {
  return operations[id].path.replaceAll(/\{(\w+)\}/g, ":$1");
}

interface PathPattern {
  readonly id: OperationId;
  readonly pattern: RegExp;
}

const patterns: readonly PathPattern[] = operationIds.map((id) => {
  const source = operations[id].path.replaceAll(".", "\\.").replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)");
  return { id, pattern: new RegExp(`^${source}$`) };
});

/** The operation whose path this is, however well-formed its parameters are. */
export function findOperation(path: string): OperationId | undefined {
  return patterns.find(({ pattern }) => pattern.test(path))?.id;
}

/** The action whose path this is. */
export function findAction(path: string): HostActionName | undefined {
  if (!path.startsWith(actionPathPrefix)) return undefined;
  const name = path.slice(actionPathPrefix.length);
  return hostActionNames.find((action) => action === name);
}

/** The event whose stream a path names, or undefined when it names no stream or no well-formed event. */
export function findStreamEventId(path: string): string | undefined {
  const stream: Operation = operations.openStream;
  const pattern = patterns.find(({ id }) => id === "openStream")?.pattern;
  const eventId = pattern?.exec(path)?.groups?.eventId;
  return stream.pathParameters.eventId?.safeParse(eventId).success === true ? eventId : undefined;
}
