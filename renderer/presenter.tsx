// The entry of the presenter's window, which the show of a briefing opens on another screen. The address names the
// show.
import "./platform/schema-settings.ts";
import "./fonts.css";
import "./styles.css";
import "./panels/presenter/presenter.css";
import { createRoot } from "react-dom/client";
import { FailureBoundary } from "./failure-boundary.tsx";
import { PresenterContext } from "./panels/presenter/presenter-context.ts";
import { PresenterScreen } from "./panels/presenter/presenter-screen.tsx";
import { openPageChannel } from "./platform/page-channel.ts";
import { createStoredValue, findStorage } from "./platform/stored-value.ts";
import { askEveryMs } from "./state/briefing/presenter-pictures.ts";
import { startPresenter } from "./state/briefing/presenter-session.ts";
import { SavedView, savedViewKey, toInitialState } from "./state/saved-view.ts";
import { selectClock } from "./state/settings/clock-choice.ts";
import { createViewerStore } from "./state/store.ts";
import { setScreenClock } from "./text/screen-clock.ts";

const saved = createStoredValue(savedViewKey, SavedView, findStorage("localStorage")).load();
const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
setScreenClock(selectClock(createViewerStore(toInitialState(saved)).getState(), localZone));

const session = startPresenter({
  showId: window.location.hash.slice(1),
  openChannel: openPageChannel,
  repeat: (callback) => {
    const timer = setInterval(callback, askEveryMs);
    return () => {
      clearInterval(timer);
    };
  },
});

createRoot(document.getElementById("root")!).render(
  <PresenterContext value={{ session }}>
    <FailureBoundary>
      <PresenterScreen />
    </FailureBoundary>
  </PresenterContext>,
);
