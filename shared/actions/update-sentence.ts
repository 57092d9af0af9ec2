// The state of updates in one sentence, for the viewer, the menu's dialog and the notification.
import type { UpdateState } from "../contract/desktop.ts";

/** `version` is the running one. */
export function toUpdateSentence(state: UpdateState, version: string): string {
  switch (state.step) {
    case "unknown":
      return `This is Echotop ${version}.`;
    case "checking":
      return "Checking for updates…";
    case "current":
      return `Echotop ${version} is the newest version.`;
    case "available":
      return state.canInstall
        ? `Echotop ${state.version} is available.`
        : `Echotop ${state.version} is available; your system's package manager installs it.`;
    case "downloading":
      return `Echotop ${state.version} is being downloaded.`;
    case "ready":
      return `Echotop ${state.version} is ready; it will be installed when you quit.`;
    case "failed":
      return state.sentence;
  }
}
