import { describe, expect, test } from "vitest";
import { sendPictures, watchPictures } from "./presenter-pictures.ts";
import { createPageChannels } from "./support/page-channels.ts";

function setUp() {
  const openChannel = createPageChannels();
  const clock = { nowMs: 0 };
  const taken: (() => void)[] = [];
  let count = 0;
  const sender = sendPictures({
    ...{ showId: "show", openChannel, now: () => clock.nowMs },
    take: () => {
      count += 1;
      const image = new Blob([String(count)]);
      return new Promise((resolve) => {
        taken.push(() => {
          resolve(image);
        });
      });
    },
  });
  const pictures: Promise<string>[] = [];
  const standings: boolean[] = [];
  let ask = (): void => undefined;
  const watch = (showId = "show") =>
    watchPictures({
      ...{ showId, openChannel },
      repeat: (callback) => {
        ask = callback;
        return () => (ask = () => undefined);
      },
      onPicture: (image) => pictures.push(image.text()),
      onStanding: (isHere) => standings.push(isHere),
    });
  return {
    ...{ sender, clock, watch, pictures, standings },
    ask: () => {
      ask();
    },
    count: () => count,
    /** Ends the taking of the picture that is being taken. */
    finish: async () => {
      taken.shift()!();
      await Promise.resolve();
      await new Promise(setImmediate);
    },
  };
}

describe("pictures of the projector", () => {
  test("are not taken while no window watches", () => {
    const { sender, count } = setUp();
    sender.changed();
    sender.changed();
    expect(count()).toBe(0);
  });

  test("come at once to a new window, and then after each change", async () => {
    const { sender, watch, finish, pictures, count, ask } = setUp();
    watch();
    await finish();
    expect(await Promise.all(pictures)).toEqual(["1"]);
    ask();
    expect(count()).toBe(1);
    sender.changed();
    await finish();
    expect(await Promise.all(pictures)).toEqual(["1", "2"]);
  });

  test("are taken one at a time; changes meanwhile are one more picture", async () => {
    const { sender, watch, finish, pictures, count } = setUp();
    watch();
    for (let change = 0; change < 5; change += 1) sender.changed();
    expect(count()).toBe(1);
    await finish();
    expect(count()).toBe(2);
    await finish();
    expect(count()).toBe(2);
    expect(await Promise.all(pictures)).toEqual(["1", "2"]);
  });

  test("end some seconds after the window was closed", async () => {
    const { sender, watch, finish, count, clock } = setUp();
    const close = watch();
    await finish();
    close();
    clock.nowMs = 10_000;
    sender.changed();
    expect(count()).toBe(1);
  });
});

describe("the projector", () => {
  test("is here as long as it answers, and lost after three questions without an answer", () => {
    const { sender, watch, ask, standings } = setUp();
    watch();
    ask();
    expect(standings).toEqual([true, true]);
    sender.close();
    for (let question = 0; question < 6; question += 1) ask();
    expect(standings).toEqual([true, true, false]);
  });

  test("of another show does not answer", () => {
    const { watch, ask, standings } = setUp();
    watch("another");
    for (let question = 0; question < 3; question += 1) ask();
    expect(standings).toEqual([false]);
  });
});
