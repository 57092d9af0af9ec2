// Publication after rows were removed by hand.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { draftOf, openTestCatalog } from "../../support/drafts.ts";

test("never reuses a sequence, even if its revision was removed", async () => {
  const { catalog, directory } = await openTestCatalog();
  await catalog.publish(draftOf("a", { seconds: 0 }));
  await catalog.publish(draftOf("a", { seconds: 120 }));
  const database = new DatabaseSync(join(directory, "catalog.sqlite"));
  database.exec("DELETE FROM revisions");
  database.close();
  const { revision } = await catalog.publish(draftOf("a", { seconds: 240 }));
  expect(revision?.sequence).toBe(3);
});
