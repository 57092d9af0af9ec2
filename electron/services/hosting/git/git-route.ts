// The three shapes of a Git request. Paths are compared as they came, without decoding: the remotes that hosting hands out
// need none, and whatever does need it is no path of ours.
import { GitRefusal } from "./git-refusal.ts";

export const gitServices = ["git-upload-pack", "git-receive-pack"] as const;
export type GitService = (typeof gitServices)[number];

export interface GitRoute {
  readonly namespace: string;
  readonly name: string;
  readonly service: GitService;
  /** The refs, or the exchange itself. */
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
    throw new GitRefusal(405, `This path takes ${allowed} requests alone.`, { Allow: allowed });
  }
  return { namespace: namespace!, name: name!, service, step };
}

function noSuchPath(): GitRefusal {
  return new GitRefusal(404, "There is nothing here; Git clients use the remote address as it was given.");
}
