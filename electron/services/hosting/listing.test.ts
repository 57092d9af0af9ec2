import fc from "fast-check";
import { expect, test } from "vitest";
import { repositorySorts, type ListQuery } from "./hosting-records.ts";
import type { Repositories } from "./repositories.ts";
import { openTestRepositories } from "./support/open-repositories.ts";

const order: Pick<ListQuery, "sort" | "direction"> = { sort: "name", direction: "asc" };

/** Returns the names on all pages, in order; `between` runs after each page. */
async function walk(
  repositories: Repositories,
  query: ListQuery,
  between: (page: number) => Promise<void> = () => Promise.resolve(),
): Promise<string[]> {
  const names: string[] = [];
  for (let page = 1, cursor: string | undefined; page === 1 || cursor !== undefined; page += 1) {
    const answer = await repositories.list("events", { ...query, cursor });
    names.push(...answer.repositories.map(({ name }) => name));
    cursor = answer.cursor;
    await between(page);
  }
  return names;
}

async function openWithFive() {
  const hosting = await openTestRepositories();
  for (const name of ["b", "A", "d", "C", "e"]) {
    hosting.clock.nowMs += 1000;
    await hosting.repositories.create("events", { name });
  }
  const pushed = async (name: string): Promise<void> => {
    hosting.clock.nowMs += 1000;
    const repository = (await hosting.repositories.find("events", name))!;
    await hosting.repositories.notePush(repository, "token", "refs/heads/main");
  };
  await pushed("d");
  await pushed("b");
  return hosting;
}

test.each([
  ["name", "asc", "AbCde"],
  ["name", "desc", "edCbA"],
  ["created_at", "asc", "bAdCe"],
  ["created_at", "desc", "eCdAb"],
  ["updated_at", "desc", "bdeCA"],
] as const)("sorted by %s %s, pages of any size give %s, each once", async (sort, direction, names) => {
  const { repositories } = await openWithFive();
  for (const limit of [1, 2, 3, 5, 200]) {
    expect((await walk(repositories, { sort, direction, limit })).join("")).toBe(names);
  }
});

test("repositories that were never pushed to come first", async () => {
  const { repositories } = await openWithFive();
  const names = await walk(repositories, { sort: "last_push_at", direction: "asc", limit: 2 });
  expect([...names.slice(0, 3)].sort()).toEqual(["A", "C", "e"]);
  expect(names.slice(3)).toEqual(["d", "b"]);
});

test("paging stays correct while repositories are created and deleted", async () => {
  const { repositories } = await openWithFive();
  const names = await walk(repositories, { ...order, limit: 2 }, async (page) => {
    if (page !== 1) return;
    await repositories.delete("events", "b");
    await repositories.delete("events", "d");
    await repositories.create("events", { name: "aa" });
    await repositories.create("events", { name: "z" });
  });
  expect(names).toEqual(["A", "b", "C", "e", "z"]);
});

test("a search matches parts of names without case, and counts the matches", async () => {
  const { repositories } = await openTestRepositories();
  for (const name of ["ev-a", "EV-B", "other", "level"]) await repositories.create("events", { name });
  await repositories.create("elsewhere", { name: "ev-c" });
  const page = await repositories.list("Events", { ...order, limit: 1, search: "Ev" });
  expect(page).toMatchObject({ total: 3, repositories: [{ name: "ev-a" }] });
  expect(await walk(repositories, { ...order, limit: 2, search: "ev-" })).toEqual(["ev-a", "EV-B"]);
  expect(await walk(repositories, { ...order, limit: 2, search: "%" })).toEqual([]);
});

test("a cursor of another order and an invalid cursor are refused", async () => {
  const { repositories } = await openWithFive();
  const { cursor } = await repositories.list("events", { ...order, limit: 2 });
  const refused = expect.objectContaining({ code: "INVALID_INPUT" }) as unknown;
  await expect(
    repositories.list("events", { ...order, direction: "desc", limit: 2, cursor }),
  ).rejects.toEqual(refused);
  const forge = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const id = "0123456789abcdef";
  const forged = [[], ["name", "asc", 5, id], ["name", "asc", "a", "x"], ["created_at", "asc", "a", id]].map(
    forge,
  );
  for (const wrong of [...forged, "!", "", `${cursor!}=`, "bm90IGpzb24"]) {
    await expect(repositories.list("events", { ...order, limit: 2, cursor: wrong })).rejects.toEqual(refused);
  }
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 60 }), async (wrong) => {
      await expect(repositories.list("events", { ...order, limit: 2, cursor: wrong })).rejects.toEqual(
        refused,
      );
    }),
    { seed: 4, numRuns: 100 },
  );
});

test.each([0, 201, 1.5, Number.NaN])("a limit of %d is refused", async (limit) => {
  const { repositories } = await openTestRepositories();
  await expect(repositories.list("events", { ...order, limit })).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
});

test("every sort order works", async () => {
  const { repositories } = await openTestRepositories();
  for (const sort of repositorySorts) {
    expect(await repositories.list("none", { sort, direction: "asc", limit: 1 })).toEqual({
      repositories: [],
      total: 0,
      cursor: undefined,
    });
  }
});
