// What a repository says that it has: references and capabilities.
import { getRemoteInfo2 } from "isomorphic-git";
import { isAppError, type AppError } from "../../../../shared/app-error.ts";
import type { RemoteHttp } from "./http-client.ts";
import { notGit } from "./remote-error.ts";

export interface RemoteRefs {
  /** Full name to the object that is meant: of an annotated tag what it stands for. */
  readonly refs: ReadonlyMap<string, string>;
  readonly capabilities: ReadonlySet<string>;
}

const oidPattern = /^[0-9a-f]{40}$/;

/** @throws AppError; `upstream-unavailable` for what is no Git service */
export async function loadRemoteRefs(
  http: RemoteHttp,
  url: string,
  { forPush }: { readonly forPush: boolean },
): Promise<RemoteRefs> {
  try {
    http.takeFault();
    const { capabilities, refs = [] } = await getRemoteInfo2({ http, url, forPush, protocolVersion: 1 });
    // Of a list that was cut off, the rest is missing, which is not to be taken for references that are not there.
    throwAny(http.takeFault());
    const named = refs.map(({ ref, oid, peeled }) => [ref, peeled ?? oid] as const);
    if (named.some(([, oid]) => !oidPattern.test(oid))) throw notGit("a reference of it stands for nothing");
    return { refs: new Map(named), capabilities: new Set(Object.keys(capabilities)) };
  } catch (error) {
    if (isAppError(error)) throw error;
    throwAny(http.takeFault());
    throw notGit("its references cannot be read", error);
  }
}

function throwAny(fault: AppError | undefined): void {
  if (fault !== undefined) throw fault;
}
