// The handle of "As known at" on the page, for a key and a button that lead to it.

export const knownAtHandleClass = "known-at-handle";

export function focusKnownAtHandle(): void {
  document.querySelector<HTMLElement>(`.${knownAtHandleClass}`)?.focus();
}
