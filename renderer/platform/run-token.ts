// The token of the run: taken from the URL's fragment, removed from the URL at once, and stored for this tab only. It
// is never written where another tab, another visit or a history entry could find it.
import { findStorage, type KeyValueStorage } from "./stored-value.ts";

export const tokenKey = "echotop.token";

/** The parts of the page that the token needs. */
export interface TokenPage {
  /** Returns the fragment with its `#`, or an empty string. */
  readonly fragment: () => string;
  /** Removes the fragment from the URL, without a history entry. */
  readonly dropFragment: () => void;
  /** Calls back when the fragment changes. */
  readonly onFragment: (listener: () => void) => void;
  /** Undefined if the browser denies it; then the token lasts as long as the page. */
  readonly storage: KeyValueStorage | undefined;
}

export interface Token {
  readonly find: () => string | undefined;
  /** Calls back when a new token arrives. */
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
    // The storage is full or disabled: the token lasts as long as the page.
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
    storage: findStorage("sessionStorage"),
  };
}
