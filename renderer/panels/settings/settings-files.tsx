// Settings as a file: export, import, reset. What replaces all settings can be undone until the dialog closes.
import { useRef, useState, type ReactNode } from "react";
import { saveFile } from "../../platform/save-file.ts";
import {
  mostSettingsBytes,
  parseSettingsFile,
  settingsFileName,
  writeSettingsFile,
} from "../../state/settings/settings-file.ts";
import { defaultSettings, pickSettings, type Settings } from "../../state/settings/habits.ts";
import { refusedWords } from "../../text/settings-text.ts";
import { useViewer } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";

interface Report {
  readonly words: string;
  /** Settings before; undefined if nothing was changed. */
  readonly before?: Settings;
}

export function SettingsFiles(): ReactNode {
  const { store } = useViewer();
  const input = useRef<HTMLInputElement>(null);
  const [report, setReport] = useState<Report>();

  function replace(settings: Settings, words: string): void {
    setReport({ words, before: pickSettings(store.getState()) });
    store.setState(settings);
  }

  async function read(file: File): Promise<void> {
    // A file that is too large is not read whole.
    const found = parseSettingsFile(await file.slice(0, mostSettingsBytes + 1).text());
    if ("settings" in found) replace(found.settings, `${file.name} is imported.`);
    else setReport({ words: refusedWords(file.name, found.problem) });
  }

  return (
    <section className="settings-section" aria-label="Settings file">
      <h3>All settings</h3>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label="Settings file"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) void read(file);
          // The same file can be chosen again.
          target.value = "";
        }}
      />
      <div className="settings-buttons">
        <Button
          name="Export the settings to a file"
          onPress={() => {
            const text = writeSettingsFile(pickSettings(store.getState()));
            saveFile(settingsFileName, new Blob([text], { type: "application/json" }));
            setReport({ words: `Saved ${settingsFileName}.` });
          }}
        >
          Export…
        </Button>
        <Button name="Import settings from a file" onPress={() => input.current?.click()}>
          Import…
        </Button>
        <Button
          name="Reset all settings"
          onPress={() => {
            replace(defaultSettings, "All settings are as they were at first.");
          }}
        >
          Reset all
        </Button>
      </div>
      <p className="settings-report" role="status">
        {report?.words}
        {report?.before && (
          <Button
            className="link"
            onPress={() => {
              store.setState(report.before!);
              setReport({ words: "The settings from before are back." });
            }}
          >
            Undo
          </Button>
        )}
      </p>
    </section>
  );
}
