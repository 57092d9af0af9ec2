// References and capabilities that a repository elsewhere advertises.
import { getRemoteInfo2 } from "isomorphic-git";
import { isAppError, type AppError } from "../../../../shared/app-error.ts";
import { oidPattern } from "../../git/object-formats.ts";
import type { RemoteHttp } from "./http-client.ts";
import { notGit } from "./remote-error.ts";

export interface RemoteRefs {
  /** From full name to object id; of an annotated tag, the object it points to. */
  readonly refs: ReadonlyMap<string, string>;
  readonly capabilities: ReadonlySet<string>;
}

/** @throws AppError; `upstream-unavailable` if it is not a Git service */
export async function loadRemoteRefs(
  http: RemoteHttp,
  url: string,
  { forPush }: { readonly forPush: boolean },
): Promise<RemoteRefs> {
  try {
    http.takeFault();
    const { capabilities, refs = [] } = await getRemoteInfo2({ http, url, forPush, protocolVersion: 1 });
    // A list that was cut off lacks references that exist, so it must not be used.
    throwAny(http.takeFault());
    const named = refs.map(({ ref, oid, peeled }) => [ref, peeled ?? oid] as const);
    if (named.some(([, oid]) => !oidPattern.test(oid))) throw notGit("one of its references is not valid");
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
