// The interface between the preload script and the viewer: `window.echotop`, absent in an ordinary browser.
import type { ActionName } from "./action-names.ts";
import type { ActionInput, ActionOutput, Outcome } from "./actions.ts";
import type { DesktopNews, FilesProgress } from "./desktop.ts";

/** Object on `window.echotop`: frozen, one function per action. */
export interface DesktopBridge {
  readonly actions: {
    readonly [Name in ActionName]: (input: ActionInput<Name>) => Promise<Outcome<ActionOutput<Name>>>;
  };
  /** Calls `listener` on every progress message. Returns the function that unsubscribes it. */
  readonly onFilesProgress: (listener: (progress: FilesProgress) => void) => () => void;
  /** Calls `listener` when something is to be read again. Returns the function that unsubscribes it. */
  readonly onNews: (listener: (news: DesktopNews) => void) => () => void;
}
