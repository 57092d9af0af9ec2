// How far the pack in a repository here goes.
import { mainRef } from "../../git/refs.ts";
import fs from "node:fs";
import * as git from "isomorphic-git";

export interface PackHead {
  /** Of `main`; undefined where there is no repository or nothing in it. */
  readonly commit: string | undefined;
  /** The highest of the revisions' tags. */
  readonly sequence: number | undefined;
}

export async function readPackHead(gitdir: string): Promise<PackHead> {
  let commit: string;
  try {
    commit = await git.resolveRef({ fs, gitdir, ref: mainRef });
  } catch (error) {
    if (error instanceof git.Errors.NotFoundError) return { commit: undefined, sequence: undefined };
    throw error;
  }
  let sequence = 0;
  for (const name of await git.listTags({ fs, gitdir })) {
    const tagged = Number(/^rev\/([1-9]\d{0,14})$/.exec(name)?.[1] ?? 0);
    if (tagged > sequence) sequence = tagged;
  }
  return { commit, sequence: sequence === 0 ? undefined : sequence };
}

/** The event that the pack in a repository says it is of; undefined where it cannot be read, which an import tells better. */
export async function readPackEventId(gitdir: string, commit: string): Promise<string | undefined> {
  try {
    const { blob } = await git.readBlob({ fs, gitdir, oid: commit, filepath: "pack.json" });
    const pack: unknown = JSON.parse(Buffer.from(blob).toString("utf8"));
    if (typeof pack !== "object" || pack === null || !("event" in pack)) return undefined;
    const { event } = pack;
    const isNamed = typeof event === "object" && event !== null && "id" in event;
    return isNamed && typeof event.id === "string" ? event.id : undefined;
  } catch {
    return undefined;
  }
}
