// The list of commands before the pack of a push (gitprotocol-pack, "Reference Update Request"). All limits apply
// before Git sees a byte; Git itself decides whether a name may be pushed.
import { parsePkt, PktError } from "../../../sharing/git/pkt-line.ts";
import { maxCommandBytes, maxPushCommands, maxRefBytes, maxRefPartBytes } from "../hosting-limits.ts";
import { GitRefusal } from "./git-refusal.ts";

export interface PushCommand {
  /** 40 hex digits; all zeros for no object. */
  readonly oldId: string;
  readonly newId: string;
  readonly ref: string;
}

export interface PushRequest {
  readonly commands: readonly PushCommand[];
  readonly capabilities: ReadonlySet<string>;
  /** The packets as received, with their flush. */
  readonly head: Buffer;
  /** Bytes read beyond the packets: the start of the pack. */
  readonly rest: Buffer;
}

export const noObject = "0".repeat(40);

/**
 * Reads up to the flush; `next` returns the following bytes, undefined at the end.
 * @throws GitRefusal 400 for an invalid list, 413 above the limits
 */
export async function readPushRequest(next: () => Promise<Buffer | undefined>): Promise<PushRequest> {
  const lines: Buffer[] = [];
  const whole: Buffer[] = [];
  let wholeBytes = 0;
  let pending: Buffer = Buffer.alloc(0);
  for (;;) {
    const chunk = await next();
    if (chunk === undefined) throw new GitRefusal(400, "The push ends within its list of commands.");
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    const { end, flushed } = takeLines(pending, lines);
    whole.push(pending.subarray(0, end));
    wholeBytes += end;
    pending = pending.subarray(end);
    if (lines.length > maxPushCommands || wholeBytes > maxCommandBytes) {
      throw new GitRefusal(413, `A push may change at most ${maxPushCommands} refs.`);
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
    if (pkt.kind !== "data") throw malformed();
    lines.push(pkt.payload);
  }
}

function parseOrRefuse(bytes: Buffer, offset: number): ReturnType<typeof parsePkt> {
  try {
    return parsePkt(bytes, offset);
  } catch (error) {
    throw error instanceof PktError ? malformed() : error;
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
  // No control characters: answers, the audit trail and logs repeat the names.
  const match = /^([0-9a-f]{40}) ([0-9a-f]{40}) ([^\x00-\x20\x7f]+)$/.exec(text);
  if (match === null || Buffer.byteLength(match[3]!) > maxRefBytes) {
    throw malformed();
  }
  return { oldId: match[1]!, newId: match[2]!, ref: match[3]! };
}

function malformed(): GitRefusal {
  return new GitRefusal(400, "The list of commands of the push is malformed.");
}

/** Returns true if a part of the name is longer than a file name may be. */
export function hasLongPart(ref: string): boolean {
  return ref.split("/").some((part) => Buffer.byteLength(part) > maxRefPartBytes);
}

/** Refuses capabilities that Git would accept. @throws GitRefusal 400 */
export function checkCapabilities({ capabilities }: PushRequest): void {
  if (!capabilities.has("report-status") && !capabilities.has("report-status-v2")) {
    throw new GitRefusal(400, "A push must request a report of its outcome (report-status).");
  }
  if (capabilities.has("push-options")) throw new GitRefusal(400, "Push options are not supported here.");
  const format = [...capabilities].find((one) => one.startsWith("object-format="));
  if (format !== undefined && format !== "object-format=sha1") {
    throw new GitRefusal(400, "Repositories here use SHA-1 object names.");
  }
}
