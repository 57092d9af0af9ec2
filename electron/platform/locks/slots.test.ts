import { describe, expect, test } from "vitest";
import { createSlots } from "./slots.ts";

describe("slots", () => {
  const never = new AbortController().signal;
  const refuse = (): Error => new Error("full");

  test("of one key are exclusive without delaying another key", async () => {
    const slots = createSlots({ total: 3, perKey: 1, waiting: 5 }, refuse);
    const order: string[] = [];
    const release = await slots.take("a", never);
    const second = slots.take("a", never).then((give) => {
      order.push("a");
      give();
    });
    (await slots.take("b", never))();
    order.push("b");
    release();
    release();
    await second;
    expect(order).toEqual(["b", "a"]);
  });

  test("are refused if the queue is full, until a waiter leaves", async () => {
    const slots = createSlots({ total: 1, perKey: 1, waiting: 1 }, refuse);
    const release = await slots.take("a", never);
    const leaving = new AbortController();
    const waiting = slots.take("b", leaving.signal);
    await expect(slots.take("c", never)).rejects.toThrow("full");
    leaving.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    const next = slots.take("c", never);
    release();
    (await next)();
    (await slots.take("d", never))();
  });
});
