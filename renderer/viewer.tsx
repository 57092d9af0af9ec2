// The viewer's entry: composes effects, store, sessions and screen.
import "./platform/schema-settings.ts";
import "./fonts.css";
import "./styles.css";
import { createRoot } from "react-dom/client";
import { createBrowserCarrier, createDesktopCarrier } from "./api/action-client.ts";
import { createStormClient } from "./api/client.ts";
import { createHeldOverlayClient } from "./api/held-overlays.ts";
import { createPlaceReader } from "./frames/places/place-reader.ts";
import { App } from "./app.tsx";
import { FailureBoundary } from "./failure-boundary.tsx";
import { AnalysisClient } from "./frames/analysis-client.ts";
import { OverlayClient } from "./overlays/overlay-client.ts";
import { findDesktopBridge } from "./platform/desktop-bridge.ts";
import { createKeptFiles } from "./platform/kept-files.ts";
import { openPageChannel } from "./platform/page-channel.ts";
import { createPageEffects } from "./platform/page-effects.ts";
import { createStoredValue, findStorage } from "./platform/stored-value.ts";
import { createTokenPage, keepToken } from "./platform/run-token.ts";
import { takeViewLinks } from "./platform/view-address.ts";
import { startActionSession } from "./state/acting/action-session.ts";
import { startDesktopSession } from "./state/acting/desktop-session.ts";
import { startBriefing } from "./state/briefing/briefing-session.ts";
import { createStepsKeeper } from "./state/briefing/steps-keeper.ts";
import { startChangeSession } from "./state/change/change-session.ts";
import { HostChoices, hostChoicesKey, keepHostChoices } from "./state/overlays/host-choices.ts";
import { followHostOverlays } from "./state/overlays/host-overlays.ts";
import {
  SavedOverlays,
  savedOverlaysKey,
  startOverlays,
  type ParseOverlay,
} from "./state/overlays/overlay-session.ts";
import { startPanes } from "./state/panes/pane-session.ts";
import { keepPanes, SavedPanes, savedPanesKey } from "./state/panes/saved-panes.ts";
import { keepSaved, SavedView, savedViewKey, toInitialState } from "./state/saved-view.ts";
import { startReports } from "./state/reports/report-session.ts";
import { readSoFar } from "./state/so-far/so-far-reading.ts";
import { startSession } from "./state/reading/session.ts";
import { mayAct } from "./state/slices/tasks-slice.ts";
import { startStoryReading } from "./state/story/story-reading.ts";
import { KeptTold, keptToldKey } from "./state/watch/kept-told.ts";
import { startWatch } from "./state/watch/watch-session.ts";
import { createAnnouncer } from "./panels/watch/announcer.ts";
import { describePlace } from "./panels/watch/read-storm.ts";
import { createViewerStore, type ViewerStore } from "./state/store.ts";
import { selectClock } from "./state/settings/clock-choice.ts";
import { openViewText } from "./state/views/open-view-text.ts";
import { setScreenClock } from "./text/screen-clock.ts";
import { createMapHandle, ViewerContext, type Viewer } from "./viewer-context.ts";

// First of all, removes the token from the address bar.
const page = createTokenPage();
const token = keepToken(page);
const bridge = findDesktopBridge();
const effects = createPageEffects();
const stored = createStoredValue(savedViewKey, SavedView, findStorage("localStorage"));
const saved = stored.load();
const store = createViewerStore(toInitialState(saved));
const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const client = createStormClient({ fetch: effects.fetch });
const analysis = new AnalysisClient();
const toAccess = () => {
  if (bridge) return "desktop";
  if (effects.serviceLimit !== undefined) return effects.serviceLimit;
  return token.find() === undefined ? "no-token" : "acting";
};
store.getState().setAccess(toAccess());
const session = startSession({ store, client, effects });
token.onChange(() => {
  store.getState().setAccess(toAccess());
});
const startAnalyses = (pane: ViewerStore): (() => void) => {
  const stops = [startChangeSession(pane, analysis), readSoFar(pane, analysis)];
  return () => {
    for (const stop of stops) stop();
  };
};
startAnalyses(store);
keepSaved(store, stored);
const showClock = (): void => {
  setScreenClock(selectClock(store.getState(), localZone));
};
// Before React hears of a change, so that the words of the new clock are drawn.
showClock();
store.subscribe(showClock);
startStoryReading(store, createPlaceReader());
startReports(store, analysis);
const panes = startPanes({
  paneA: { letter: "A", store, followPublished: session.followPublished, retry: session.retry },
  client,
  effects,
  startPane: startAnalyses,
});
keepPanes(panes, store, createStoredValue(savedPanesKey, SavedPanes, findStorage("localStorage")));
const carrier = bridge
  ? createDesktopCarrier(bridge)
  : createBrowserCarrier({ fetch: effects.fetch, findToken: token.find });
const actions = startActionSession({
  ...{ store, client, effects, carrier },
  forgetEvent: panes.forgetEvent,
  onChange: session.retry,
  onFilesProgress: bridge?.onFilesProgress,
});
const briefing = startBriefing({
  store,
  panes,
  keeper: createStepsKeeper({
    ...{ client, carrier, storage: findStorage("localStorage") },
    mayAct: () => mayAct(store.getState().access),
  }),
  now: effects.now,
  createId: () => crypto.randomUUID(),
  openChannel: openPageChannel,
  findScreen: () => ({ widthPx: window.innerWidth, heightPx: window.innerHeight }),
});

const overlayFiles = new OverlayClient();
const parseOverlay: ParseOverlay = (bytes, name) =>
  overlayFiles.read(bytes, name, new AbortController().signal);
const overlays = startOverlays({
  store,
  parse: parseOverlay,
  files: createKeptFiles("overlays"),
  stored: createStoredValue(savedOverlaysKey, SavedOverlays, findStorage("localStorage")),
  now: effects.now,
  createId: () => crypto.randomUUID(),
});

const hostOverlays = followHostOverlays({
  ...{ store, parse: parseOverlay, panes: panes.store, isPublic: effects.isPublic },
  client: createHeldOverlayClient({ fetch: effects.fetch }),
  findChoice: keepHostChoices(
    store,
    createStoredValue(hostChoicesKey, HostChoices, findStorage("localStorage")),
  ),
});

startWatch({
  store,
  analysis,
  kept: createStoredValue(keptToldKey, KeptTold, findStorage("sessionStorage")),
  describePlace: (coordinate) => describePlace(coordinate, store.getState()),
  announce: createAnnouncer({
    store,
    desktop: bridge && carrier,
    isAudience: () => briefing.store.getState().show !== undefined,
    now: effects.now,
  }),
});

const viewer: Viewer = {
  store,
  session,
  actions,
  analysis,
  savedCamera: saved?.startsWhereLeft === true ? saved.camera : undefined,
  map: createMapHandle(),
  panes,
  briefing,
  overlays,
  hostOverlays,
  letter: "A",
};
if (bridge) {
  startDesktopSession({
    ...{
      store,
      briefing: briefing.store,
      carrier: actions.ask,
      onNews: bridge.onNews,
      tellAddedFiles: actions.tellAddedFiles,
    },
    openText: (text) => openViewText(viewer, text),
  });
}
takeViewLinks(page, (link) => void openViewText(viewer, link));

createRoot(document.getElementById("root")!).render(
  <ViewerContext value={viewer}>
    <FailureBoundary>
      <App />
    </FailureBoundary>
  </ViewerContext>,
);
