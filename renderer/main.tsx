// The viewer's entry: puts effects, store, session and screen together.
import "./platform/schema-settings.ts";
import "@fontsource/noto-sans/latin-400.css";
import "@fontsource/noto-sans/latin-500.css";
import "@fontsource/noto-sans/latin-600.css";
import "@fontsource/noto-sans/latin-ext-400.css";
import "@fontsource/noto-sans/latin-ext-600.css";
import "./styles.css";
import { createRoot } from "react-dom/client";
import { createStormClient } from "./api/client.ts";
import { App } from "./app.tsx";
import { FailureBoundary } from "./panels/failure-boundary.tsx";
import { createPageEffects, localTimeZone } from "./platform/effects.ts";
import { createStoredValue, findLocalStorage } from "./platform/stored-value.ts";
import { keepSaved, SavedView, savedViewKey, toInitialState } from "./state/saved-view.ts";
import { startSession } from "./state/session.ts";
import { createViewerStore } from "./state/store.ts";
import { createMapHandle, ViewerContext } from "./viewer-context.ts";

const effects = createPageEffects();
const stored = createStoredValue(savedViewKey, SavedView, findLocalStorage());
const saved = stored.load();
const store = createViewerStore(toInitialState(saved));
const session = startSession({ store, client: createStormClient({ fetch: effects.fetch }), effects });
keepSaved(store, stored);

createRoot(document.getElementById("root")!).render(
  <ViewerContext
    value={{ store, session, timeZone: localTimeZone(), savedCamera: saved?.camera, map: createMapHandle() }}
  >
    <FailureBoundary>
      <App />
    </FailureBoundary>
  </ViewerContext>,
);
