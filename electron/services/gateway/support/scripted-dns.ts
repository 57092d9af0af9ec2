// A DNS server for tests, on loopback UDP: it answers by a script, stays silent, or answers wrongly.
import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import { parseIpAddress } from "../../../platform/addresses/ip-address.ts";
import { toReverseName } from "../crawlers/reverse-dns.ts";

export type RecordType = "A" | "PTR" | "AAAA";

/** Addresses for A and AAAA, names for PTR. */
type Script = readonly string[] | "silence" | "servfail" | "nonsense";

export interface ScriptedDns {
  /** `127.0.0.1:PORT` */
  readonly server: string;
  /** Sets the records of a name; other names do not exist. */
  readonly set: (type: RecordType, name: string, script: Script) => void;
  /** Sets the reverse record of an address. */
  readonly setReverse: (address: string, script: Script) => void;
  /** Sets both records, so that the name is confirmed. */
  readonly setHost: (address: string, name: string) => void;
  /** All questions so far, in order: `PTR 5.2.0.192.in-addr.arpa`. */
  readonly questions: () => readonly string[];
  readonly clear: () => void;
  readonly stop: () => Promise<void>;
}

const types: Readonly<Record<RecordType, number>> = { A: 1, PTR: 12, AAAA: 28 };
const rcodes = { noError: 0, serverFailure: 2, noSuchName: 3 } as const;
const headerLength = 12;

export async function startScriptedDns(): Promise<ScriptedDns> {
  const scripts = new Map<string, Script>();
  const questions: string[] = [];
  const socket = createSocket("udp4");
  const reply = (query: Buffer, { port, address }: RemoteInfo): void => {
    const question = readQuestion(query);
    if (!question) return;
    questions.push(`${question.type} ${question.name}`);
    const isKnown = [...scripts.keys()].some((key) => key.endsWith(` ${question.name}`));
    const script = scripts.get(`${question.type} ${question.name}`) ?? [];
    if (script === "silence") return;
    if (script === "nonsense") {
      socket.send(Buffer.concat([query.subarray(0, 2), Buffer.from("no DNS at all")]), port, address);
      return;
    }
    const rcode = script === "servfail" ? rcodes.serverFailure : isKnown ? rcodes.noError : rcodes.noSuchName;
    const values = script === "servfail" ? [] : script;
    socket.send(toReply(query, question, { rcode, values }), port, address);
  };
  socket.on("message", reply);
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const set = (type: RecordType, name: string, script: Script): void => {
    scripts.set(`${type} ${name.toLowerCase()}`, script);
  };
  const setReverse = (address: string, script: Script): void => {
    set("PTR", toReverseName(parseIpAddress(address)!), script);
  };
  return {
    server: `127.0.0.1:${socket.address().port}`,
    set,
    setReverse,
    setHost(address, name) {
      setReverse(address, [name]);
      set(parseIpAddress(address)!.family === 4 ? "A" : "AAAA", name, [address]);
    },
    questions: () => [...questions],
    clear() {
      scripts.clear();
      questions.length = 0;
    },
    async stop() {
      socket.close();
      await once(socket, "close");
    },
  };
}

interface Question {
  readonly type: RecordType;
  readonly name: string;
  /** Offset after the question. */
  readonly end: number;
}

/** RFC 1035, section 4.1: one question, whose name is not compressed. */
function readQuestion(query: Buffer): Question | undefined {
  const labels: string[] = [];
  let at = headerLength;
  for (let length = query[at]; length !== undefined && length > 0; length = query[at]) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  if (query.byteLength < at + 5) return undefined;
  const number = query.readUInt16BE(at + 1);
  const type = (Object.keys(types) as RecordType[]).find((name) => types[name] === number);
  return type && { type, name: labels.join(".").toLowerCase(), end: at + 5 };
}

function toReply(
  query: Buffer,
  { type, end }: Question,
  { rcode, values }: { readonly rcode: number; readonly values: readonly string[] },
): Buffer {
  const header = Buffer.alloc(headerLength);
  query.copy(header, 0, 0, 2);
  // A response, with recursion desired and available.
  header.writeUInt16BE(0x8180 | rcode, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(values.length, 6);
  const answers = values.map((value) => {
    const data = toData(type, value);
    const record = Buffer.alloc(12);
    // Its name is the question's.
    record.writeUInt16BE(0xc000 | headerLength, 0);
    record.writeUInt16BE(types[type], 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(60, 6);
    record.writeUInt16BE(data.byteLength, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([header, query.subarray(headerLength, end), ...answers]);
}

function toData(type: RecordType, value: string): Buffer {
  if (type === "PTR") {
    const labels = value.split(".").filter((label) => label !== "");
    return Buffer.concat([
      ...labels.map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, "latin1")])),
      Buffer.from([0]),
    ]);
  }
  const address = parseIpAddress(value)!;
  const digits = address.value.toString(16).padStart(address.family === 4 ? 8 : 32, "0");
  return Buffer.from(digits, "hex");
}
