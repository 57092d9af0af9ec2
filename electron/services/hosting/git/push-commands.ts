// What a push asks for: the command list before the pack (gitprotocol-pack, "Reference Update Request"). Every bound here
// holds before Git sees a byte; whether a name may be pushed is Git's own decision.
import { GitRefusal } from "./git-refusal.ts";
import { parsePkt, PktError } from "../../../sharing/git/pkt-line.ts";

export interface PushCommand {
  /** 40 hex digits; zeros stand for none. */
  readonly oldId: string;
  readonly newId: string;
  readonly ref: string;
}

export interface PushRequest {
  readonly commands: readonly PushCommand[];
  readonly capabilities: ReadonlySet<string>;
  /** The packets as they came, with their flush. */
  readonly head: Buffer;
  /** What was read beyond them: the pack begins here. */
  readonly rest: Buffer;
}

export const noObject = "0".repeat(40);

const maxCommands = 20_000;
const maxHeadBytes = 8 * 1024 * 1024;
const maxRefBytes = 1024;

/**
 * Reads up to the flush; `next` gives the following bytes, undefined at the end.
 * @throws GitRefusal 400 for what is no command list of ours, 413 for too much
 */
export async function readPushRequest(next: () => Promise<Buffer | undefined>): Promise<PushRequest> {
  const lines: Buffer[] = [];
  const whole: Buffer[] = [];
  let wholeBytes = 0;
  let pending: Buffer = Buffer.alloc(0);
  for (;;) {
    const chunk = await next();
    if (chunk === undefined) throw new GitRefusal(400, "The push ends before its command list does.");
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    const { end, flushed } = takeLines(pending, lines);
    whole.push(pending.subarray(0, end));
    wholeBytes += end;
    pending = pending.subarray(end);
    if (lines.length > maxCommands || wholeBytes > maxHeadBytes) {
      throw new GitRefusal(413, `A push changes at most ${maxCommands} refs.`);
    }
    if (flushed) return { ...parseLines(lines), head: Buffer.concat(whole), rest: pending };
  }
}

function takeLines(bytes: Buffer, lines: Buffer[]): { readonly end: number; readonly flushed: boolean } {
  let end = 0;
  for (;;) {
    const pkt = parseOrRefuse(bytes, end);
    if (pkt === undefined) return { end, flushed: false };
    end = pkt.end;
    if (pkt.kind === "flush") return { end, flushed: true };
    if (pkt.kind !== "data") throw new GitRefusal(400, "The command list of the push is malformed.");
    lines.push(pkt.payload);
  }
}

function parseOrRefuse(bytes: Buffer, offset: number): ReturnType<typeof parsePkt> {
  try {
    return parsePkt(bytes, offset);
  } catch (error) {
    if (error instanceof PktError) throw new GitRefusal(400, "The command list of the push is malformed.");
    throw error;
  }
}

function parseLines(lines: readonly Buffer[]): Pick<PushRequest, "commands" | "capabilities"> {
  const commands: PushCommand[] = [];
  let capabilities = new Set<string>();
  for (const line of lines) {
    const text = line.toString("utf8").replace(/\n$/, "");
    if (/^shallow [0-9a-f]{40}$/.test(text)) continue;
    const [command, listed] = text.split("\0", 2);
    if (listed !== undefined && commands.length === 0) {
      capabilities = new Set(listed.split(" ").filter((one) => one !== ""));
    }
    commands.push(parseCommand(command ?? ""));
  }
  return { commands, capabilities };
}

function parseCommand(text: string): PushCommand {
  // No control characters: the names come back in answers, audit trail and logs.
  const match = /^([0-9a-f]{40}) ([0-9a-f]{40}) ([^\x00-\x20\x7f]+)$/.exec(text);
  if (match === null || Buffer.byteLength(match[3]!) > maxRefBytes) {
    throw new GitRefusal(400, "The command list of the push is malformed.");
  }
  return { oldId: match[1]!, newId: match[2]!, ref: match[3]! };
}

/**
 * What Git would take and we do not.
 * @throws GitRefusal 400
 */
export function checkCapabilities({ capabilities }: PushRequest): void {
  if (!capabilities.has("report-status") && !capabilities.has("report-status-v2")) {
    throw new GitRefusal(400, "A push must ask for a report of its outcome (report-status).");
  }
  if (capabilities.has("push-options")) throw new GitRefusal(400, "Push options are not taken here.");
  const format = [...capabilities].find((one) => one.startsWith("object-format="));
  if (format !== undefined && format !== "object-format=sha1") {
    throw new GitRefusal(400, "Repositories here use SHA-1 object names.");
  }
}
