// REST routes of object reads: log, blob, tree and commit by hash, file and raw by ref and path. Bytes go as bytes, the rest in the
// envelope.
import type { ApiReply, ApiRequest, ApiRoute } from "../../api/api-part.ts";
import { ArtifactsError } from "../artifacts-error.ts";
import { getReady } from "../ready.ts";
import type { Repositories } from "../repositories.ts";
import { replyRaw, replyWithBlob, replyWithFile, replyWithJson } from "./object-replies.ts";
import type { ObjectReader } from "./repository-objects.ts";
import { createReadingSlots } from "./reading-slots.ts";
import { toWireCommit, toWireTreeEntry } from "./object-wire.ts";

const base = "/accounts/:account/artifacts/namespaces/:namespace/repos/:name";
const defaultLogLimit = 50;

export interface ObjectRouteOptions {
  readonly accountId: string;
}

type Read = (request: ApiRequest, directory: string) => Promise<ApiReply>;

/** Every handler throws ArtifactsError: `NOT_FOUND`, `INVALID_INPUT`, `MEMORY_LIMIT` and those of `getReady` and the reader. */
export function createObjectRoutes(
  repositories: Pick<Repositories, "find" | "directoryOf">,
  reader: ObjectReader,
  { accountId }: ObjectRouteOptions,
): readonly ApiRoute[] {
  const slots = createReadingSlots();
  const route = (path: string, read: Read): ApiRoute => ({
    method: "GET",
    path: `${base}${path}`,
    permission: "artifacts:read",
    handle: async (request) => {
      const { account, namespace, name } = request.params;
      if (account !== accountId) throw notFound("account");
      const repository = await getReady(repositories, namespace ?? "", name ?? "");
      const directory = repositories.directoryOf(repository);
      return slots.run(repository.id, request.signal, () => read(request, directory));
    },
  });

  return [
    route("/log", (request, directory) => readLog(reader, request, directory)),
    route("/blob/:hash", async (request, directory) => {
      const hash = request.params.hash ?? "";
      const bytes = await reader.readBlob(directory, hash, request.signal);
      if (bytes === undefined) throw notFound("blob");
      return replyWithBlob(hash, bytes);
    }),
    route("/tree/:hash", async (request, directory) => {
      const hash = request.params.hash ?? "";
      const entries = await reader.readTree(directory, hash, request.signal);
      if (entries === undefined) throw notFound("tree");
      return replyWithJson(hash, { hash, entries: entries.map(toWireTreeEntry) });
    }),
    route("/commit/:hash", async (request, directory) => {
      const hash = request.params.hash ?? "";
      const commit = await reader.readCommit(directory, hash, request.signal);
      if (commit === undefined) throw notFound("commit");
      return replyWithJson(hash, toWireCommit(commit));
    }),
    route("/file", async (request, directory) => {
      const ref = textOf(request.query, "ref") ?? "HEAD";
      const path = textOf(request.query, "path");
      if (path === undefined) throw new ArtifactsError("INVALID_INPUT", "The parameter path is missing.");
      const file = await reader.readFile(directory, { ref, path }, request.signal);
      if (file === undefined) throw notFound("file");
      return replyWithFile(file);
    }),
    // A ref may have slashes, so where it ends is the repository's to say.
    route("/raw/*", async (request, directory) => {
      const refPath = request.params["*"] ?? "";
      const file = await reader.readRefPath(directory, refPath, request.signal);
      if (file === undefined) throw notFound("file");
      return replyRaw(file, refPath);
    }),
  ];
}

async function readLog(
  reader: ObjectReader,
  { query, signal }: ApiRequest,
  directory: string,
): Promise<ApiReply> {
  const ref = textOf(query, "ref") ?? "HEAD";
  const limit = numberOf(query, "limit") ?? defaultLogLimit;
  const offset = numberOf(query, "offset") ?? 0;
  const commits = await reader.log(directory, { ref, limit, offset }, signal);
  if (commits === undefined) throw notFound("ref");
  return { result: commits.map(toWireCommit), resultInfo: { limit, offset, count: commits.length } };
}

function notFound(what: "account" | "ref" | "blob" | "tree" | "commit" | "file"): ArtifactsError {
  return new ArtifactsError("NOT_FOUND", `There is no such ${what} here.`);
}

/** Undefined where it is absent. @throws ArtifactsError `INVALID_INPUT` where it is there twice */
function textOf(query: URLSearchParams, name: string): string | undefined {
  const [value, ...more] = query.getAll(name);
  if (more.length > 0) {
    throw new ArtifactsError("INVALID_INPUT", `The parameter ${name} stands there more than once.`);
  }
  return value;
}

/** Bounds are the reader's to check. */
function numberOf(query: URLSearchParams, name: string): number | undefined {
  const text = textOf(query, name);
  if (text === undefined) return undefined;
  if (!/^[0-9]{1,10}$/.test(text)) {
    throw new ArtifactsError("INVALID_INPUT", `The parameter ${name} is no whole number from 0.`);
  }
  return Number(text);
}
