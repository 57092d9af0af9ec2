import { expect, test } from "vitest";
import { GitRefusal } from "./git-refusal.ts";
import { atPace } from "./client-pace.ts";

const never = () => new Promise<never>(() => undefined);

test("a body passes unchanged at any speed while nobody waits", async () => {
  const pieces = [Buffer.from("a"), Buffer.from("b"), undefined];
  const body = atPace(
    { next: () => Promise.resolve(pieces.shift()) },
    { isWanted: () => false, patienceMs: 1 },
  );
  expect([await body.next(), await body.next(), await body.next()].join()).toBe("a,b,");
});

test("a stalled body is given up once someone waits", async () => {
  const wanted = { is: false };
  const body = atPace({ next: never }, { isWanted: () => wanted.is, patienceMs: 20 });
  const next = body.next();
  const first = await Promise.race([
    next.catch(() => "given up"),
    new Promise((resolve) => setTimeout(resolve, 60, "waiting")),
  ]);
  expect(first).toBe("waiting");
  wanted.is = true;
  await expect(next).rejects.toThrow(GitRefusal);
  await expect(next).rejects.toMatchObject({ status: 408 });
});

test("a fast body is accepted until it stalls", async () => {
  let left = 30;
  const piece = Buffer.alloc(2 ** 16);
  const next = () => {
    left -= 1;
    return left < 0 ? never() : new Promise<Buffer>((resolve) => setTimeout(resolve, 10, piece));
  };
  const body = atPace({ next }, { isWanted: () => true, patienceMs: 200 });
  for (let times = 0; times < 30; times += 1) expect(await body.next()).toBe(piece);
  await expect(body.next()).rejects.toThrow(GitRefusal);
});

test("an error of the body is passed on", async () => {
  const next = () => Promise.reject(new Error("broken"));
  await expect(atPace({ next }, { isWanted: () => true, patienceMs: 10 }).next()).rejects.toThrow("broken");
});
