// The address that Git clients use as it is.
import type { RepositoryRecord } from "./hosting-records.ts";

/** Requests below this path are Git's. */
export const gitPrefix = "/git/";

export type ToRemote = (origin: string, repository: Pick<RepositoryRecord, "namespace" | "name">) => string;

/** `origin` is that of the listener: `http://127.0.0.1:47801`. The name stands as it was created, however it was asked for. */
export const toRemote: ToRemote = (origin, { namespace, name }) =>
  `${origin}${gitPrefix}${namespace}/${name}.git`;
