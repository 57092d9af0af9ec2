// Parses the address of a database as libpq reads it: postgres://USER@HOST:PORT,HOST/DATABASE?sslmode=…
import { userInfo } from "node:os";
import { AppError } from "../../../shared/app-error.ts";

export const sslModes = ["disable", "require", "verify-ca", "verify-full"] as const;
export type SslMode = (typeof sslModes)[number];

export interface DatabaseHost {
  /** Host name, IP address, or absolute path of the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
}

export interface DatabaseAddress {
  readonly hosts: readonly [DatabaseHost, ...DatabaseHost[]];
  readonly database: string;
  readonly user: string;
  readonly sslMode: SslMode;
  /** Path of the file of trusted certificates, or `system`. */
  readonly sslRootCertificate: string | undefined;
  readonly connectTimeoutMs: number;
}

const defaultPort = 5432;
const defaultConnectTimeoutMs = 2_000;
const form = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^@/?#\s]*)\/([^/?#\s]+)(?:\?([^#\s]*))?$/;

const parameters = ["sslmode", "sslrootcert", "connect_timeout", "host", "target_session_attrs"];

/**
 * Without `sslmode`, hosts off this machine must prove their names (`verify-full`).
 * @throws AppError `invalid-input`, without the address
 */
export function parseDatabaseUrl(url: string): DatabaseAddress {
  const [, user = "", hostList = "", database = "", query = ""] = form.exec(url) ?? refuse("is no address");
  const given = new URLSearchParams(query);
  if (user.includes(":") || given.has("password")) {
    refuse("has a password in it: set PGPASSWORD or use the file ~/.pgpass");
  }
  const unknown = [...given.keys()].find((name) => !parameters.includes(name));
  if (unknown !== undefined) refuse(`has an unknown parameter: ${unknown}`);
  if ((given.get("target_session_attrs") ?? "read-write") !== "read-write") {
    refuse("needs target_session_attrs=read-write, which is the default");
  }
  const list = given.get("host") ?? decode(hostList);
  const [first, ...others] = list.split(",").map(parseHost);
  const hosts = [first!, ...others] as const;
  return {
    hosts,
    database: decode(database),
    user: user === "" ? (process.env.PGUSER ?? userInfo().username) : decode(user),
    sslMode: parseSslMode(given.get("sslmode") ?? undefined, hosts),
    sslRootCertificate: given.get("sslrootcert") ?? undefined,
    connectTimeoutMs: parseTimeout(given.get("connect_timeout")),
  };
}

function parseHost(text: string): DatabaseHost {
  if (text.startsWith("/")) return { host: text, port: defaultPort };
  const [, host = "", port] =
    /^(\[[\da-fA-F:.]+\]|[^:[\]]*)(?::(\d{1,5}))?$/.exec(text) ?? refuse("has no valid host");
  const number = port === undefined ? defaultPort : Number(port);
  if (number < 1 || number > 65_535) refuse("has no valid port");
  return { host: host.replace(/^\[|\]$/g, "") || "localhost", port: number };
}

function parseSslMode(text: string | undefined, hosts: readonly DatabaseHost[]): SslMode {
  if (text === undefined) return hosts.every(isLocal) ? "disable" : "verify-full";
  return sslModes.find((mode) => mode === text) ?? refuse(`needs an sslmode of ${sslModes.join(", ")}`);
}

function isLocal({ host }: DatabaseHost): boolean {
  return host.startsWith("/") || host === "localhost" || host === "::1" || host.startsWith("127.");
}

function parseTimeout(text: string | null): number {
  if (text === null) return defaultConnectTimeoutMs;
  const seconds = Number(text);
  return seconds > 0 && seconds <= 600
    ? seconds * 1_000
    : refuse("needs a connect_timeout of 1 to 600 seconds");
}

function refuse(why: string): never {
  throw new AppError("invalid-input", `The database's address \`catalog.url\` ${why}.`);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse("has an invalid percent-encoding");
  }
}
