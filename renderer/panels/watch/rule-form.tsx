// The form of one watch rule.
import { useState, type ReactNode } from "react";
import type { Coordinate, ProductId } from "../../../shared/contract/index.ts";
import { kmPerUnit } from "../../../shared/geo/distance-words.ts";
import { allowNotices } from "../../platform/page-voice.ts";
import { watchLimits, type WatchArea, type WatchRule } from "../../state/watch/watch-rule.ts";
import { coordinate } from "../../text/format.ts";
import { edgeWords, watchEdges, watchedNames } from "../../text/watch-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { Choice } from "../controls/fields.tsx";
import { CaptionedChoice } from "../controls/segmented.tsx";

interface RuleFormProps {
  /** Undefined for a new one. */
  readonly rule: WatchRule | undefined;
  readonly onSave: (rule: WatchRule) => void;
  readonly onCancel: () => void;
}

const layers: readonly ProductId[] = ["mrms-mesh", "mrms-reflectivity"];
const areaOptions = [
  { value: "view", label: "In view", hint: "Whatever the map shows when a frame arrives" },
  { value: "event", label: "Anywhere" },
  {
    value: "near",
    label: "Near a place",
    hint: "A pinned place, the place searched for, or the map’s middle",
  },
] as const;
const distances = [10, 20, 30, 50, 100];

interface KnownPlace {
  readonly label: string;
  readonly coordinate: Coordinate;
}

function firstRule(): WatchRule {
  return {
    ...{ id: crypto.randomUUID(), isOn: true, layer: "mrms-mesh", lower: 25.4, area: { kind: "view" } },
    ...{ notice: false, sound: true, speech: false, quiet: null },
  };
}

export function RuleForm({ rule, onSave, onCancel }: RuleFormProps): ReactNode {
  const units = useViewerState((state) => state.hailUnits);
  const [draft, setDraft] = useState<WatchRule>(rule ?? firstRule);
  const change = (part: Partial<WatchRule>): void => {
    setDraft({ ...draft, ...part });
  };
  const set =
    <Key extends keyof WatchRule>(key: Key) =>
    (value: WatchRule[Key]): void => {
      change({ [key]: value });
    };

  return (
    <form
      className="watch-form"
      aria-label={rule ? "Edit the rule" : "New rule"}
      onSubmit={(event) => {
        event.preventDefault();
        onSave(draft);
      }}
    >
      <CaptionedChoice
        className="settings-row"
        caption="Layer"
        legend="Layer"
        options={layers.map((value) => ({ value, label: watchedNames[value] }))}
        value={draft.layer}
        onChange={(layer) => {
          change({ layer, lower: layer === "mrms-mesh" ? 25.4 : 60 });
        }}
      />
      <Choice
        name={draft.layer === "mrms-mesh" ? "Or larger" : "Or more"}
        spokenName="From"
        value={draft.lower}
        onChange={(lower) => {
          change({ lower: Number(lower) });
        }}
      >
        {[...new Set([...watchEdges[draft.layer], draft.lower])].map((edge) => (
          <option key={edge} value={edge}>
            {edgeWords(draft.layer, edge, units)}
          </option>
        ))}
      </Choice>
      <AreaFields area={draft.area} onChange={set("area")} />
      <div className="watch-ways" role="group" aria-label="How to tell">
        <Check
          name="Desktop notice"
          isOn={draft.notice}
          onChange={(notice) => {
            change({ notice });
            if (notice) void allowNotices();
          }}
        />
        <Check name="Sound" isOn={draft.sound} onChange={set("sound")} />
        <Check name="Spoken line" isOn={draft.speech} onChange={set("speech")} />
      </div>
      <QuietHours quiet={draft.quiet} onChange={set("quiet")} />
      <div className="settings-buttons">
        <button type="submit" className="button small">
          {rule ? "Save the rule" : "Watch"}
        </button>
        <Button onPress={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}

interface CheckProps {
  readonly name: string;
  readonly isOn: boolean;
  readonly onChange: (on: boolean) => void;
}

function Check({ name, isOn, onChange }: CheckProps): ReactNode {
  return (
    <label className="settings-check">
      <input
        type="checkbox"
        className="check"
        checked={isOn}
        onChange={(event) => {
          onChange(event.target.checked);
        }}
      />
      {name}
    </label>
  );
}

interface AreaFieldsProps {
  readonly area: WatchArea;
  readonly onChange: (area: WatchArea) => void;
}

function AreaFields({ area, onChange }: AreaFieldsProps): ReactNode {
  const unit = useViewerState((state) => state.lengthUnit);
  const known = usePlaces(area);
  const isNear = area.kind === "near";
  const toKm = (count: number): number => count * kmPerUnit[unit];
  return (
    <>
      <CaptionedChoice
        className="settings-row"
        caption="Where"
        legend="Where"
        options={areaOptions.map((option) => ({
          ...option,
          unavailable:
            option.value === "near" && known.length === 0 ? "Pin or search a place first" : undefined,
        }))}
        value={area.kind}
        onChange={(kind) => {
          if (kind === "near") onChange({ kind, ...known[0]!, withinKm: toKm(30) });
          else onChange({ kind });
        }}
      />
      {isNear && (
        <div className="watch-near">
          <Choice
            name="Within"
            value={Math.round(area.withinKm / kmPerUnit[unit])}
            onChange={(count) => {
              onChange({ ...area, withinKm: toKm(Number(count)) });
            }}
          >
            {[...new Set([...distances, Math.round(area.withinKm / kmPerUnit[unit])])].map((count) => (
              <option key={count} value={count}>
                {count} {unit}
              </option>
            ))}
          </Choice>
          <Choice
            name="Of"
            spokenName="Of the place"
            value={known.findIndex(({ label }) => label === area.label)}
            onChange={(index) => {
              onChange({ ...area, ...known[Number(index)]! });
            }}
          >
            {known.map(({ label }, index) => (
              <option key={label} value={index}>
                {label}
              </option>
            ))}
          </Choice>
        </div>
      )}
    </>
  );
}

/** The rule's own place, the pinned ones, the one searched for, and the middle of the map, each label once. */
function usePlaces(area: WatchArea): readonly KnownPlace[] {
  const { store } = useViewer();
  const pins = useViewerState((state) => state.pins);
  const chosen = useViewerState((state) => state.chosenPlace);
  const { view } = store.getState();
  const own = area.kind === "near" ? [{ label: area.label, coordinate: area.coordinate }] : [];
  const middle = view ? [{ label: coordinate(...view.center), coordinate: view.center }] : [];
  const all = [...own, ...pins, ...(chosen ? [chosen] : []), ...middle].map((place) => ({
    label: place.label.slice(0, watchLimits.labelLength),
    coordinate: place.coordinate,
  }));
  return all.filter(({ label }, index) => all.findIndex((other) => other.label === label) === index);
}

interface QuietHoursProps {
  readonly quiet: WatchRule["quiet"];
  readonly onChange: (quiet: WatchRule["quiet"]) => void;
}

function QuietHours({ quiet, onChange }: QuietHoursProps): ReactNode {
  return (
    <div className="watch-quiet">
      <Check
        name="Quiet hours, local"
        isOn={quiet !== null}
        onChange={(on) => {
          onChange(on ? { from: "22:00", to: "06:00" } : null);
        }}
      />
      {quiet &&
        (["from", "to"] as const).map((end) => (
          <input
            key={end}
            type="time"
            className="field"
            aria-label={`Quiet ${end}`}
            required
            value={quiet[end]}
            onChange={(event) => {
              if (event.target.value !== "") onChange({ ...quiet, [end]: event.target.value });
            }}
          />
        ))}
    </div>
  );
}
