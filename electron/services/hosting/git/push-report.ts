// The report of a push (gitprotocol-pack, "Report Status"): reads and filters Git's, to learn which refs have changed,
// and writes our own for a push that is refused before Git reads it.
import { flushPkt, formatBand, formatPkt, parsePkt } from "../../../sharing/git/pkt-line.ts";
import { maxAuditRefs } from "../hosting-limits.ts";
import {
  createLineFilter,
  filterFailure,
  filterMessage,
  formatProgress,
  type OnWithheld,
  type OutputFilter,
} from "./message-filter.ts";
import type { PushCommand, PushRequest } from "./push-commands.ts";

/** Filters Git's output, and reads its report; stores no more of it than the commands can need. */
export function createReportFilter({ commands, capabilities }: PushRequest, onWithheld: OnWithheld) {
  const banded = capabilities.has("side-band-64k") || capabilities.has("side-band");
  const maxReportBytes = 65_536 + commands.length * 4096;
  const lines = createLineFilter(onWithheld);
  let outer: Packets = { packets: [], rest: Buffer.alloc(0), flushed: false };
  let report: Buffer = Buffer.alloc(0);
  const keep = (bytes: Buffer): void => {
    if (report.length + bytes.length <= maxReportBytes) report = Buffer.concat([report, bytes]);
  };
  const filter: OutputFilter = {
    read(piece) {
      if (!banded) {
        keep(piece);
        return [];
      }
      if (outer.rest === undefined) return [];
      outer = takePackets(Buffer.concat([outer.rest, piece]));
      return outer.packets.flatMap((payload) => {
        const text = payload.subarray(1);
        if (payload[0] === 1) keep(text);
        if (payload[0] === 2) return [formatProgress(lines.add(text))];
        return payload[0] === 3 ? [formatBand(3, filterFailure(text, onWithheld))] : [];
      });
    },
    end() {
      const whole = formatReport(report, onWithheld);
      if (!banded) return whole;
      const progress = formatBand(2, lines.end());
      return Buffer.concat([progress, formatBand(1, whole), outer.flushed ? flushPkt : Buffer.alloc(0)]);
    },
  };
  return {
    ...filter,
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

/** Returns Git's report with its reasons filtered. */
function formatReport(report: Buffer, onWithheld: OnWithheld): Buffer {
  const { packets, flushed } = takePackets(report);
  const filtered = packets.map((payload) => {
    const line = payload.toString("latin1");
    const [, start = "", reason = ""] = /^(unpack |ng \S+ |ok |option )?([^]*?)\n?$/.exec(line) ?? [];
    // The rest is a ref that the client has sent.
    if (start === "ok " || start === "option ") return formatPkt(payload);
    return formatPkt(Buffer.from(`${start}${filterMessage(reason, onWithheld)}\n`, "latin1"));
  });
  return Buffer.concat([...filtered, ...(flushed ? [flushPkt] : [])]);
}

interface Packets {
  readonly packets: readonly Buffer[];
  /** Start of an incomplete packet; undefined if the bytes stop being packets: nothing after them can be read. */
  readonly rest: Buffer | undefined;
  readonly flushed: boolean;
}

function takePackets(bytes: Buffer): Packets {
  const packets: Buffer[] = [];
  let end = 0;
  let flushed = false;
  try {
    for (;;) {
      const pkt = parsePkt(bytes, end);
      if (pkt === undefined) return { packets, rest: Buffer.from(bytes.subarray(end)), flushed };
      if (pkt.kind === "data") packets.push(pkt.payload);
      flushed ||= pkt.kind === "flush";
      end = pkt.end;
    }
  } catch {
    return { packets, rest: undefined, flushed };
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
