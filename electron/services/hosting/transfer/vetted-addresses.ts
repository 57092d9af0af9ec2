// Decides where an import may connect: public addresses, and those that the configuration allows. A host is looked up
// once, all its addresses must pass, and only they are used; a name that resolves differently later changes nothing.
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { AppError } from "../../../../shared/app-error.ts";
import { createAddressSet } from "../../../platform/addresses/address-set.ts";
import {
  isPublicAddress,
  parseIpAddress,
  parseIpRange,
  type IpRange,
} from "../../../platform/addresses/ip-address.ts";
import { ArtifactsError } from "../artifacts-error.ts";

const maxAddresses = 32;

export type Resolve = (host: string) => Promise<readonly string[]>;

export async function resolveHost(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

export type IsAllowed = (address: string) => boolean;

/**
 * `importAllow` contains addresses and CIDR blocks.
 * @throws AppError `invalid-input` for anything else
 */
export function createAddressRule(importAllow: readonly string[]): IsAllowed {
  const allowed = createAddressSet(importAllow.map(parseAllowed));
  return (text) => {
    const address = parseIpAddress(text);
    return address !== undefined && (isPublicAddress(address) || allowed.has(address));
  };
}

function parseAllowed(text: string): IpRange {
  const range = parseIpRange(text);
  if (range) return range;
  throw new AppError("invalid-input", `import_allow: "${text}" is neither an address nor a CIDR block.`);
}

export interface Vetting {
  readonly resolve: Resolve;
  readonly isAllowed: IsAllowed;
  readonly signal: AbortSignal;
}

/**
 * Returns all addresses of the host, in the order of the lookup.
 * @throws ArtifactsError `INVALID_URL` if one of them is not allowed; `UPSTREAM_UNAVAILABLE` if there is none
 */
export async function vetHost(hostname: string, vetting: Vetting): Promise<readonly string[]> {
  const addresses = isIP(hostname) === 0 ? await lookUp(hostname, vetting) : [hostname];
  if (addresses.length === 0) throw unknownHost();
  if (addresses.length > maxAddresses || !addresses.every(vetting.isAllowed)) {
    throw new ArtifactsError("INVALID_URL", "Imports from the network of this address are not allowed.");
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

function unknownHost(cause?: unknown): ArtifactsError {
  const options = { status: 502, cause };
  return new ArtifactsError("UPSTREAM_UNAVAILABLE", "The host of the address could not be found.", options);
}
