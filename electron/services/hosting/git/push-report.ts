// The report of a push (gitprotocol-pack, "Report Status"): reading the one that Git writes, to learn which refs have
// changed, and writing our own where a pack is refused before Git has looked at it.
import { flushPkt, formatBand, formatPkt, parsePkt } from "../../../sharing/git/pkt-line.ts";
import type { PushCommand, PushRequest } from "./push-commands.ts";

export interface ReportReader {
  /** Takes what Git writes, in pieces of any size, and keeps none of them. */
  readonly read: (chunk: Buffer) => void;
  /** The commands that were reported `ok`. */
  accepted(): readonly PushCommand[];
}

/** Git's words for people and keep-alives go by; of the report itself no more is kept than the commands can need. */
export function createReportReader({ commands, capabilities }: PushRequest): ReportReader {
  const banded = capabilities.has("side-band-64k") || capabilities.has("side-band");
  const maxReportBytes = 65_536 + commands.length * 4096;
  let outer: Buffer = Buffer.alloc(0);
  let report: Buffer = Buffer.alloc(0);
  let readable = true;
  const keep = (bytes: Buffer): void => {
    if (report.length + bytes.length <= maxReportBytes) report = Buffer.concat([report, bytes]);
  };
  return {
    read(chunk) {
      if (!banded) {
        keep(chunk);
        return;
      }
      if (!readable) return;
      outer = outer.length === 0 ? chunk : Buffer.concat([outer, chunk]);
      const { packets, end } = takePackets(outer);
      for (const payload of packets) if (payload[0] === 1) keep(payload.subarray(1));
      if (end === undefined) readable = false;
      else outer = Buffer.from(outer.subarray(end));
    },
    accepted() {
      const named = new Set(
        takePackets(report).packets.flatMap(
          (payload) => /^ok (.+?)\n?$/.exec(payload.toString("utf8"))?.[1] ?? [],
        ),
      );
      return commands.filter(({ ref }) => named.has(ref));
    },
  };
}

/** `end` is undefined where the bytes stop being packets: nothing after that can be understood. */
function takePackets(bytes: Buffer): {
  readonly packets: readonly Buffer[];
  readonly end: number | undefined;
} {
  const packets: Buffer[] = [];
  let end = 0;
  try {
    for (;;) {
      const pkt = parsePkt(bytes, end);
      if (pkt === undefined) return { packets, end };
      if (pkt.kind === "data") packets.push(pkt.payload);
      end = pkt.end;
    }
  } catch {
    return { packets, end: undefined };
  }
}

/** The answer to a push that is refused whole: nothing was taken in, no ref has changed, and why. */
export function formatRefusalReport(
  { commands, capabilities }: PushRequest,
  reason: string,
  reasonOf: (ref: string) => string = () => "unpacker error",
): Buffer {
  const report = Buffer.concat([
    formatPkt(`unpack ${reason}\n`),
    ...commands.map(({ ref }) => formatPkt(`ng ${ref} ${reasonOf(ref)}\n`)),
    flushPkt,
  ]);
  if (!capabilities.has("side-band-64k")) return report;
  return Buffer.concat([formatBand(2, Buffer.from(`error: ${reason}\n`)), formatBand(1, report), flushPkt]);
}

const maxDetailCommands = 200;

/** For the audit trail: `OLD NEW REF` a line, the first 200 and how many more. */
export function describeCommands(commands: readonly PushCommand[]): string {
  const lines = commands
    .slice(0, maxDetailCommands)
    .map(({ oldId, newId, ref }) => `${oldId} ${newId} ${ref}`);
  const more = commands.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}
