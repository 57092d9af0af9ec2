// A step of a replay whose original was damaged by hand.
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { dataDirectory } from "../../files/data-directory.ts";
import { draftOf, openTestCatalog } from "../../support/drafts.ts";

test("a step of a replay fails with stored-data-invalid for a damaged manifest", async () => {
  const { catalog, directory } = await openTestCatalog();
  const of = (await catalog.publish(draftOf("storm", {}))).revision!;
  const database = new DatabaseSync(dataDirectory(directory).catalogFile);
  database.exec("UPDATE revisions SET manifest = x'7b7d' WHERE sequence = 1");
  database.close();
  await expect(catalog.republish({ eventId: "again", after: 0, of })).rejects.toMatchObject({
    code: "stored-data-invalid",
  });
});
