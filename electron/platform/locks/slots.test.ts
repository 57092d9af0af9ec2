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

  test("go to the client that holds the fewest, then to the first", async () => {
    const slots = createSlots({ total: 2, perKey: 2, waiting: 9 }, refuse);
    const held = [await slots.take("a", never, "many"), await slots.take("a", never, "many")];
    const order: string[] = [];
    const waiting = ["many", "many", "one", "another"].map(async (client, index) => {
      const release = await slots.take("a", never, client);
      order.push(`${client} ${index}`);
      release();
    });
    held[0]!();
    await Promise.all(waiting);
    expect(order).toEqual(["one 2", "another 3", "many 0", "many 1"]);
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
