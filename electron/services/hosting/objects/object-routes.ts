// REST routes of object reads: log; blob, tree and commit by hash; file and raw by ref and path. Bytes are sent as
// bytes, everything else in the envelope.
import * as z from "zod";
import type { ApiReply, ApiRequest, ApiRoute } from "../../api/api-part.ts";
import { ArtifactsError } from "../artifacts-error.ts";
import { parseQuery } from "../hosting-input.ts";
import { defaultLogLimit } from "../hosting-limits.ts";
import type { Repositories } from "../repositories.ts";
import type { CommitRecord } from "./object-parsers.ts";
import type { ObjectReader } from "./hosted-object-reader.ts";
import { replyRaw, replyWithBlob, replyWithFile, replyWithJson } from "./object-replies.ts";
import { createReadingSlots } from "./reading-slots.ts";

const base = "/accounts/:account/artifacts/namespaces/:namespace/repos/:name";

const ref = z.string().default("HEAD");
/** The reader checks the range. */
const wholeNumber = z
  .string()
  .regex(/^[0-9]{1,10}$/, "must be a whole number")
  .transform(Number);
const LogParameters = z.object({
  ref,
  limit: wholeNumber.default(defaultLogLimit),
  offset: wholeNumber.default(0),
});
const FileParameters = z.object({ ref, path: z.string("is missing") });

type Read = (request: ApiRequest, directory: string) => Promise<ApiReply>;

/** Handlers throw ArtifactsError: `NOT_FOUND`, `INVALID_INPUT`, `MEMORY_LIMIT` and those of `Repositories.get`. */
export function createObjectRoutes(
  repositories: Pick<Repositories, "get" | "directoryOf">,
  reader: ObjectReader,
): readonly ApiRoute[] {
  const slots = createReadingSlots();
  const route = (path: string, read: Read): ApiRoute => ({
    method: "GET",
    path: `${base}${path}`,
    permission: "artifacts:read",
    handle: async (request) => {
      const { namespace = "", name = "" } = request.params;
      const repository = await repositories.get(namespace, name);
      const directory = repositories.directoryOf(repository);
      return slots.run(repository.id, request.signal, () => read(request, directory));
    },
  });

  return [
    route("/log", async ({ query, signal }, directory) => {
      const range = parseQuery(LogParameters, query);
      const commits = await reader.log(directory, range, signal);
      if (commits === undefined) throw notFound("ref");
      const { limit, offset } = range;
      return { result: commits.map(toWire), resultInfo: { limit, offset, count: commits.length } };
    }),
    route("/blob/:hash", async ({ params: { hash = "" }, signal }, directory) => {
      const bytes = await reader.readBlob(directory, hash, signal);
      if (bytes === undefined) throw notFound("blob");
      return replyWithBlob(hash, bytes);
    }),
    route("/tree/:hash", async ({ params: { hash = "" }, signal }, directory) => {
      const entries = await reader.readTree(directory, hash, signal);
      if (entries === undefined) throw notFound("tree");
      return replyWithJson(hash, { hash, entries });
    }),
    route("/commit/:hash", async ({ params: { hash = "" }, signal }, directory) => {
      const commit = await reader.readCommit(directory, hash, signal);
      if (commit === undefined) throw notFound("commit");
      return replyWithJson(hash, toWire(commit));
    }),
    route("/file", async ({ query, signal }, directory) => {
      const file = await reader.readFile(directory, parseQuery(FileParameters, query), signal);
      if (file === undefined) throw notFound("file");
      return replyWithFile(file);
    }),
    // A ref may contain slashes: the repository decides where it ends.
    route("/raw/*", async ({ params: { "*": refPath = "" }, signal }, directory) => {
      const file = await reader.readRefPath(directory, refPath, signal);
      if (file === undefined) throw notFound("file");
      return replyRaw(file, refPath);
    }),
  ];
}

function toWire({ hash, treeHash, ...commit }: CommitRecord) {
  return { hash, tree_hash: treeHash, ...commit };
}

function notFound(what: "ref" | "blob" | "tree" | "commit" | "file"): ArtifactsError {
  return new ArtifactsError("NOT_FOUND", `There is no such ${what} here.`);
}
