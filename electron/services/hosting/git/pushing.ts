// The write side: a push goes through the list of commands, the packfile scanner and `git receive-pack`, which keeps it
// in quarantine until everything is checked. A refused push leaves nothing behind and says why.
import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Log } from "../../../platform/effects.ts";
import type { Slots } from "../../../platform/locks/slots.ts";
import { pushedPackfileLimits, PackRefused } from "../../../sharing/git/packfile-limits.ts";
import { scanPackfile } from "../../../sharing/git/packfile-scanner.ts";
import { maxRefPartBytes, readAheadBytes } from "../hosting-limits.ts";
import { atPace } from "./client-pace.ts";
import { beginAnswer, protocolEnvironment, sendOutput, write, writeOut, type Exchange } from "./exchange.ts";
import { GitRefusal, refuseFailure } from "./git-refusal.ts";
import { endAnswer, openBody, readAhead, type RequestBody } from "./git-request-body.ts";
import type { GitProcess, GitRunner } from "./git-runner.ts";
import type { OnWithheld, OutputFilter } from "./message-filter.ts";
import { sweepRepository } from "./process-leftovers.ts";
import {
  checkCapabilities,
  hasLongPart,
  noObject,
  readPushRequest,
  type PushCommand,
  type PushRequest,
} from "./push-commands.ts";
import { createReportFilter, formatRefusalReport } from "./push-report.ts";

/** Only branches and tags can change, under names that `check-ref-format` accepts: Git answers for each ref. */
export const pushOptions: readonly string[] = [
  ...["-c", "receive.hideRefs=refs"],
  ...["-c", "receive.hideRefs=!refs/heads"],
  ...["-c", "receive.hideRefs=!refs/tags"],
  ...["-c", "receive.advertiseAtomic=true"],
  ...["-c", "receive.advertisePushOptions=false"],
  ...["-c", "receive.fsckObjects=true"],
  ...["-c", "receive.denyCurrentBranch=ignore"],
  ...["-c", "receive.denyDeleteCurrent=refuse"],
  ...["-c", "receive.shallowUpdate=false"],
  // Stores packs as they arrive: a clone then sends their bytes instead of compressing them again.
  ...["-c", "receive.unpackLimit=1"],
  // Keeps one object and its base in memory; larger objects that are stored whole are streamed.
  ...["-c", "pack.threads=1"],
  ...["-c", "core.bigFileThreshold=32m"],
];

export interface PushTools {
  readonly runner: GitRunner;
  /** One push per repository. */
  readonly slots: Slots;
  /** See `Pace`: for a push that keeps others waiting. */
  readonly patienceMs: number;
  readonly maxPackBytes: number;
  readonly log: Log;
  readonly onWithheld: OnWithheld;
  /** Called after refs have changed and before the client is told. */
  readonly note: (accepted: readonly PushCommand[]) => Promise<void>;
}

/** Git's output that is held back while the pack arrives. */
const heldOutputBytes = 1024 * 1024;
/** Time for a complete push to end after its client or the host has gone. */
const completeGraceMs = 5000;

/** Receives a push over HTTP. */
export async function receive(exchange: Exchange, tools: PushTools): Promise<void> {
  const { request, response, route, access, directory, signal } = exchange;
  const body = openBody(request);
  const push = await readPushRequest(() => body.next());
  if (push.commands.length === 0) {
    // Git asks this way whether it may push, before it sends much.
    beginAnswer(exchange);
    await endAnswer(exchange);
    return;
  }
  checkCapabilities(push);
  const refuse = async (report: Buffer): Promise<void> => {
    beginAnswer(exchange);
    await write(response, report);
  };
  const refusal = refuseNames(push);
  if (refusal !== undefined) {
    await refuse(refusal);
    await endAnswer(exchange);
    return;
  }
  const { id, namespace, name } = access.repository;
  const { slots, patienceMs, log } = tools;
  // A push that fits into this holds no slot while it arrives.
  const ahead = await readAhead(body, readAheadBytes);
  const release = await slots.take(id, signal, access.tokenId);
  try {
    await runPush(
      {
        ...{ push, directory, signal },
        body: atPace(ahead, { isWanted: () => slots.isWanted(id), patienceMs }),
        env: protocolEnvironment(request, route.service),
        // Reads on when the client has gone: the changed refs must be recorded.
        report: (child, filter) => sendOutput(exchange, child, { filter, keepReading: true }),
        async refuse(report, reason) {
          log("warn", "A push was refused", { repository: `${namespace}/${name}`, reason });
          await refuse(report);
        },
      },
      tools,
    );
  } finally {
    release();
  }
  await endAnswer(exchange);
}

/** Returns the report of a push with names that Git must not see; undefined if Git may decide. */
function refuseNames(push: PushRequest): Buffer | undefined {
  if (push.commands.some(({ ref }) => hasLongPart(ref))) {
    return formatRefusalReport(push, "a part of a ref name is too long", toLengthReason);
  }
  // Git would omit a hidden ref and apply the rest of an atomic push.
  if (push.capabilities.has("atomic") && !push.commands.every(({ ref }) => isOpen(ref))) {
    return formatRefusalReport(push, "only branches and tags can be pushed", toAtomicReason);
  }
  return undefined;
}

const toLengthReason = (ref: string): string =>
  hasLongPart(ref)
    ? `a part of the name has more than ${maxRefPartBytes} bytes`
    : "another name in the push is too long";

const isOpen = (ref: string): boolean => /^refs\/(?:heads|tags)\/./.test(ref);
const toAtomicReason = (ref: string): string =>
  isOpen(ref) ? "atomic push failure" : "deny updating a hidden ref";

export interface LocalPush {
  readonly repositoryId: string;
  /** Absolute path of the bare repository. */
  readonly directory: string;
  /** Body of a `git-receive-pack` request. The caller must not reuse its memory. */
  readonly body: AsyncIterable<Buffer>;
  readonly signal: AbortSignal;
}

/**
 * Receives a push from this process, with the checks and the audit trail of a push over HTTP, but no token and no
 * socket. Returns Git's report. @throws GitRefusal; the signal's reason
 */
export async function receiveLocally(
  { repositoryId, directory, body, signal }: LocalPush,
  tools: PushTools,
): Promise<Buffer> {
  const pieces = body[Symbol.asyncIterator]();
  const next = async (): Promise<Buffer | undefined> => {
    const piece = await pieces.next();
    return piece.done === true ? undefined : piece.value;
  };
  const push = await readPushRequest(next);
  checkCapabilities(push);
  const refusal = refuseNames(push);
  if (refusal !== undefined) return refusal;
  const release = await tools.slots.take(repositoryId, signal);
  try {
    return await runPush(
      {
        ...{ push, directory, signal, body: { next } },
        async report({ stdout, ended }, filter) {
          const output = await buffer(stdout);
          const report = Buffer.concat([...filter.read(output), filter.end()]);
          const { stderr } = await ended;
          signal.throwIfAborted();
          if (output.length > 0) return report;
          throw refuseFailure(stderr);
        },
        refuse: (report) => Promise.resolve(report),
      },
      tools,
    );
  } finally {
    release();
  }
}

interface PushRun<Result> {
  readonly push: PushRequest;
  readonly directory: string;
  readonly body: RequestBody;
  readonly signal: AbortSignal;
  readonly env?: Readonly<Record<string, string>>;
  /** Forwards Git's output through the filter. */
  readonly report: (child: GitProcess, filter: OutputFilter) => Promise<Result>;
  /** Forwards the report of a push whose pack the scanner refused. */
  readonly refuse: (report: Buffer, reason: string) => Promise<Result>;
}

/** Runs `git receive-pack`; the caller holds the repository's slot. Cleans up after a failure. */
async function runPush<Result>(
  { push, directory, body, signal, env, report, refuse }: PushRun<Result>,
  tools: PushTools,
): Promise<Result> {
  const { runner, maxPackBytes, onWithheld, note } = tools;
  const limit = ["-c", `receive.maxInputSize=${maxPackBytes}`];
  const args = [...pushOptions, ...limit, "receive-pack", "--stateless-rpc", directory];
  const child = runner.spawn({ args, env });
  // Holds Git's output until the pack is through: a refusal by the scanner would have to replace it.
  const held = child.stdout.pipe(new PassThrough({ highWaterMark: heldOutputBytes }));
  child.stdout.once("close", () => held.end());
  const guard = guardPush(child, signal);
  try {
    await deliver(push, body, child, maxPackBytes);
    guard.delivered();
    const filter = createReportFilter(push, onWithheld);
    try {
      return await report({ ...child, stdout: held }, filter);
    } finally {
      const accepted = filter.accepted();
      if (accepted.length > 0) await note(accepted);
    }
  } catch (error) {
    child.kill();
    await child.ended;
    // Git may have been killed before it removed a file; nothing else writes while we hold the slot.
    await sweepRepository(directory);
    if (!(error instanceof PackRefused) || signal.aborted) throw error;
    return await refuse(formatRefusalReport(push, error.message), error.message);
  } finally {
    guard.release();
  }
}

/** On abort, ends Git at once while the pack arrives; afterwards gives it time to finish its changes. */
function guardPush(child: GitProcess, signal: AbortSignal) {
  let complete = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => {
    if (complete)
      timer = setTimeout(() => {
        child.kill();
      }, completeGraceMs);
    else child.kill();
  };
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });
  return {
    delivered: (): void => {
      complete = true;
    },
    release: (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
    },
  };
}

/** @throws PackRefused, GitRefusal, or the error of a broken connection */
async function deliver(
  push: PushRequest,
  body: RequestBody,
  child: GitProcess,
  maxPackBytes: number,
): Promise<void> {
  // If Git accepts no more input, it has refused the push, and its own report says why.
  if (!(await write(child.stdin, push.head))) return;
  if (push.commands.some(({ newId }) => newId !== noObject)) {
    for await (const piece of scanPackfile(rest(push, body), pushedPackfileLimits(maxPackBytes))) {
      if (!(await writeOut(child.stdin, piece))) return;
    }
  } else if (push.rest.length > 0 || (await body.next()) !== undefined) {
    throw new GitRefusal(400, "A push that only deletes must not contain a pack.");
  }
  child.stdin.end();
}

async function* rest({ rest }: PushRequest, body: RequestBody): AsyncGenerator<Buffer> {
  if (rest.length > 0) yield rest;
  for (let piece = await body.next(); piece !== undefined; piece = await body.next()) yield piece;
}
