// Git over HTTP for stock clients: who may do what, in a fixed order of judgement, then Git itself behind a bound on how
// much runs at once. The threats are strangers on the network who must not learn which repositories exist, and holders of
// tokens who send hostile packs, names and half-open connections.
import type { IncomingMessage, ServerResponse } from "node:http";
import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { messageOf } from "../../../../shared/app-error.ts";
import type { Log } from "../../../platform/effects.ts";
import { isArtifactsError } from "../artifacts-error.ts";
import type { GitAccess, Repositories } from "../repositories.ts";
import { parseCredentials } from "./credentials.ts";
import type { Exchange } from "./exchange.ts";
import { advertise, maxNegotiationBytes, takeNegotiation, upload } from "./fetching.ts";
import { GitRefusal, refuseBusy } from "./git-refusal.ts";
import { parseGitRoute, type GitRoute } from "./git-route.ts";
import type { GitRunner } from "./git-runner.ts";
import { describeCommands } from "./push-report.ts";
import { receive, type PushTools } from "./pushing.ts";
import { createRepacker } from "./repack.ts";
import { checkEncoding, endAnswer } from "./git-request-body.ts";
import { createSlots, type SlotLimits } from "../../../platform/locks/slots.ts";

export interface GitTransportOptions {
  readonly repositories: Pick<Repositories, "authorizeGit" | "directoryOf" | "notePush" | "noteFetch">;
  readonly runner: GitRunner;
  /** Of a push, as it is sent. */
  readonly maxPackBytes: number;
  readonly log: Log;
  /** Processes that send; from the number of processors unless given. */
  readonly fetchLimits?: SlotLimits;
  /** A connection on which nothing moves for so long is given up; two minutes unless given. */
  readonly idleMs?: number;
  /** A push that keeps others waiting may be so long behind the least speed; 20 s unless given. */
  readonly patienceMs?: number;
  /** Packs of one repository; more are put together once a push is over. */
  readonly maxPacks?: number;
}

export interface GitTransport {
  /** For requests whose path begins with `/git/`; never throws. `origin` is the listener's. */
  readonly handle: (request: IncomingMessage, response: ServerResponse, origin: string) => void;
  /** Ends what goes on with a repository that was deleted, lets nothing begin there, and resolves within seconds. */
  endRepository(id: string): Promise<void>;
  /** Refuses what comes, ends what runs, and resolves within seconds. Idempotent. */
  close(): Promise<void>;
}

interface Active {
  readonly request: IncomingMessage;
  readonly controller: AbortController;
  readonly response: ServerResponse;
  repositoryId: string | undefined;
  /** A push that arrived whole is let finish and say so; what is sent to a slow reader is not waited for. */
  isPush: boolean;
  done: Promise<void>;
}

const defaultIdleMs = 120_000;
const defaultPatienceMs = 20_000;
const closeGraceMs = 8000;

export function createGitTransport(options: GitTransportOptions): GitTransport {
  const { repositories, runner, maxPackBytes, log, idleMs = defaultIdleMs } = options;
  const processes = Math.min(16, Math.max(4, 2 * availableParallelism()));
  const fetchSlots = createSlots(
    options.fetchLimits ?? { total: processes, perKey: Math.ceil(processes / 2), waiting: 512 },
    refuseBusy,
  );
  const pushSlots = createSlots({ total: 8, perKey: 1, waiting: 64 }, refuseBusy);
  const repacker = createRepacker({ runner, slots: pushSlots, log, maxPacks: options.maxPacks });
  const active = new Set<Active>();
  const deleted = new Set<string>();
  let closing = false;

  async function letIn(request: IncomingMessage, route: GitRoute, origin: string): Promise<GitAccess> {
    if (origin.startsWith("http:") && !isLoopback(request.socket.remoteAddress)) {
      throw new GitRefusal(403, "Tokens are taken over TLS alone from other machines.");
    }
    const secret = parseCredentials(request.headers.authorization);
    const access =
      secret === undefined ? undefined : await repositories.authorizeGit(route.namespace, route.name, secret);
    if (access === undefined) {
      throw new GitRefusal(
        401,
        "A token of this repository is needed, as a bearer token or as the password.",
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

  async function serve(entry: Active, origin: string): Promise<void> {
    const { request } = entry;
    const route = parseGitRoute(request.method, request.url ?? "");
    if (closing) throw new GitRefusal(503, "Echotop is closing.");
    const access = await letIn(request, route, origin);
    entry.repositoryId = access.repository.id;
    if (deleted.has(access.repository.id)) throw wasDeleted();
    const { signal } = entry.controller;
    const directory = repositories.directoryOf(access.repository);
    const exchange: Exchange = { request, response: entry.response, route, access, directory, signal };
    // One that waits for its turn is not idle, so the clock starts here for all but pushes, whose body comes first.
    if (route.service === "git-receive-pack" && route.step === "exchange") {
      request.socket.setTimeout(idleMs);
      entry.isPush = true;
      await push(exchange);
      return;
    }
    const body = route.step === "exchange" ? await takeNegotiation(exchange) : undefined;
    const release = await fetchSlots.take(access.repository.id, signal);
    request.socket.setTimeout(idleMs);
    try {
      const note = (): Promise<void> => repositories.noteFetch(access.repository, access.tokenId);
      if (body === undefined) await advertise(exchange, runner);
      else await upload(exchange, body, { runner, note });
    } finally {
      release();
    }
  }

  async function push(exchange: Exchange): Promise<void> {
    const { repository, tokenId } = exchange.access;
    const outcome = { changed: false };
    const tools: PushTools = {
      runner,
      slots: pushSlots,
      patienceMs: options.patienceMs ?? defaultPatienceMs,
      maxPackBytes,
      log,
      note: async (accepted) => {
        outcome.changed = true;
        try {
          await repositories.notePush(repository, tokenId, describeCommands(accepted));
        } catch (error) {
          // The refs have changed; telling the client otherwise would be wrong.
          log("error", "A push could not be noted", {
            repository: nameOf(exchange),
            reason: messageOf(error),
          });
        }
      },
    };
    try {
      await receive(exchange, tools);
    } finally {
      if (outcome.changed)
        repacker.afterPush({ id: repository.id, name: nameOf(exchange), directory: exchange.directory });
    }
  }

  function handle(request: IncomingMessage, response: ServerResponse, origin: string): void {
    const controller = new AbortController();
    const state = { repositoryId: undefined, isPush: false, done: Promise.resolve() };
    const entry: Active = { request, controller, response, ...state };
    response.once("close", () => {
      controller.abort(new Error("The client went away."));
    });
    active.add(entry);
    entry.done = serve(entry, origin)
      .catch((error: unknown) => answerFailure(entry, error, log))
      .finally(() => {
        active.delete(entry);
      });
  }

  async function end(entries: readonly Active[], reason: GitRefusal): Promise<void> {
    for (const { controller, request, response, isPush } of entries) {
      controller.abort(reason);
      if (response.headersSent && !isPush) response.destroy();
      // Whoever still sends would keep us waiting for what nobody reads.
      if (!request.complete) request.destroy();
    }
    const timer = setTimeout(() => {
      for (const { response } of entries) response.destroy();
    }, closeGraceMs);
    await Promise.all(entries.map(({ done }) => done));
    clearTimeout(timer);
  }

  return {
    handle,
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

function wasDeleted(): GitRefusal {
  return new GitRefusal(404, "The repository was deleted.");
}

function checkWrite({ scope, repository }: GitAccess): void {
  if (scope !== "write") throw new GitRefusal(403, "This token opens the repository for reading alone.");
  if (repository.readOnly) throw new GitRefusal(403, "This repository is read-only.");
}

function checkBody(request: IncomingMessage, { service }: GitRoute, maxBytes: number): void {
  const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== `application/x-${service}-request`) {
    throw new GitRefusal(415, `The body must be application/x-${service}-request.`);
  }
  checkEncoding(request);
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) {
    throw new GitRefusal(413, `A request here may be ${maxBytes} bytes long at most.`);
  }
}

function isLoopback(address: string | undefined): boolean {
  const plain = address?.replace(/^::ffff:/, "") ?? "";
  return plain === "::1" || (isIP(plain) === 4 && plain.startsWith("127."));
}

function nameOf({ access }: Exchange): string {
  return `${access.repository.namespace}/${access.repository.name}`;
}

/** The one place where a failure becomes an answer, or, where the answer has begun, the end of the connection. */
async function answerFailure(entry: Active, error: unknown, log: Log): Promise<void> {
  const { request, response, controller } = entry;
  const refusal = toRefusal(error);
  if (refusal === undefined || refusal.reason !== undefined) {
    const gone = controller.signal.aborted;
    if (!gone) log("error", "A Git request failed", { reason: refusal?.reason ?? messageOf(error) });
  }
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { status, message, headers } = refusal ?? new GitRefusal(500, "The request failed on this side.");
  const body = Buffer.from(`${message}\n`);
  response.writeHead(status, {
    ...headers,
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Length": body.length,
    "Cache-Control": "no-store",
    ...(request.complete ? {} : { Connection: "close" }),
  });
  response.write(body);
  await endAnswer(request, response);
}

function toRefusal(error: unknown): GitRefusal | undefined {
  if (error instanceof GitRefusal) return error;
  if (isArtifactsError(error, "UPSTREAM_UNAVAILABLE")) return new GitRefusal(503, error.message);
  return undefined;
}
