import { expect, test } from "vitest";
import { createActionToken, toActingAddress } from "./action-token.ts";

test("a token is 32 random bytes, different each time", () => {
  const tokens = Array.from({ length: 50 }, createActionToken);
  for (const token of tokens) {
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
  }
  expect(new Set(tokens).size).toBe(tokens.length);
});

test("the token is in the fragment, which no request contains", () => {
  const url = new URL(toActingAddress("http://127.0.0.1:47800", "abc"));
  expect(url.hash).toBe("#token=abc");
  expect(url.pathname + url.search).toBe("/");
});
