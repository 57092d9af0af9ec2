// The data as published: files that other programs open.
import type { ReactNode } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import {
  cancelData,
  saveGeotiff,
  saveKmz,
  saveOutlines,
  saveSources,
  saveCsv,
} from "../../export/data/data-session.ts";
import { planShownLayers, selectHasOutlines } from "../../export/data/plan-data.ts";
import { selectActivePane } from "../../state/panes/pane-store.ts";
import { selectShownRevision } from "../../state/selectors.ts";
import type { PlacePin } from "../../state/slices/story-slice.ts";
import type { ViewerState } from "../../state/store.ts";
import { toStoryCsv } from "../../state/story/story-csv.ts";
import { dataHints, dataProgress, dataReasons, savedFile } from "../../text/data-text.ts";
import {
  toPaneViewer,
  usePanes,
  useViewer,
  useViewerState,
  ViewerContext,
  type Viewer,
} from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { usePlaceStory } from "../story/use-place-story.ts";

export function DataSection(): ReactNode {
  const viewer = toPaneViewer(useViewer(), usePanes(selectActivePane));
  const isSaving = useViewerState((state) => state.dataSaving !== undefined);
  return (
    <section className="export-section" aria-label="Data">
      <div className="export-section-head">
        <h3>Data</h3>
        <span className="quiet">as published, not as drawn</span>
      </div>
      {isSaving ? <DataProgress /> : <DataChoice viewer={viewer} />}
      <DataOutcomeNote />
    </section>
  );
}

function DataChoice({ viewer }: { readonly viewer: Viewer }): ReactNode {
  const { store } = useViewer();
  const { reason, outlines, pin } = useStore(viewer.store, useShallow(selectOffers));
  const isPublic = useViewerState(({ access }) => access === "public");
  const shown = (): ViewerState => viewer.store.getState();
  return (
    <div className="data-choice">
      <FileButton hint={dataHints.geotiff} reason={reason} onPress={() => saveGeotiff(store, shown())}>
        GeoTIFF
      </FileButton>
      <FileButton hint={dataHints.kmz} reason={reason} onPress={() => saveKmz(store, shown())}>
        KMZ
      </FileButton>
      <ViewerContext value={viewer}>
        {pin ? (
          <StoryButton pin={pin} />
        ) : (
          <FileButton hint={dataHints.csv} reason={dataReasons.noPin}>
            CSV
          </FileButton>
        )}
      </ViewerContext>
      <FileButton
        hint={dataHints.contours}
        reason={outlines}
        onPress={() => saveOutlines(store, shown(), viewer.analysis, "geojson")}
      >
        Contours
      </FileButton>
      <FileButton
        hint={dataHints.contoursKml}
        reason={outlines}
        onPress={() => saveOutlines(store, shown(), viewer.analysis, "kml")}
      >
        KML
      </FileButton>
      <FileButton
        hint={dataHints.source}
        reason={isPublic ? dataReasons.publicService : reason}
        onPress={() => saveSources(store, shown())}
      >
        GRIB2
      </FileButton>
      <span className="quiet">class ranges, not decimals</span>
    </div>
  );
}

/** Returns why files cannot be saved; undefined for those that can. */
function selectOffers(state: ViewerState): {
  readonly reason: string | undefined;
  readonly outlines: string | undefined;
  readonly pin: PlacePin | undefined;
} {
  const isPublished = selectShownRevision(state) !== undefined;
  const nothing = isPublished ? undefined : dataReasons.nothingPublished;
  return {
    reason: nothing ?? (planShownLayers(state).length > 0 ? undefined : dataReasons.noLayer),
    outlines: nothing ?? (selectHasOutlines(state) ? undefined : dataReasons.noOutlines),
    pin: state.pins[state.chosenPin],
  };
}

interface FileButtonProps {
  readonly children: string;
  readonly hint: string;
  readonly reason: string | undefined;
  readonly onPress?: () => Promise<void>;
}

function FileButton({ children, hint, reason, onPress }: FileButtonProps): ReactNode {
  return (
    <span title={reason ?? hint}>
      <Button unavailable={reason} onPress={() => void onPress?.()}>
        {children}
      </Button>
    </span>
  );
}

/** The story of the chosen pin, which is read while its strip is open. */
function StoryButton({ pin }: { readonly pin: PlacePin }): ReactNode {
  const main = useViewer();
  const story = usePlaceStory(pin);
  const isWhole = story.readCount === story.windows.length;
  function save(): Promise<void> {
    const { publishedAt } = main.store.getState();
    return saveCsv(main.store, `story-${toFilePart(pin.label)}`, toStoryCsv(story, publishedAt));
  }
  return (
    <FileButton
      hint={dataHints.csv}
      reason={isWhole ? undefined : dataReasons.unread(pin.label)}
      onPress={save}
    >
      CSV
    </FileButton>
  );
}

/** Returns a label without what file systems refuse. */
function toFilePart(label: string): string {
  const plain = label.normalize("NFD").replace(/[^A-Za-z0-9]+/g, "-");
  return plain.replace(/^-+|-+$/g, "").toLowerCase() || "place";
}

function DataProgress(): ReactNode {
  const { store } = useViewer();
  const saving = useViewerState((state) => state.dataSaving);
  if (!saving) return null;
  return (
    <div className="data-choice">
      <progress aria-label={`Saving ${saving.fileName}`} max={saving.total} value={saving.done} />
      <span role="status">{dataProgress(saving)}</span>
      <Button
        name="Cancel saving data"
        onPress={() => {
          cancelData(store);
        }}
      >
        Cancel
      </Button>
    </div>
  );
}

function DataOutcomeNote(): ReactNode {
  const outcome = useViewerState((state) => state.dataOutcome);
  return (
    <p className={outcome?.kind === "failed" ? "data-note bad" : "data-note quiet"} role="status">
      {outcome && (outcome.kind === "saved" ? savedFile(outcome.fileName) : outcome.problem)}
    </p>
  );
}
