// `echotop reports`: compares storm reports with the hail estimates of an event.
import { Argument, Command, Option } from "@commander-js/extra-typings";
import { frameWorkerUrl } from "../host/config/program-files.ts";
import type { DefineCommand } from "./command.ts";
import { linesOption, startLines } from "./lines-option.ts";
import { example, parseEventId, UsageError } from "./option-values.ts";
import { writeProblem } from "./output.ts";
import { knownAtOption, readEventHistory, removedSequences, takeKnown } from "./sequence-option.ts";
import { showWork } from "./shown-work.ts";
import { configOption, onStores, storesOption } from "./stores-option.ts";

export const reports: DefineCommand = (submit) =>
  new Command("reports")
    .summary("compare storm reports with estimates")
    .description(
      `Prints a line for each hail report: the largest class of hail within 5, 10 and 20 km and 15 minutes before or after, the distance to the center of its nearest cell, and its frame; null where there is none. A hit has a class beyond 25.4 mm within 20 km. A report is not covered if no frame is of its time, or if its place is outside coverage in all of them; else it is a miss. A last line has the totals; with csv they are a message. Files are those of the Storm Prediction Center (YYMMDD_rpts_hail.csv, YYMMDD_rpts.csv) and of the Iowa Environmental Mesonet, CSV or GeoJSON. If any file cannot be read, nothing is compared. ${removedSequences}`,
    )
    .addArgument(new Argument("<event>", "event").argParser(parseEventId))
    .addOption(
      new Option("--file <file>", "file of storm reports; may be repeated")
        .default<readonly string[]>([], "none")
        .argParser((file, files: readonly string[]) => [...files, parseFile(file)]),
    )
    .addOption(knownAtOption())
    .addOption(linesOption())
    .addOption(storesOption())
    .addOption(configOption())
    .addHelpText(
      "after",
      example(
        "reports plains-2024-05-20 --file 240520_rpts_hail.csv",
        "reports plains-2024-05-20 --file lsr.csv --file lsr.geojson --format csv",
      ),
    )
    .action((eventId, { file: files, format, knownAt, ...options }) => {
      if (files.length === 0) throw new UsageError("--file is required: a file of storm reports.");
      submit(
        onStores(options, (context) =>
          showWork(context, {
            label: "Reading frames",
            whenInterrupted: "Nothing was changed.",
            run: async (show) => {
              const { line, note, progress } = show;
              const { readReportFiles } = await import("./report-files.ts");
              const { hail, problems } = await readReportFiles(files);
              for (const problem of problems) writeProblem(problem);
              if (problems.length > 0) return 1;
              const { location, signal } = context;
              const { verifyReports } = await import("../host/analysis/verify-reports.ts");
              const { reportColumns, toReportCells, toReportLine } =
                await import("../../shared/reports/report-lines.ts");
              const { toTotals } = await import("../../shared/reports/report-verification.ts");
              const { verified, unreadable } = await verifyReports(
                takeKnown(await readEventHistory(eventId, context), knownAt, "--known-at"),
                hail,
                { workerUrl: frameWorkerUrl, location, signal, onProgress: progress },
              );
              const form = { columns: reportColumns, toCells: toReportCells };
              const write = startLines(format, form, show);
              for (const one of verified) write(toReportLine(one));
              const totals = toTotals(verified);
              if (format === "csv") {
                note(
                  `${totals.reports} reports: ${totals.hit} hit, ${totals.miss} miss, ${totals["not-covered"]} not covered.`,
                );
              } else line({ totals });
              for (const observedAt of unreadable) {
                writeProblem(`The hail frame of ${observedAt} cannot be read; it is not compared.`);
              }
              return unreadable.length > 0 ? 1 : 0;
            },
          }),
        ),
      );
    });

function parseFile(text: string): string {
  if (text === "") throw new UsageError("--file is empty; it takes a file.");
  return text;
}
