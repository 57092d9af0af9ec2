// A preset as a task: its words, its end, and that one at a time works on the overlays of an event.
import { expect, onTestFinished, test } from "vitest";
import { actions as contract } from "../../../shared/contract/actions.ts";
import { openCatalog } from "../../catalog/sqlite/open-catalog.ts";
import { assumedFiles, draftOf, temporaryDirectory } from "../../catalog/support/drafts.ts";
import { createSystemEffects } from "../../platform/effects.ts";
import { startScriptedOrigin } from "../../support/scripted-origin.ts";
import { createOverlayActions } from "./overlay-actions.ts";
import { TaskBoard } from "./task-board.ts";

const path = "/geojson/sbw.geojson";
const neverUsed = () => Promise.reject(new Error("No choice is made here."));

async function open() {
  const directory = await temporaryDirectory();
  const catalog = await openCatalog({ directory, now: () => new Date(), files: assumedFiles(directory) });
  const origin = await startScriptedOrigin();
  const board = new TaskBoard(() => undefined);
  onTestFinished(async () => {
    await board.close();
    await catalog.close();
    await origin.stop();
  });
  await catalog.publish(draftOf("storm", {}));
  const actions = createOverlayActions({
    ...{ board, catalog, effects: createSystemEffects() },
    addresses: { nws: origin.url, iem: origin.url },
    overlays: { choices: () => [], add: neverUsed, change: neverUsed, remove: neverUsed },
  });
  const fetchPreset = () => actions["overlays.fetchPreset"]({ eventId: "storm", preset: "iem-warnings" });
  return { catalog, origin, board, fetchPreset };
}

test("a preset is a task of the event that ends with what was kept", async () => {
  const { catalog, origin, board, fetchPreset } = await open();
  origin.answer(path, (_, response) => response.end('{"type":"FeatureCollection","features":[]}'));
  const task = contract["overlays.fetchPreset"].output.parse(await fetchPreset());
  expect(task).toMatchObject({ kind: "overlay-fetch", eventId: "storm", state: "running" });
  await expect.poll(() => board.list()[0]?.state).toBe("done");
  expect(board.list()[0]).toMatchObject({
    progress: { done: 1, total: 1 },
    message: "Storm-based warnings (IEM archive): 0 shapes kept with the event.",
  });
  expect(await catalog.listKeptOverlays("storm")).toHaveLength(1);
});

test("a preset that fails says why without an address, and another cannot begin meanwhile", async () => {
  const { catalog, origin, board, fetchPreset } = await open();
  const asked = Promise.withResolvers<() => void>();
  origin.answer(path, (_, response) => {
    asked.resolve(() => response.writeHead(404).end());
  });
  await fetchPreset();
  const answer = await asked.promise;
  await expect(fetchPreset()).rejects.toMatchObject({ code: "conflict" });
  answer();
  await expect.poll(() => board.list()[0]?.state).toBe("failed");
  const { message } = board.list()[0]!;
  expect(message).toBe(
    "Storm-based warnings (IEM archive) could not be fetched: There is nothing at this address.",
  );
  expect(await catalog.listKeptOverlays("storm")).toEqual([]);
});
