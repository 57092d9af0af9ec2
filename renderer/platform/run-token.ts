// The run's token: taken from the address's fragment, removed from the address at once, and kept for this tab alone. It is
// never written where another tab, another visit or a history entry could find it.
import type { KeyValueStorage } from "./stored-value.ts";

export const tokenKey = "echotop.token";

/** What of the page the token comes from. */
export interface TokenPage {
  /** The fragment, `#` included; empty where there is none. */
  readonly fragment: () => string;
  /** Takes the fragment out of the address, without a history entry. */
  readonly dropFragment: () => void;
  /** Calls back when the fragment changes. */
  readonly onFragment: (listener: () => void) => void;
  /** Undefined where the browser forbids it: then the token lasts as long as the page. */
  readonly storage: KeyValueStorage | undefined;
}

export interface Token {
  readonly find: () => string | undefined;
  /** Calls back when another token comes. */
  readonly onChange: (listener: () => void) => void;
}

export function parseToken(fragment: string): string | undefined {
  return /^#token=([\w-]{16,128})$/.exec(fragment)?.[1];
}

export function keepToken({ fragment, dropFragment, onFragment, storage }: TokenPage): Token {
  let token = load(storage);
  const listeners: (() => void)[] = [];
  const take = (): void => {
    const given = parseToken(fragment());
    if (given === undefined) return;
    dropFragment();
    token = given;
    save(storage, given);
    for (const listener of listeners) listener();
  };
  take();
  onFragment(take);
  return {
    find: () => token,
    onChange: (listener) => {
      listeners.push(listener);
    },
  };
}

function load(storage: KeyValueStorage | undefined): string | undefined {
  return parseToken(`#token=${storage?.getItem(tokenKey) ?? ""}`);
}

function save(storage: KeyValueStorage | undefined, token: string): void {
  try {
    storage?.setItem(tokenKey, token);
  } catch {
    // Quota or privacy mode: the token is kept by the page alone.
  }
}

export function createTokenPage(): TokenPage {
  return {
    fragment: () => window.location.hash,
    dropFragment: () => {
      window.history.replaceState(null, "", window.location.pathname + window.location.search);
    },
    onFragment: (listener) => {
      window.addEventListener("hashchange", listener);
    },
    storage: findSessionStorage(),
  };
}

function findSessionStorage(): KeyValueStorage | undefined {
  try {
    return window.sessionStorage;
  } catch {
    return undefined;
  }
}
