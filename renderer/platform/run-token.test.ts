import { expect, test } from "vitest";
import { keepToken, parseToken, tokenKey } from "./run-token.ts";

function createPage(fragment: string, stored: Record<string, string> = {}) {
  let current = fragment;
  let listener: (() => void) | undefined;
  return {
    stored,
    fragment: () => current,
    dropFragment: () => {
      current = "";
    },
    onFragment: (callback: () => void) => {
      listener = callback;
    },
    storage: {
      getItem: (key: string) => stored[key] ?? null,
      setItem: (key: string, value: string) => {
        stored[key] = value;
      },
    },
    goTo: (next: string) => {
      current = next;
      listener?.();
    },
  };
}

const token = "A".repeat(43);

test("the token is taken from the URL, removed from it at once, and stored for the tab", () => {
  const page = createPage(`#token=${token}`);
  expect(keepToken(page).find()).toBe(token);
  expect(page.fragment()).toBe("");
  expect(page.stored).toEqual({ [tokenKey]: token });
  expect(keepToken(createPage("", page.stored)).find()).toBe(token);
});

test("without a token in the URL or the tab there is none, and other fragments stay", () => {
  const page = createPage("#somewhere");
  expect(keepToken(page).find()).toBeUndefined();
  expect(page.fragment()).toBe("#somewhere");
});

test("a later token replaces the previous one, and listeners are called", () => {
  const page = createPage("", { [tokenKey]: token });
  const kept = keepToken(page);
  let told = 0;
  kept.onChange(() => {
    told += 1;
  });
  page.goTo("#elsewhere");
  expect(told).toBe(0);
  page.goTo(`#token=${"B".repeat(43)}`);
  expect(told).toBe(1);
  expect(kept.find()).toBe("B".repeat(43));
  expect(page.fragment()).toBe("");
});

test("a browser that keeps nothing does not lose the token that the page was opened with", () => {
  const page = { ...createPage(`#token=${token}`), storage: undefined };
  expect(keepToken(page).find()).toBe(token);
});

test.each(["", "#", "#token=", "#token=short", `#token=${token}<script>`, `#token=${token}&x=1`, "#Token=x"])(
  "%j holds no token",
  (fragment) => {
    expect(parseToken(fragment)).toBeUndefined();
  },
);
