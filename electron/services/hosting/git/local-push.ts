// Receives a push from this process: the scanner, slots, checks and audit trail of a push over HTTP, but no token and no socket.
import { buffer } from "node:stream/consumers";
import { PackRefused } from "../../../sharing/git/packfile-limits.ts";
import { GitRefusal } from "./git-refusal.ts";
import { sweepRepository } from "./process-leftovers.ts";
import { checkCapabilities, readPushRequest } from "./push-commands.ts";
import { createReportReader, formatRefusalReport } from "./push-report.ts";
import { deliver, guardPush, receivePackArguments, type PushTools } from "./pushing.ts";

export interface LocalPush {
  readonly repositoryId: string;
  /** Absolute path of the bare repository. */
  readonly directory: string;
  /** The request's body, as `git-receive-pack` takes it. Its memory must not be used again. */
  readonly body: AsyncIterable<Buffer>;
  readonly signal: AbortSignal;
}

/** Returns Git's report. @throws GitRefusal; the signal's reason */
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
  const release = await tools.slots.take(repositoryId, signal);
  const child = tools.runner.spawn({ args: receivePackArguments(tools.maxPackBytes, directory) });
  const guard = guardPush(child, signal);
  const reading = buffer(child.stdout);
  // A killed process rejects it before it is awaited, or without that.
  reading.catch(() => undefined);
  try {
    await deliver(push, { next }, child, tools.maxPackBytes);
    guard.delivered();
    const report = await reading;
    const reader = createReportReader(push);
    reader.read(report);
    const accepted = reader.accepted();
    if (accepted.length > 0) await tools.note(accepted);
    const { stderr } = await child.ended;
    signal.throwIfAborted();
    if (report.length > 0) return report;
    throw new GitRefusal(500, "Git could not answer for this repository.", {}, stderr);
  } catch (error) {
    child.kill();
    await child.ended;
    // Git may have been killed before it removed a file; nobody else writes while we hold the slot.
    await sweepRepository(directory);
    if (error instanceof PackRefused && !signal.aborted) return formatRefusalReport(push, error.message);
    throw error;
  } finally {
    guard.release();
    release();
  }
}
