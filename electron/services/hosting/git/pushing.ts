// The write side: a push goes through the command list, the pack scanner and `git receive-pack`, which keeps it in
// quarantine until everything in it was checked. A refused push leaves nothing behind and says why.
import { PassThrough } from "node:stream";
import type { Log } from "../../../platform/effects.ts";
import {
  beginAnswer,
  finish,
  protocolEnvironment,
  sendOutput,
  write,
  writeOut,
  type Exchange,
} from "./exchange.ts";
import { GitRefusal } from "./git-refusal.ts";
import type { GitProcess, GitRunner } from "./git-runner.ts";
import { sweepRepository } from "./process-leftovers.ts";
import { pushedPackfileLimits, PackRefused } from "../../../sharing/git/packfile-limits.ts";
import { scanPackfile } from "../../../sharing/git/packfile-scanner.ts";
import {
  checkCapabilities,
  noObject,
  readPushRequest,
  type PushCommand,
  type PushRequest,
} from "./push-commands.ts";
import { createReportReader, formatRefusalReport } from "./push-report.ts";
import { atPace } from "./client-pace.ts";
import { openBody, readAhead, type RequestBody } from "./git-request-body.ts";
import type { Slots } from "../../../platform/locks/slots.ts";

/** Branches and tags alone can be changed, and names that `check-ref-format` takes: Git answers each ref for itself. */
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
  // Packs are kept as they come: a clone then sends their bytes on instead of compressing them again.
  ...["-c", "receive.unpackLimit=1"],
  // One object and its base at a time in memory; what is larger than this and stored whole is streamed.
  ...["-c", "pack.threads=1"],
  ...["-c", "core.bigFileThreshold=32m"],
];

export function receivePackArguments(maxPackBytes: number, directory: string): readonly string[] {
  return [
    ...pushOptions,
    ...["-c", `receive.maxInputSize=${maxPackBytes}`],
    ...["receive-pack", "--stateless-rpc", directory],
  ];
}

export interface PushTools {
  readonly runner: GitRunner;
  /** One push a repository. */
  readonly slots: Slots;
  /** See `Pace`; of one that keeps others waiting. */
  readonly patienceMs: number;
  readonly maxPackBytes: number;
  readonly log: Log;
  /** After refs have changed and before the client hears of it. */
  readonly note: (accepted: readonly PushCommand[]) => Promise<void>;
}

/** A push that fits into it holds nothing while it comes in. */
const aheadBytes = 1024 * 1024;
/** A push that is complete is given this long to end when its client or the host goes. */
const completeGraceMs = 5000;

export async function receive(exchange: Exchange, tools: PushTools): Promise<void> {
  const body = openBody(exchange.request);
  const push = await readPushRequest(() => body.next());
  if (push.commands.length === 0) {
    // Git asks so whether it may push, before it sends much.
    beginAnswer(exchange);
    await finish(exchange);
    return;
  }
  checkCapabilities(push);
  if (push.capabilities.has("atomic") && !push.commands.every(({ ref }) => isOpen(ref))) {
    await refuseAtomic(exchange, push);
    return;
  }
  const { id } = exchange.access.repository;
  const ahead = await readAhead(body, aheadBytes);
  const release = await tools.slots.take(id, exchange.signal);
  const { slots, patienceMs } = tools;
  try {
    await runPush(exchange, tools, push, atPace(ahead, { isWanted: () => slots.isWanted(id), patienceMs }));
  } finally {
    release();
  }
}

async function runPush(
  exchange: Exchange,
  tools: PushTools,
  push: PushRequest,
  body: RequestBody,
): Promise<void> {
  const { request, route, directory, signal } = exchange;
  const child = tools.runner.spawn({
    args: receivePackArguments(tools.maxPackBytes, directory),
    env: protocolEnvironment(request, route.service),
  });
  // Git's words wait here until the pack is through, as a refusal of ours would have to take their place.
  const held = child.stdout.pipe(new PassThrough({ highWaterMark: 1024 * 1024 }));
  child.stdout.once("close", () => held.end());
  const guard = guardPush(child, signal);
  try {
    await deliver(push, body, child, tools.maxPackBytes);
    guard.delivered();
    await report(exchange, tools, push, { ...child, stdout: held });
  } catch (error) {
    child.kill();
    await child.ended;
    // Git may have been ended between a file and its removal; nobody else writes while we hold the repository.
    await sweepRepository(directory);
    if (!(error instanceof PackRefused) || signal.aborted) throw error;
    await answerRefusedPack(exchange, tools.log, push, error);
  } finally {
    guard.release();
  }
}

/** Ends Git at once while the pack is under way; afterwards lets it finish what it is about to change. */
export function guardPush(
  child: GitProcess,
  signal: AbortSignal,
): { readonly delivered: () => void; readonly release: () => void } {
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
    delivered: () => {
      complete = true;
    },
    release: () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
    },
  };
}

/** @throws PackRefused, GitRefusal, or what the connection says when it breaks */
export async function deliver(
  push: PushRequest,
  body: RequestBody,
  child: GitProcess,
  maxPackBytes: number,
): Promise<void> {
  // Where Git takes no more it has refused the push, and its own report says why.
  if (!(await write(child.stdin, push.head))) return;
  if (push.commands.some(({ newId }) => newId !== noObject)) {
    for await (const piece of scanPackfile(rest(push, body), pushedPackfileLimits(maxPackBytes))) {
      if (!(await writeOut(child.stdin, piece))) return;
    }
  } else if (push.rest.length > 0 || (await body.next()) !== undefined) {
    throw new GitRefusal(400, "A push that only deletes carries no pack.");
  }
  child.stdin.end();
}

async function* rest({ rest }: PushRequest, body: RequestBody): AsyncGenerator<Buffer> {
  if (rest.length > 0) yield rest;
  for (let piece = await body.next(); piece !== undefined; piece = await body.next()) yield piece;
}

/** Also when the client is gone: what has changed must be known. */
async function report(
  exchange: Exchange,
  tools: PushTools,
  push: PushRequest,
  child: GitProcess,
): Promise<void> {
  const reader = createReportReader(push);
  try {
    await sendOutput(exchange, child, { look: reader.read, keepReading: true });
  } finally {
    const accepted = reader.accepted();
    if (accepted.length > 0) await tools.note(accepted);
  }
  await finish(exchange);
}

const isOpen = (ref: string): boolean => /^refs\/(?:heads|tags)\/./.test(ref);

/** Git would leave a hidden ref out and carry the rest of an atomic push through. */
async function refuseAtomic(exchange: Exchange, push: PushRequest): Promise<void> {
  const reasonOf = (ref: string): string =>
    isOpen(ref) ? "atomic push failure" : "deny updating a hidden ref";
  beginAnswer(exchange);
  await write(exchange.response, formatRefusalReport(push, "only branches and tags can be pushed", reasonOf));
  await finish(exchange);
}

async function answerRefusedPack(
  exchange: Exchange,
  log: Log,
  push: PushRequest,
  refused: PackRefused,
): Promise<void> {
  const { namespace, name } = exchange.access.repository;
  log("warn", "A push was refused", { repository: `${namespace}/${name}`, reason: refused.message });
  beginAnswer(exchange);
  await write(exchange.response, formatRefusalReport(push, refused.message));
  await finish(exchange);
}
