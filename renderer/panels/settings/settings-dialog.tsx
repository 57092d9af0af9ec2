// The dialog "Settings": clock, units, text and start at the left, the keys at the right.
import type { ReactNode } from "react";
import { Dialog, DialogButton } from "../controls/dialog.tsx";
import { SettingsIcon } from "../controls/icons.tsx";
import { useShortcut } from "../hooks/use-shortcut.ts";
import { KeySettings } from "./key-settings.tsx";
import { ScreenSettings } from "./screen-settings.tsx";
import { SettingsFiles } from "./settings-files.tsx";
import { TimeSettings } from "./time-settings.tsx";

export function SettingsButton(): ReactNode {
  const { after, aria } = useShortcut("settings");
  return (
    <DialogButton id="settings" name="Settings" title={after("Settings")} shortcut={aria}>
      <SettingsIcon />
    </DialogButton>
  );
}

export function SettingsDialog(): ReactNode {
  return (
    <Dialog id="settings" name="Settings" className="settings-dialog">
      <div className="settings-scroll">
        <div className="settings-column">
          <h2>Settings</h2>
          <TimeSettings />
          <ScreenSettings />
          <SettingsFiles />
        </div>
        <KeySettings />
      </div>
    </Dialog>
  );
}
