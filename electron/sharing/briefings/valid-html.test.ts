// Runs an HTML validator over every page of a briefing, including one with a hostile label.
import { HtmlValidate, formatterFactory } from "html-validate";
import { afterAll, expect, test } from "vitest";
import { noSteps } from "../../../shared/views/briefing-steps.ts";
import { exampleView } from "../../../shared/views/support/any-view.ts";
import { stepOf } from "../../../shared/views/support/example-steps.ts";
import { openBriefingTrial, removeSharedTrials } from "./support/briefing-trial.ts";

afterAll(removeSharedTrials);

const validator = new HtmlValidate({
  root: true,
  extends: ["html-validate:standard", "html-validate:a11y", "html-validate:document"],
  rules: {
    // Only programs read the source.
    "no-trailing-whitespace": "off",
    // Titles contain the label of the event, which may be long.
    "long-title": "off",
    // The colors of a legend are data.
    "no-inline-style": "off",
  },
});

async function faultsOf(files: Record<string, string>): Promise<string> {
  const pages = Object.entries(files).filter(([path]) => path.endsWith(".html"));
  expect(pages.length).toBeGreaterThan(2);
  const reports = [];
  for (const [path, text] of pages) {
    const page = Buffer.from(text, "latin1").toString("utf8");
    reports.push(...(await validator.validateString(page, path)).results);
  }
  return formatterFactory("text")(reports);
}

test("every page of a briefing is valid HTML, even with a hostile label", { timeout: 90_000 }, async () => {
  const trial = await openBriefingTrial();
  const event = { id: "odd" };
  await trial.add(event, { minute: 0, values: { "mrms-mesh": 40, "mrms-reflectivity": 60 } });
  await trial.add(event, { minute: 2, values: { "mrms-mesh": undefined } });
  await trial.add(event, { minute: 0, values: { "mrms-mesh": 20 } });
  trial.relabel("odd", `<b>"bold"</b> &amp; ' \u0007 --> <!-- ]]> ${"x".repeat(100)}`);
  const [pane] = exampleView.panes;
  const { id: _id, ...revision } = pane!.revision!;
  const shown = { ...pane!, event: { ...pane!.event, id: "odd" }, revision: { ...revision, sequence: 1 } };
  const view = { ...exampleView, panes: [shown] };
  const steps = [stepOf("a", { title: `<i>"core"</i> & ' -->`, view }), stepOf("b", { view })];
  const document = JSON.stringify({ ...noSteps("odd"), steps });
  await trial.catalog.saveSteps({ eventId: "odd", document, basedOn: 0 });
  await trial.publish({ eventId: "odd" });
  expect(await faultsOf(trial.files())).toBe("");
  await trial.publish({ eventId: "odd", baseUrl: "https://brief.example/" });
  expect(await faultsOf(trial.files())).toBe("");
});
