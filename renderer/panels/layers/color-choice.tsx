// The chooser of colors: our palettes, and a color table of the person's own, which is read in the page.
import { useId, useRef, useState, type ReactNode } from "react";
import { messageOf } from "../../../shared/app-error.ts";
import { palLimits } from "../../../shared/products/color-tables/pal-file.ts";
import { toOwnTable } from "../../../shared/products/color-tables/own-table.ts";
import { paletteIds, paletteNames } from "../../../shared/products/palettes.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";

const addTable = "add";

export function ColorChoice(): ReactNode {
  const { store } = useViewer();
  const palette = useViewerState((state) => state.palette);
  const input = useRef<HTMLInputElement>(null);
  const problemId = useId();
  const [problem, setProblem] = useState<string>();
  async function add(file: File): Promise<void> {
    try {
      // Whatever is longer is refused by its length.
      const text = await file.slice(0, 4 * palLimits.bytes).text();
      store.getState().addOwnTable(toOwnTable(text, file.name));
      setProblem(undefined);
    } catch (error) {
      setProblem(`${file.name}: ${messageOf(error)}`);
    }
  }
  return (
    <>
      <select
        className="field select"
        aria-label="Colors"
        aria-describedby={problemId}
        value={palette}
        onChange={({ target }) => {
          const chosen = paletteIds.find((id) => id === target.value);
          setProblem(undefined);
          if (chosen) store.getState().setPalette(chosen);
          else input.current?.click();
        }}
      >
        {paletteIds.map((id) => (
          <option key={id} value={id}>
            {paletteNames[id]}
          </option>
        ))}
        <option value={addTable}>Add color table…</option>
      </select>
      <input
        ref={input}
        type="file"
        accept=".pal,.txt,.wctpal"
        hidden
        aria-label="Color table"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) void add(file);
          // The same file can be chosen again.
          target.value = "";
        }}
      />
      <p className="color-problem bad" id={problemId} role="alert">
        {problem}
      </p>
    </>
  );
}
