// Requests to addresses that a person entered. Threat: an address, or the DNS behind it, that leads into this computer
// or its network. A name is looked up for each connection, every address found must be public, and the socket connects
// only to what was checked; so a name that resolves differently a moment later changes nothing.
import { lookup as systemLookup, type LookupAddress } from "node:dns";
import { isIP } from "node:net";
import { Agent, fetch as undiciFetch } from "undici";
import { isPublicAddress, parseIpAddress } from "../../platform/addresses/ip-address.ts";

export type Lookup = (
  hostname: string,
  answer: (error: Error | null, addresses?: LookupAddress[]) => void,
) => void;

const lookUpAll: Lookup = (hostname, answer) => {
  systemLookup(hostname, { all: true }, (error, addresses) => {
    answer(error, addresses);
  });
};

/** The address is inside this computer or its network. */
export class PrivateAddressError extends Error {
  override readonly name = "PrivateAddressError";

  constructor() {
    super("The address is inside this computer or its network, which was not allowed for this overlay.");
  }
}

/** Returns the refusal among the causes of an error. */
export function findPrivateAddress(error: unknown): PrivateAddressError | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof PrivateAddressError) return at;
  }
  return undefined;
}

export interface GuardedFetch {
  readonly fetch: typeof globalThis.fetch;
  readonly close: () => Promise<void>;
}

/** Redirects within one https origin. */
const mostRedirects = 3;

/**
 * Returns a fetch that follows redirects only within one https origin, with the same checks; any other redirect is
 * returned as it is.
 */
export function createGuardedFetch(options: {
  readonly allowPrivate: boolean;
  readonly lookup?: Lookup | undefined;
}): GuardedFetch {
  const { allowPrivate, lookup = lookUpAll } = options;
  const agent = new Agent({
    // A connection that is kept would outlive its check.
    pipelining: 0,
    connect: {
      lookup: (hostname, { all }, answer) => {
        lookup(hostname, (error, addresses) => {
          const first = addresses?.[0];
          if (error || !addresses || !first) answer(error ?? unknownName(hostname), "", 0);
          else if (!addresses.every(({ address }) => isAllowed(address, allowPrivate))) {
            answer(new PrivateAddressError(), "", 0);
          } else if (all === true) answer(null, addresses);
          else answer(null, first.address, first.family);
        });
      },
    },
  });
  const send = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    let url = new URL(input);
    for (let redirects = 0; ; redirects += 1) {
      const literal = url.hostname.replace(/^\[(.*)\]$/, "$1");
      // A socket looks up no literal.
      if (isIP(literal) !== 0 && !isAllowed(literal, allowPrivate)) throw new PrivateAddressError();
      const wanted = { ...init, redirect: "manual", dispatcher: agent } as Parameters<typeof undiciFetch>[1];
      const response = (await undiciFetch(url, wanted)) as unknown as Response;
      const next = findRedirect(url, response);
      if (!next || redirects === mostRedirects) return response;
      await response.body?.cancel();
      url = next;
    }
  };
  return { fetch: send as typeof globalThis.fetch, close: () => agent.destroy() };
}

function isAllowed(text: string, allowPrivate: boolean): boolean {
  if (allowPrivate) return true;
  const address = parseIpAddress(text);
  return address !== undefined && isPublicAddress(address);
}

function unknownName(hostname: string): Error {
  return Object.assign(new Error(`${hostname} has no address.`), { code: "ENOTFOUND" });
}

/** Returns where a redirect leads if it may be followed. */
export function findRedirect(
  from: URL,
  { status, headers }: Pick<Response, "status" | "headers">,
): URL | undefined {
  const location = headers.get("location");
  if (![301, 302, 303, 307, 308].includes(status) || location === null || !URL.canParse(location, from)) {
    return undefined;
  }
  const to = new URL(location, from);
  return from.protocol === "https:" && to.origin === from.origin ? to : undefined;
}
