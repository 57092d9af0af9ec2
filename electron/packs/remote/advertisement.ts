// What a repository says that it has: refs and capabilities, as `info/refs` gives them (gitprotocol-http, "smart clients").
import type { RemoteHttp } from "./http-client.ts";
import { readPackets } from "./pkt-line.ts";
import { notGit } from "./remote-error.ts";
import { fatal } from "./side-band.ts";

export type GitService = "git-upload-pack" | "git-receive-pack";

export interface Advertisement {
  /** Full name to object id, as they are advertised. */
  readonly refs: ReadonlyMap<string, string>;
  /** Of annotated tags: what the tag stands for. */
  readonly peeled: ReadonlyMap<string, string>;
  readonly capabilities: ReadonlySet<string>;
}

/** More than any pack has; each costs memory. */
const mostRefs = 200_000;

export const objectIdPattern = /^[0-9a-f]{40}$/;

/** @throws AppError; `upstream-unavailable` for what is no Git service */
export async function loadAdvertisement(
  http: RemoteHttp,
  url: string,
  service: GitService,
): Promise<Advertisement> {
  const { body, headers } = await http.request({ url: `${url}/info/refs?service=${service}` });
  if (headers?.["content-type"] !== `application/x-${service}-advertisement`) {
    throw notGit("the answer is of another type");
  }
  const refs = new Map<string, string>();
  const peeled = new Map<string, string>();
  let capabilities: ReadonlySet<string> = new Set();
  let isFirst = true;
  for await (const packet of readPackets(toPieces(body))) {
    if (packet === "flush" || packet.subarray(0, 2).toString("latin1") === "# ") continue;
    const line = packet.toString("utf8").replace(/\n$/, "");
    if (line.startsWith("ERR ")) throw fatal(line.slice(4));
    const [, id = "", name = "", said] = /^([0-9a-f]{40}) ([^\0]+)(?:\0(.*))?$/s.exec(line) ?? [];
    if (id === "") throw notGit("a ref of it cannot be read");
    if (isFirst && said !== undefined) capabilities = new Set(said.split(" ").filter((word) => word !== ""));
    isFirst = false;
    // An empty repository has no ref, and a line that carries its capabilities.
    if (name === "capabilities^{}") continue;
    if (name.endsWith("^{}")) peeled.set(name.slice(0, -3), id);
    else refs.set(name, id);
    if (refs.size > mostRefs) throw notGit(`it has more than ${mostRefs} refs`);
  }
  if (isFirst) throw notGit("the answer is empty");
  return { refs, peeled, capabilities };
}

/** The plugin's form allows a body to be absent. */
export async function* toPieces(
  body: AsyncIterable<Uint8Array> | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (body) yield* body;
}
