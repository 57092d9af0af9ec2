// The texts in a picture's file, for people who open its properties and for programs. Pure.
import { productIds } from "../../shared/contract/index.ts";
import { pictureKeyword } from "../../shared/contract/frame-format.ts";
import { natureNotes, natureOf, splitLabel } from "../../shared/revisions/event-origin.ts";
import type { PngText } from "../../shared/png/png-text.ts";
import { knownLayersOf, selectSelectedEvent, selectShownRevision, toLayerViews } from "../state/selectors.ts";
import type { ViewerState } from "../state/store.ts";
import { basemapCredits, revisionPlace } from "../text/export-text.ts";
import { colorsWords } from "../text/color-text.ts";
import { utcClock, utcDay } from "../text/format.ts";
import { overlayCredits } from "../text/overlay-text.ts";
import { motionNote } from "../text/tool-text.ts";

export interface DescribedPicture {
  /** The state of each map in the picture. */
  readonly states: readonly ViewerState[];
  /** Opens the view again; undefined if there is no link. */
  readonly link?: string | undefined;
}

/** Texts of PNG, by its registered keywords; then one JSON document. */
export function toPictureTexts({ states, link }: DescribedPicture): PngText[] {
  const join = (wordsOf: (state: ViewerState) => string): string =>
    [...new Set(states.map(wordsOf))].filter((words) => words !== "").join(" | ");
  const texts: PngText[] = [
    { keyword: "Title", text: join(titleOf) },
    { keyword: "Description", text: join(descriptionOf) },
    { keyword: "Source", text: join(({ history }) => history.attribution) },
    {
      keyword: "Copyright",
      text: join((state) =>
        [state.history.attribution, overlayCredits(state), basemapCredits].filter(Boolean).join(" · "),
      ),
    },
    { keyword: "Disclaimer", text: join(({ history }) => history.disclosure) },
    { keyword: "Software", text: "Echotop" },
    { keyword: pictureKeyword, text: JSON.stringify(toDocument(states, link)) },
  ];
  return texts.filter(({ text }) => text !== "");
}

/** `echotop-demonstration-rev32.png` */
export function toPictureName(states: readonly ViewerState[]): string {
  const [first] = states;
  const sequence = first && selectShownRevision(first)?.sequence;
  const more = states.length > 1 ? `-${states.length}-panes` : "";
  return `echotop-${first?.selectedEventId ?? "map"}-rev${sequence ?? 0}${more}.png`;
}

function titleOf(state: ViewerState): string {
  const event = selectSelectedEvent(state);
  const revision = selectShownRevision(state);
  if (!event || !revision) return "";
  const { observedMs, sequence } = revision;
  const place = revisionPlace(sequence, state.history.latestSequence);
  return `${event.label}, ${place}, observed ${utcDay(observedMs)} ${utcClock(observedMs)} UTC`;
}

function descriptionOf(state: ViewerState): string {
  const event = selectSelectedEvent(state);
  const nature = event && natureNotes[natureOf(event)];
  const known = state.knownAt === undefined ? undefined : `As known at revision ${state.knownAt}`;
  const layers = visibleLayers(state)
    .map(({ label }) => label)
    .join(", ");
  return [nature, known, layers, colorsWords(state), motionNote(state)].filter(Boolean).join(". ");
}

function toDocument(states: readonly ViewerState[], link: string | undefined): object {
  return {
    format: "echotop-picture",
    version: 1,
    maps: states.map((state) => {
      const event = selectSelectedEvent(state);
      const revision = selectShownRevision(state);
      const published = state.publishedAt[revision?.revisionId ?? ""];
      return {
        event: event && { id: event.id, label: splitLabel(event.label).name, nature: natureOf(event) },
        revision: revision && {
          sequence: revision.sequence,
          id: revision.revisionId,
          observedAt: new Date(revision.observedMs).toISOString(),
          publishedAt: typeof published === "object" ? published.at : undefined,
        },
        knownAt: state.knownAt,
        colors: toColors(state),
        layers: visibleLayers(state).map(({ id, imageUrl }) => ({ id, imageUrl })),
        view: state.view && { center: state.view.center, zoom: state.view.zoom, bounds: state.view.bounds },
      };
    }),
    link,
  };
}

/** The palette by its id, and the person's own tables whole: with them anyone can read the colors. */
function toColors({ palette, ownTables }: ViewerState): object {
  const tables = productIds.flatMap((id) => ownTables[id] ?? []);
  return tables.length === 0 ? { palette } : { palette, tables };
}

function visibleLayers(state: ViewerState): ReturnType<typeof toLayerViews>[number]["layer"][] {
  const views = toLayerViews(
    knownLayersOf(state.history.revisions),
    selectShownRevision(state),
    state.layerPreferences,
  );
  return views.filter(({ visible, delivered }) => visible && delivered).map(({ layer }) => layer);
}
