// The addresses of Git over HTTP: the remote of a repository, and the three kinds of Git requests. Paths are compared
// without decoding: hosting's own remotes need none, and any path that does is unknown.
import type { RepositoryRecord } from "../hosting-records.ts";
import { GitRefusal } from "./git-refusal.ts";

/** Requests below this path are Git's. */
export const gitPrefix = "/git/";

/** Returns the address for Git clients. `origin` is the listener's: `http://127.0.0.1:47801`. */
export function toRemote(
  origin: string,
  { namespace, name }: Pick<RepositoryRecord, "namespace" | "name">,
): string {
  return `${origin}${gitPrefix}${namespace}/${name}.git`;
}

const gitServices = ["git-upload-pack", "git-receive-pack"] as const;
type GitService = (typeof gitServices)[number];

export interface GitRoute {
  readonly namespace: string;
  readonly name: string;
  readonly service: GitService;
  /** The list of refs, or the fetch or push itself. */
  readonly step: "advertise" | "exchange";
}

const pathShape =
  /^\/git\/([a-zA-Z0-9][a-zA-Z0-9._-]{0,99})\/([a-zA-Z0-9][a-zA-Z0-9._-]{0,99})\.git\/(info\/refs|git-upload-pack|git-receive-pack)$/;

/** @throws GitRefusal 404 for any other path, 405 for another method */
export function parseGitRoute(method: string | undefined, url: string): GitRoute {
  const question = url.indexOf("?");
  const path = question === -1 ? url : url.slice(0, question);
  const query = question === -1 ? "" : url.slice(question + 1);
  const match = pathShape.exec(path);
  if (match === null) throw noSuchPath();
  const [, namespace, name, tail] = match;
  const step = tail === "info/refs" ? "advertise" : "exchange";
  const wanted = step === "advertise" ? /^service=(git-[a-z-]+)$/.exec(query)?.[1] : tail;
  const service = gitServices.find((one) => one === wanted);
  if (service === undefined) throw noSuchPath();
  const allowed = step === "advertise" ? "GET" : "POST";
  if (method !== allowed) {
    throw new GitRefusal(405, `This path accepts only ${allowed} requests.`, { Allow: allowed });
  }
  return { namespace: namespace!, name: name!, service, step };
}

function noSuchPath(): GitRefusal {
  return new GitRefusal(404, "There is nothing here; give Git clients the remote address unchanged.");
}
