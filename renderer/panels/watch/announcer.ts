// Tells of a storm as its rule wants it: notice, sound, speech. In quiet hours and in front of an audience only the
// list of the dialog has it.
import type { ActionCarrier } from "../../api/action-client.ts";
import { playSound, showNotice, speak } from "../../platform/page-voice.ts";
import type { ViewerStore } from "../../state/store.ts";
import { isQuiet, type WatchRule } from "../../state/watch/watch-rule.ts";
import type { StormTold } from "../../state/watch/watch-slice.ts";
import { toldWords } from "../../text/watch-text.ts";

export interface AnnouncerParts {
  readonly store: ViewerStore;
  /** Undefined in a browser, which has notices of its own. */
  readonly desktop: ActionCarrier | undefined;
  readonly isAudience: () => boolean;
  readonly now: () => number;
}

const noticeTitle = "Echotop: watch rule";

export function createAnnouncer(parts: AnnouncerParts): (storm: StormTold, rule: WatchRule) => void {
  return (storm, rule) => {
    const now = new Date(parts.now());
    if (parts.isAudience() || isQuiet(rule, now.getHours() * 60 + now.getMinutes())) return;
    const words = toldWords(storm, parts.store.getState().hailUnits);
    if (rule.notice) {
      if (parts.desktop)
        void parts.desktop("notifications.show", { title: noticeTitle, body: words.slice(0, 200) });
      else showNotice(noticeTitle, words);
    }
    if (rule.sound) playSound();
    if (rule.speech) speak(words);
  };
}
