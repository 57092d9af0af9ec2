// The report of a push (gitprotocol-pack, "Report Status"): reads Git's, to learn which refs have changed, and writes
// our own for a pack that is refused before Git reads it.
import { flushPkt, formatBand, formatPkt, parsePkt } from "../../../sharing/git/pkt-line.ts";
import { maxAuditRefs } from "../hosting-limits.ts";
import type { PushCommand, PushRequest } from "./push-commands.ts";

/** Skips progress and keep-alives; stores no more of the report than the commands can need. */
export function createReportReader({ commands, capabilities }: PushRequest) {
  const banded = capabilities.has("side-band-64k") || capabilities.has("side-band");
  const maxReportBytes = 65_536 + commands.length * 4096;
  let outer: Buffer = Buffer.alloc(0);
  let report: Buffer = Buffer.alloc(0);
  let readable = true;
  const keep = (bytes: Buffer): void => {
    if (report.length + bytes.length <= maxReportBytes) report = Buffer.concat([report, bytes]);
  };
  return {
    /** Reads Git's output in pieces of any size, and keeps none of them. */
    read: (chunk: Buffer): void => {
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
    /** Returns the commands reported as `ok`. */
    accepted(): readonly PushCommand[] {
      const named = new Set(
        takePackets(report).packets.flatMap(
          (payload) => /^ok (.+?)\n?$/.exec(payload.toString("utf8"))?.[1] ?? [],
        ),
      );
      return commands.filter(({ ref }) => named.has(ref));
    },
  };
}

/** `end` is undefined if the bytes stop being packets: nothing after them can be read. */
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

/** Returns the report of a push that is refused as a whole: no ref has changed, and why. */
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

/** Returns the detail for the audit trail: a line `OLD NEW REF` for each of the first 200, and the number of others. */
export function describeCommands(commands: readonly PushCommand[]): string {
  const lines = commands.slice(0, maxAuditRefs).map(({ oldId, newId, ref }) => `${oldId} ${newId} ${ref}`);
  const more = commands.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}
