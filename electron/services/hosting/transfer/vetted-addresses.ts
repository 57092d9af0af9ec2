// Where an import may connect to: public addresses, and those that the configuration allows. A host is looked up once, every address
// of it must pass, and only those that passed are ever connected to; so a name that answers something else later changes nothing.
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { AppError } from "../../../../shared/app-error.ts";
import { ArtifactsError } from "../artifacts-error.ts";
import { TransferError } from "./transfer-error.ts";

/** RFC 4291, 2.4 with IANA's allocation: what is routed in the Internet lies in here, special blocks apart. */
const globalIpv6 = ipaddr.IPv6.parseCIDR("2000::/3");
const maxAddresses = 32;

export type Resolve = (host: string) => Promise<readonly string[]>;

export async function resolveHost(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

export type IsAllowed = (address: string) => boolean;

/**
 * `importAllow` holds addresses or CIDR blocks.
 * @throws AppError `invalid-input` for one that is neither
 */
export function createAddressRule(importAllow: readonly string[]): IsAllowed {
  const blocks = importAllow.map(parseBlock);
  return (text) => {
    if (!ipaddr.isValid(text) || isIP(text) === 0) return false;
    // An IPv4 address in IPv6's clothes is judged as what it is.
    const address = ipaddr.process(text);
    return isPublic(address) || blocks.some((block) => isWithin(address, block));
  };
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Block = readonly [Address, number];

function parseBlock(text: string): Block {
  try {
    if (text.includes("/")) return ipaddr.parseCIDR(text);
    const address = ipaddr.parse(text);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  } catch (error) {
    throw new AppError("invalid-input", `import_allow: "${text}" is no address and no CIDR block.`, {
      cause: error,
    });
  }
}

function isPublic(address: Address): boolean {
  if (address.range() !== "unicast") return false;
  return address instanceof ipaddr.IPv4 || address.match(globalIpv6);
}

function isWithin(address: Address, [base, bits]: Block): boolean {
  if (address instanceof ipaddr.IPv4) return base instanceof ipaddr.IPv4 && address.match(base, bits);
  return base instanceof ipaddr.IPv6 && address.match(base, bits);
}

export interface Vetting {
  readonly resolve: Resolve;
  readonly isAllowed: IsAllowed;
  readonly signal: AbortSignal;
}

/**
 * All addresses of the host, in the order of the lookup.
 * @throws ArtifactsError `INVALID_URL` when one of them may not be connected to; TransferError when there is none
 */
export async function vetHost(hostname: string, vetting: Vetting): Promise<readonly string[]> {
  const addresses = isIP(hostname) === 0 ? await lookUp(hostname, vetting) : [hostname];
  if (addresses.length === 0) throw unknownHost();
  if (addresses.length > maxAddresses || !addresses.every(vetting.isAllowed)) {
    throw new ArtifactsError("INVALID_URL", "The address leads into a network that is not imported from.");
  }
  return addresses;
}

async function lookUp(hostname: string, { resolve, signal }: Vetting): Promise<readonly string[]> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => {
    aborted.reject(signal.reason as Error);
  };
  signal.throwIfAborted();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([resolve(hostname), aborted.promise]);
  } catch (error) {
    signal.throwIfAborted();
    throw unknownHost(error);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function unknownHost(cause?: unknown): TransferError {
  return new TransferError(502, "UPSTREAM_UNAVAILABLE", "The host of the address could not be found.", {
    cause,
  });
}
