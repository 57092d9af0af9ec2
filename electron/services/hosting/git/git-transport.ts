// Git over HTTP for stock clients: checks each request in a fixed order, then runs Git in a limited number of slots.
// Threats: strangers on the network must not learn which repositories exist; holders of tokens may send hostile packs
// and names, and leave connections half open.
import type { IncomingMessage, ServerResponse } from "node:http";
import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { messageOf } from "../../../../shared/app-error.ts";
import type { Log } from "../../../platform/effects.ts";
import { createSlots, type SlotLimits } from "../../../platform/locks/slots.ts";
import { toArtifactsError } from "../artifacts-error.ts";
import type { GitAccess, RepositoryRecord } from "../hosting-records.ts";
import type { Repositories } from "../repositories.ts";
import { clientPatienceMs, maxNegotiationBytes, pushLimits } from "../hosting-limits.ts";
import { parseCredentials } from "./credentials.ts";
import type { Exchange } from "./exchange.ts";
import { advertise, listsRefs, readNegotiation, upload } from "./fetching.ts";
import { GitRefusal, refuseBusy } from "./git-refusal.ts";
import { parseGitRoute, type GitRoute } from "./git-route.ts";
import type { GitRunner } from "./git-runner.ts";
import type { OnWithheld } from "./message-filter.ts";
import { describeCommands } from "./push-report.ts";
import { receive as receivePush, receiveLocally, type PushTools } from "./pushing.ts";
import type { PushCommand } from "./push-commands.ts";
import { createRepacker } from "./repack.ts";
import { checkEncoding, endAnswer } from "./git-request-body.ts";
import { connectionLimits } from "../../http/http-limits.ts";

export interface GitTransportOptions {
  readonly repositories: Pick<Repositories, "authorizeGit" | "directoryOf" | "notePush" | "noteFetch">;
  readonly runner: GitRunner;
  /** Byte length of a push as sent. */
  readonly maxPackBytes: number;
  readonly log: Log;
  /** Fetches at once, and lists of refs at once; the default depends on the number of processors. */
  readonly fetchLimits?: SlotLimits;
  /** Default `connectionLimits.idleMs`. */
  readonly idleMs?: number;
  /** Default `clientPatienceMs`. */
  readonly patienceMs?: number;
  /** Packs above which a repository is repacked after a push. */
  readonly maxPacks?: number;
}

export interface GitTransport {
  /** Handles requests below `/git/`; never throws. `origin` is the listener's. */
  readonly handle: (request: IncomingMessage, response: ServerResponse, origin: string) => void;
  /**
   * Receives a push from this process, without token or socket. `body` is that of a `git-receive-pack` request; the
   * caller must not reuse its memory. Returns Git's report. @throws GitRefusal; the signal's reason
   */
  receive(repository: RepositoryRecord, body: AsyncIterable<Buffer>, signal: AbortSignal): Promise<Buffer>;
  /** Ends the requests of a revoked token. A push that has arrived may finish. */
  endToken(id: string): void;
  /** Ends the requests of a deleted repository and refuses new ones; resolves within seconds. */
  endRepository(id: string): Promise<void>;
  /** Ends all requests and refuses new ones; resolves within seconds. Idempotent. */
  close(): Promise<void>;
}

interface Active {
  /** Undefined for a push from this process. */
  readonly http: { readonly request: IncomingMessage; readonly response: ServerResponse } | undefined;
  readonly controller: AbortController;
  repositoryId: string | undefined;
  tokenId: string | undefined;
  /** A push that has arrived may finish and report; answers to slow readers are cut. */
  isPush: boolean;
  done: Promise<void>;
}

const closeGraceMs = 8000;

export function createGitTransport(options: GitTransportOptions): GitTransport {
  const { repositories, runner, maxPackBytes, log } = options;
  const { idleMs = connectionLimits.idleMs, patienceMs = clientPatienceMs } = options;
  const { fetchLimits = defaultFetchLimits() } = options;
  const fetchSlots = createSlots(fetchLimits, refuseBusy);
  // Lists are short, and must not wait for clones.
  const listSlots = createSlots(fetchLimits, refuseBusy);
  const pushSlots = createSlots(pushLimits, refuseBusy);
  const repacker = createRepacker({ runner, slots: pushSlots, log, maxPacks: options.maxPacks });
  const active = new Set<Active>();
  const deleted = new Set<string>();
  const revoked = new Set<string>();
  let closing = false;

  async function authorize(request: IncomingMessage, route: GitRoute, origin: string): Promise<GitAccess> {
    if (origin.startsWith("http:") && !isLoopback(request.socket.remoteAddress)) {
      throw new GitRefusal(403, "From other machines, tokens are accepted only over TLS.");
    }
    const secret = parseCredentials(request.headers.authorization);
    const access =
      secret === undefined ? undefined : await repositories.authorizeGit(route.namespace, route.name, secret);
    if (access === undefined) {
      throw new GitRefusal(
        401,
        "A token of this repository is required, as a bearer token or as the password.",
        {
          "WWW-Authenticate": 'Basic realm="Artifacts"',
        },
      );
    }
    if (route.service === "git-receive-pack") checkWrite(access);
    if (route.step === "exchange") {
      checkBody(request, route, route.service === "git-receive-pack" ? maxPackBytes : maxNegotiationBytes);
    }
    if ("missing" in runner.availability) throw new GitRefusal(503, runner.availability.missing);
    return access;
  }

  async function serve(
    entry: Active,
    { request, response }: NonNullable<Active["http"]>,
    origin: string,
  ): Promise<void> {
    const route = parseGitRoute(request.method, request.url ?? "");
    if (closing) throw new GitRefusal(503, "Echotop is closing.");
    const access = await authorize(request, route, origin);
    entry.repositoryId = access.repository.id;
    entry.tokenId = access.tokenId;
    if (deleted.has(access.repository.id)) throw wasDeleted();
    if (revoked.has(access.tokenId)) throw wasRevoked();
    const { signal } = entry.controller;
    const directory = repositories.directoryOf(access.repository);
    const exchange: Exchange = { request, response, route, access, directory, signal };
    // Waiting for a slot is not idle time, so the clock starts here for all but pushes, whose body arrives first.
    if (route.service === "git-receive-pack" && route.step === "exchange") {
      request.socket.setTimeout(idleMs);
      entry.isPush = true;
      await pushWith(access.repository, access.tokenId, (tools) => receivePush(exchange, tools));
      return;
    }
    await fetch(exchange);
    await endAnswer(exchange);
  }

  async function fetch(exchange: Exchange): Promise<void> {
    const { request, route, access, signal } = exchange;
    const { repository, tokenId } = access;
    const body = route.step === "exchange" ? await readNegotiation(exchange) : undefined;
    const slots = body === undefined || listsRefs(body) ? listSlots : fetchSlots;
    const release = await slots.take(repository.id, signal, tokenId);
    request.socket.setTimeout(idleMs);
    try {
      const pace = { isWanted: () => slots.isWanted(repository.id), patienceMs };
      const note = (): Promise<void> =>
        record("fetch", repository, repositories.noteFetch(repository, tokenId));
      const tools = { runner, pace, note, onWithheld: createWithheldLog(log, nameOf(repository)) };
      if (body === undefined) await advertise(exchange, tools);
      else await upload(exchange, body, tools);
    } finally {
      release();
    }
  }

  /** Records what `work` pushes, and then repacks the repository if refs have changed. */
  async function pushWith<Result>(
    repository: RepositoryRecord,
    tokenId: string | null,
    work: (tools: PushTools) => Promise<Result>,
  ): Promise<Result> {
    const name = nameOf(repository);
    const outcome = { hasChanged: false };
    const note = async (accepted: readonly PushCommand[]): Promise<void> => {
      outcome.hasChanged = true;
      await record(
        "push",
        repository,
        repositories.notePush(repository, tokenId, describeCommands(accepted)),
      );
    };
    try {
      const onWithheld = createWithheldLog(log, name);
      return await work({ runner, slots: pushSlots, patienceMs, maxPackBytes, log, onWithheld, note });
    } finally {
      if (outcome.hasChanged)
        repacker.afterPush({ id: repository.id, name, directory: repositories.directoryOf(repository) });
    }
  }

  /** Logs a failure: the refs have changed or the pack is sent, so the client must not hear of it. */
  async function record(what: "push" | "fetch", repository: RepositoryRecord, done: Promise<void>) {
    try {
      await done;
    } catch (error) {
      log("error", `A ${what} could not be recorded in the audit trail`, {
        repository: nameOf(repository),
        reason: messageOf(error),
      });
    }
  }

  async function receive(
    repository: RepositoryRecord,
    body: AsyncIterable<Buffer>,
    signal: AbortSignal,
  ): Promise<Buffer> {
    if (closing) throw new GitRefusal(503, "Echotop is closing.");
    if (deleted.has(repository.id)) throw wasDeleted();
    checkWritable(repository);
    if ("missing" in runner.availability) throw new GitRefusal(503, runner.availability.missing);
    const controller = new AbortController();
    const push = {
      repositoryId: repository.id,
      directory: repositories.directoryOf(repository),
      body,
      signal: AbortSignal.any([signal, controller.signal]),
    };
    const report = pushWith(repository, null, (tools) => receiveLocally(push, tools));
    const done = report.then(
      () => undefined,
      () => undefined,
    );
    const ids = { repositoryId: repository.id, tokenId: undefined };
    const entry: Active = { http: undefined, controller, ...ids, isPush: true, done };
    active.add(entry);
    try {
      return await report;
    } finally {
      active.delete(entry);
    }
  }

  function handle(request: IncomingMessage, response: ServerResponse, origin: string): void {
    const controller = new AbortController();
    const ids = { repositoryId: undefined, tokenId: undefined };
    const http = { request, response };
    const entry: Active = { http, controller, ...ids, isPush: false, done: Promise.resolve() };
    response.once("close", () => {
      controller.abort(new Error("The client disconnected."));
    });
    active.add(entry);
    entry.done = serve(entry, http, origin)
      .catch((error: unknown) => answerFailure(http, error, controller.signal.aborted ? undefined : log))
      .finally(() => {
        active.delete(entry);
      });
  }

  async function end(entries: readonly Active[], reason: GitRefusal): Promise<void> {
    for (const { controller, http, isPush } of entries) {
      controller.abort(reason);
      if (http === undefined) continue;
      const { request, response } = http;
      if (response.headersSent && !isPush) response.destroy();
      // A client that still sends would delay the end with data that nobody reads.
      if (!request.complete) request.destroy();
    }
    const timer = setTimeout(() => {
      for (const { http } of entries) http?.response.destroy();
    }, closeGraceMs);
    await Promise.all(entries.map(({ done }) => done));
    clearTimeout(timer);
  }

  return {
    handle,
    receive,
    endToken(id) {
      revoked.add(id);
      const entries = [...active].filter(({ tokenId }) => tokenId === id);
      void end(entries, wasRevoked());
    },
    async endRepository(id) {
      deleted.add(id);
      const entries = [...active].filter(({ repositoryId }) => repositoryId === id);
      await end(entries, wasDeleted());
      await repacker.end(id);
    },
    async close() {
      closing = true;
      await end([...active], new GitRefusal(503, "Echotop is closing."));
      await repacker.close();
    },
  };
}

function defaultFetchLimits(): SlotLimits {
  const processes = Math.min(16, Math.max(4, 2 * availableParallelism()));
  return { total: processes, perKey: Math.ceil(processes / 2), waiting: 512 };
}

function wasDeleted(): GitRefusal {
  return new GitRefusal(404, "The repository was deleted.");
}

function wasRevoked(): GitRefusal {
  return new GitRefusal(401, "The token was revoked.");
}

function checkWrite({ scope, repository }: GitAccess): void {
  if (scope !== "write") throw new GitRefusal(403, "This token allows only reading.");
  checkWritable(repository);
}

function checkWritable({ readOnly }: RepositoryRecord): void {
  if (readOnly) throw new GitRefusal(403, "This repository is read-only.");
}

function checkBody(request: IncomingMessage, { service }: GitRoute, maxBytes: number): void {
  const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== `application/x-${service}-request`) {
    throw new GitRefusal(415, `The body must be application/x-${service}-request.`);
  }
  checkEncoding(request);
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) {
    throw new GitRefusal(413, `A request may have at most ${maxBytes} bytes.`);
  }
}

function isLoopback(address: string | undefined): boolean {
  const plain = address?.replace(/^::ffff:/, "") ?? "";
  return plain === "::1" || (isIP(plain) === 4 && plain.startsWith("127."));
}

function nameOf({ namespace, name }: RepositoryRecord): string {
  return `${namespace}/${name}`;
}

/** Logs the first message of a request that was withheld from its client. */
function createWithheldLog(log: Log, repository: string): OnWithheld {
  let isLogged = false;
  return (reason) => {
    if (!isLogged) log("warn", "A message of Git was withheld from a client", { repository, reason });
    isLogged = true;
  };
}

/** Converts a failure to an answer, or closes the connection if the answer has begun. */
async function answerFailure(
  { request, response }: NonNullable<Active["http"]>,
  error: unknown,
  log: Log | undefined,
): Promise<void> {
  const refusal = toRefusal(error);
  if (refusal === undefined || refusal.reason !== undefined) {
    log?.("error", "A Git request failed", { reason: refusal?.reason ?? messageOf(error) });
  }
  if (response.headersSent || response.destroyed) {
    if (refusal !== undefined) log?.("warn", "A Git answer was cut off", { reason: refusal.message });
    response.destroy();
    return;
  }
  const { status, message, headers } = refusal ?? new GitRefusal(500, "The request failed in Echotop.");
  const body = Buffer.from(`${message}\n`);
  response.writeHead(status, {
    ...headers,
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Length": body.length,
    "Cache-Control": "no-store",
    ...(request.complete ? {} : { Connection: "close" }),
  });
  response.write(body);
  await endAnswer({ request, response });
}

function toRefusal(error: unknown): GitRefusal | undefined {
  if (error instanceof GitRefusal) return error;
  const known = toArtifactsError(error);
  if (known?.code === "UPSTREAM_UNAVAILABLE") return new GitRefusal(503, known.message);
  if (known?.status === 507) return new GitRefusal(507, known.message, {}, messageOf(error));
  return undefined;
}
