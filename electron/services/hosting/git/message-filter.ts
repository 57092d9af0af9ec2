// Git's own messages on their way to a client: errors and progress in side bands, and `ERR` packets
// (gitprotocol-common, gitprotocol-pack). They may name files of this computer, so only harmless lines pass.
import { formatBand, formatPkt, parsePktLength, PktError } from "../../../sharing/git/pkt-line.ts";

/** Replaces a message that may contain a local path. */
const withheldMessage = "failed on the host, whose log says why";

/** Called with a message that did not pass. It may contain local paths: only for the log. */
export type OnWithheld = (message: string) => void;

/** Slashes without a path: in refs, counters and speeds. */
const harmlessSlashes = /(?<![\w.\\/-])refs\/[^\s\\:,|"'?*[~^]*|\(\d+\/\d+\)|\b(?:[KMGT]i?B|bytes)\/s\b/g;
/** Slashes of either kind, and control characters except those that end a line. */
const suspicious = /[/\\\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f]/;

/** Returns the message, or a sentence in its place if it may contain a local path. */
export function filterMessage(message: string, onWithheld: OnWithheld): string {
  if (!suspicious.test(message.replaceAll(harmlessSlashes, ""))) return message;
  onWithheld(message);
  return withheldMessage;
}

/** Longer than any line of Git's; the rest of a longer one is a line of its own. */
const maxLineLength = 4096;

/** Filters text that arrives in pieces. A line passes when it has ended. */
export function createLineFilter(onWithheld: OnWithheld) {
  let partial = "";
  const filter = (line: string): string => {
    const [, text = "", end = ""] = /^([^\r\n]*)([\r\n]*)$/.exec(line) ?? [];
    return filterMessage(text, onWithheld) + end;
  };
  const take = (text: string): Buffer => {
    const lines = text.match(/[^\r\n]*[\r\n]+|[^\r\n]+$/g) ?? [];
    return Buffer.from(lines.map(filter).join(""), "latin1");
  };
  return {
    add(bytes: Buffer): Buffer {
      const text = partial + bytes.toString("latin1");
      const end = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1;
      const whole = text.length - end > maxLineLength ? text.length : end;
      partial = text.slice(whole);
      return take(text.slice(0, whole));
    },
    /** Returns a last line without an end. */
    end(): Buffer {
      const text = partial;
      partial = "";
      return take(text);
    },
  };
}

/** Returns a fatal message without a local path. */
export function filterFailure(payload: Buffer, onWithheld: OnWithheld): Buffer {
  const message = filterMessage(payload.toString("latin1").trimEnd(), onWithheld);
  return Buffer.from(`${message}\n`, "latin1");
}

export interface OutputFilter {
  /** Returns the bytes to send for a piece of Git's output: the piece itself, views of it, or others. */
  read(piece: Buffer): readonly Buffer[];
  /** Returns the bytes to send at the end of the output. */
  end(): Buffer;
}

/** Filters the output of `git upload-pack`. Data passes without a copy. */
export function createFetchFilter(onWithheld: OnWithheld): OutputFilter {
  const lines = createLineFilter(onWithheld);
  /** Start of a packet whose rest has not arrived. */
  let pending: Buffer = Buffer.alloc(0);
  /** Bytes of a packet of data that have not arrived. */
  let passing = 0;
  const endLine = (): Buffer => formatBand(2, lines.end());
  const filter = (packet: Buffer, kind: Kind): Buffer => {
    if (kind === "progress") return formatProgress(lines.add(packet.subarray(5)));
    const [start, format] = kind === "failure" ? [5, toFailure] : [8, toError];
    return Buffer.concat([endLine(), format(filterFailure(packet.subarray(start), onWithheld))]);
  };
  return {
    read(piece) {
      const bytes = pending.length === 0 ? piece : Buffer.concat([pending, piece]);
      const output: Buffer[] = [];
      let sent = 0;
      let at = Math.min(passing, bytes.length);
      passing -= at;
      const replace = (end: number, packet: Buffer): void => {
        output.push(bytes.subarray(sent, at), packet);
        sent = at = end;
      };
      while (at < bytes.length) {
        const packet = inspect(bytes, at);
        if (packet === undefined) break;
        const { kind, end } = packet;
        if (kind === "marker") {
          const line = endLine();
          if (line.length > 0) replace(at, line);
          at = end;
        } else if (kind === "data") {
          passing = Math.max(0, end - bytes.length);
          at = Math.min(end, bytes.length);
        } else if (end > bytes.length) break;
        else replace(end, filter(bytes.subarray(at, end), kind));
      }
      pending = Buffer.from(bytes.subarray(at));
      output.push(bytes.subarray(sent, at));
      return output.filter(({ length }) => length > 0);
    },
    // Drops a packet that was cut: it may be a message.
    end: endLine,
  };
}

type Kind = "progress" | "failure" | "error";

const toFailure = (message: Buffer): Buffer => formatBand(3, message);
const toError = (message: Buffer): Buffer => formatPkt(Buffer.concat([Buffer.from("ERR "), message]));

/** An empty packet keeps the connection alive while a line is incomplete. */
export function formatProgress(text: Buffer): Buffer {
  return text.length === 0 ? Buffer.from("0005\x02") : formatBand(2, text);
}

/** Returns undefined if more bytes are needed. Bytes that are not packets are a pack without side bands: data. */
function inspect(
  bytes: Buffer,
  at: number,
): { readonly kind: Kind | "data" | "marker"; readonly end: number } | undefined {
  let length: number | undefined;
  try {
    length = parsePktLength(bytes, at);
  } catch (error) {
    if (error instanceof PktError) return { kind: "data", end: Infinity };
    throw error;
  }
  if (length === undefined) return undefined;
  if (length <= 4) return { kind: length === 4 ? "data" : "marker", end: at + 4 };
  if (at + 4 === bytes.length) return undefined;
  const kind = kinds[bytes[at + 4]!] ?? "data";
  if (kind !== "error") return { kind, end: at + length };
  if (length < 8) return { kind: "data", end: at + length };
  if (bytes.length < at + 8) return undefined;
  const isError = bytes.toString("latin1", at + 4, at + 8) === "ERR ";
  return { kind: isError ? "error" : "data", end: at + length };
}

/** By the first byte of the payload: a side band, or the letter of `ERR`. */
const kinds: Readonly<Record<number, Kind>> = { 2: "progress", 3: "failure", 0x45: "error" };
