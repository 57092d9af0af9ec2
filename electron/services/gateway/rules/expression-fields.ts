// The fields of the language and its four types of value.
import type { IpAddress } from "../../../platform/addresses/ip-address.ts";
import { parseAddress } from "./address-ranges.ts";
import { toText } from "./expression-text.ts";
import type { RequestFields } from "./request-fields.ts";

export type ValueType = "string" | "integer" | "address" | "boolean";

const typeNames: Readonly<Record<ValueType, string>> = {
  string: "a String",
  integer: "an Integer",
  address: "an IP address",
  boolean: "a Boolean",
};

/** Returns the type as messages name it. */
export function nameOfType(type: ValueType): string {
  return typeNames[type];
}

/** A value that is read from a request. Reading it never throws. */
export type Value =
  | { readonly type: "string"; readonly read: (fields: RequestFields) => string }
  | { readonly type: "integer"; readonly read: (fields: RequestFields) => number }
  /** Undefined if the visitor's address is unknown: it then equals no address. */
  | { readonly type: "address"; readonly read: (fields: RequestFields) => IpAddress | undefined }
  | { readonly type: "boolean"; readonly read: (fields: RequestFields) => boolean };

const values: Readonly<Record<string, Value>> = {
  "http.host": { type: "string", read: ({ host }) => host },
  "http.request.method": { type: "string", read: ({ method }) => method },
  "http.request.uri": { type: "string", read: (fields) => toUri(fields) },
  "http.request.uri.path": { type: "string", read: ({ path }) => toText(path) },
  "http.request.uri.query": { type: "string", read: ({ query }) => toText(query) },
  "http.request.full_uri": {
    type: "string",
    read: (fields) => `${fields.isTls ? "https" : "http"}://${fields.host}${toUri(fields)}`,
  },
  "http.user_agent": { type: "string", read: ({ userAgent }) => toText(userAgent) },
  "http.referer": { type: "string", read: ({ referer }) => toText(referer) },
  "ip.src": { type: "address", read: ({ address }) => parseAddress(address) },
  ssl: { type: "boolean", read: ({ isTls }) => isTls },
  "cf.hostname.metadata": { type: "string", read: ({ hostnameMetadata }) => hostnameMetadata },
  "cf.verified_bot_category": { type: "string", read: ({ verifiedBotCategory }) => verifiedBotCategory },
  "cf.client.bot": { type: "boolean", read: ({ isVerifiedBot }) => isVerifiedBot },
};

const fieldsAboutBots: ReadonlySet<string> = new Set(["cf.verified_bot_category", "cf.client.bot"]);

export function findField(name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** True if the field can be read only once the visitor's verdict is known. */
export function isAboutBots(name: string): boolean {
  return fieldsAboutBots.has(name);
}

function toUri({ path, query }: RequestFields): string {
  return toText(query === "" ? path : `${path}?${query}`);
}
