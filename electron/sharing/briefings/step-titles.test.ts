// Titles of a briefing's steps on the published pages; their notes are never there.
import { afterAll, expect, test } from "vitest";
import { exampleView } from "../../../shared/views/support/any-view.ts";
import { noSteps, type BriefingStep } from "../../../shared/views/briefing-steps.ts";
import { stepOf } from "../../../shared/views/support/example-steps.ts";
import type { CitableView } from "../../../shared/views/citable-view.ts";
import { readTitles } from "./step-titles.ts";
import {
  openStormyTrial,
  removeSharedTrials,
  stormyEvent,
  type BriefingTrial,
} from "./support/briefing-trial.ts";

afterAll(removeSharedTrials);

const patience = { timeout: 120_000 };
const eventId = stormyEvent.id;
const [pane] = exampleView.panes;

/** Returns a view of one revision of an event, with these layers switched on. */
function viewOf(sequence: number, visible: readonly string[], id = eventId): CitableView {
  const { id: _id, ...revision } = pane!.revision!;
  const layers = pane!.layers.map((layer) => ({ ...layer, visible: visible.includes(layer.id) }));
  return {
    ...exampleView,
    panes: [{ ...pane!, event: { ...pane!.event, id }, revision: { ...revision, sequence }, layers }],
  };
}

async function save({ catalog }: Pick<BriefingTrial, "catalog">, ...steps: BriefingStep[]): Promise<void> {
  const document = JSON.stringify({ ...noSteps(eventId), steps });
  const basedOn = (await catalog.findSteps(eventId))?.version ?? 0;
  await catalog.saveSteps({ eventId, document, basedOn });
}

function pageOf(trial: BriefingTrial, path: string): string {
  return Buffer.from(trial.files()[`${eventId}/${path}`]!, "latin1").toString("utf8");
}

const both = ["mrms-mesh", "mrms-reflectivity"];

test(
  "a title is the caption where its step shows the revision and the layer, and notes stay private",
  patience,
  async () => {
    const trial = await openStormyTrial();
    const notes = "Do not tell anybody";
    await save(
      trial,
      stepOf("a", { title: "Where it started", notes, view: viewOf(1, both) }),
      stepOf("b", { title: "The core", notes, view: viewOf(1, ["mrms-mesh"]) }),
      stepOf("c", { title: "Of another event", notes, view: viewOf(2, both, "elsewhere") }),
      stepOf("d", { title: "Nothing here yet", notes, view: viewOf(4, ["mrms-mesh"]) }),
    );
    await trial.publish({ eventId });
    const first = pageOf(trial, "r/1/index.html");
    expect(first.match(/<span class="step">[^<]*/g)).toEqual([
      '<span class="step">Where it started',
      '<span class="step">Where it started · The core',
    ]);
    expect(pageOf(trial, "r/2/index.html")).not.toContain('class="step"');
    const event = pageOf(trial, "index.html");
    expect(event.match(/<span class="step">[^<]*/g)).toEqual(['<span class="step">Nothing here yet']);
    expect(event).toContain("Revision 1</a><small>Where it started</small><small>The core</small></th>");
    expect(JSON.stringify(trial.files())).not.toContain(notes);
    expect(JSON.stringify(trial.files())).not.toContain("Of another event");
  },
);

test("hostile titles are plain text, and other steps change only the pages", patience, async () => {
  const trial = await openStormyTrial();
  const before = trial.files();
  const title = `"><script>alert(1)</script><link rel=canonical href=//evil> & 'x' 嵐`;
  await save(trial, stepOf("a", { title, view: viewOf(1, both) }));
  await trial.publish({ eventId });
  for (const path of ["index.html", "r/1/index.html"]) {
    const page = pageOf(trial, path);
    expect(page).not.toContain("<script");
    expect(page.match(/<link rel="?canonical/g)).toHaveLength(1);
    expect(page).toContain("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
  }
  await save(trial);
  await trial.publish({ eventId });
  expect(trial.files()).toEqual(before);
});

test("a step shows a revision by sequence and id, and one that follows the newest shows none", async () => {
  const withId = { ...viewOf(1, both) };
  const view = {
    ...withId,
    panes: [{ ...withId.panes[0]!, revision: { ...withId.panes[0]!.revision!, id: "R1" } }],
  };
  const { revision: _revision, latest: _latest, ...following } = pane!;
  const newest: CitableView = {
    ...exampleView,
    follow: "newest",
    panes: [{ ...following, event: { ...pane!.event, id: eventId } }],
  };
  const document = JSON.stringify({
    ...noSteps(eventId),
    steps: [stepOf("a", { view }), stepOf("b", { view: newest }), stepOf("c", { title: "Step a", view })],
  });
  const findSteps = () =>
    Promise.resolve({ eventId, version: 1, changedAt: "2024-05-20T22:00:00Z", document });
  const titlesOf = await readTitles({ findSteps } as unknown as BriefingTrial["catalog"], eventId);
  expect(titlesOf({ sequence: 1, revisionId: "R1" }).map(({ title }) => title)).toEqual(["Step a"]);
  expect(titlesOf({ sequence: 1, revisionId: "another" })).toEqual([]);
  expect(titlesOf({ sequence: 2, revisionId: "R1" })).toEqual([]);
});
