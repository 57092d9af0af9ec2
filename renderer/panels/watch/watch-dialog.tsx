// The dialog "Watch rules": the rules with their switches, the form of one, and the storms that were told.
import { useState, type ReactNode } from "react";
import { watchLimits, type WatchRule } from "../../state/watch/watch-rule.ts";
import { ruleWords } from "../../text/watch-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { Dialog } from "../controls/dialog.tsx";
import { RuleForm } from "./rule-form.tsx";
import { ToldList } from "./watch-buttons.tsx";

export function WatchDialog(): ReactNode {
  return (
    <Dialog id="watch" name="Watch rules" className="settings-dialog watch-dialog">
      <WatchRules />
    </Dialog>
  );
}

function WatchRules(): ReactNode {
  const { store } = useViewer();
  const rules = useViewerState((state) => state.watchRules);
  /** The rule in the form; `new` for one that is added. */
  const [edited, setEdited] = useState<string>();
  const setRules = store.getState().setWatchRules;
  return (
    <div className="watch-scroll">
      <h2>Watch rules</h2>
      <p className="caption">
        Checks each new frame of the open event, and gives one notice per storm. Radar estimates, not a
        warning source.
      </p>
      <ul className="watch-rules" aria-label="Watch rules">
        {rules.map((rule) =>
          rule.id === edited ? (
            <li key={rule.id}>
              <RuleForm
                rule={rule}
                onSave={(changed) => {
                  setRules(rules.map((other) => (other.id === rule.id ? changed : other)));
                  setEdited(undefined);
                }}
                onCancel={() => {
                  setEdited(undefined);
                }}
              />
            </li>
          ) : (
            <RuleRow
              key={rule.id}
              rule={rule}
              onChange={(changed) => {
                setRules(rules.map((other) => (other.id === rule.id ? changed : other)));
              }}
              onEdit={() => {
                setEdited(rule.id);
              }}
              onRemove={() => {
                setRules(rules.filter((other) => other.id !== rule.id));
              }}
            />
          ),
        )}
      </ul>
      {edited === "new" ? (
        <RuleForm
          rule={undefined}
          onSave={(added) => {
            setRules([...rules, added]);
            setEdited(undefined);
          }}
          onCancel={() => {
            setEdited(undefined);
          }}
        />
      ) : (
        <Button
          unavailable={
            rules.length < watchLimits.rules
              ? undefined
              : `At most ${watchLimits.rules} rules: remove one first`
          }
          onPress={() => {
            setEdited("new");
          }}
        >
          Add a rule
        </Button>
      )}
      <ToldList />
    </div>
  );
}

interface RuleRowProps {
  readonly rule: WatchRule;
  readonly onChange: (rule: WatchRule) => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function RuleRow({ rule, onChange, onEdit, onRemove }: RuleRowProps): ReactNode {
  const units = useViewerState((state) => state.hailUnits);
  const unit = useViewerState((state) => state.lengthUnit);
  const words = ruleWords(rule, units, unit);
  const ways = [rule.notice && "notice", rule.sound && "sound", rule.speech && "spoken"].filter(Boolean);
  const quiet = rule.quiet ? ` · quiet ${rule.quiet.from}–${rule.quiet.to}` : "";
  return (
    <li className="watch-rule">
      <label>
        <input
          type="checkbox"
          className="check"
          checked={rule.isOn}
          onChange={(event) => {
            onChange({ ...rule, isOn: event.target.checked });
          }}
        />
        <span>{words}</span>
      </label>
      <span className="quiet">
        {ways.join(", ") || "listed only"}
        {quiet}
      </span>
      <Button className="link" name={`Edit: ${words}`} onPress={onEdit}>
        Edit
      </Button>
      <Button className="link" name={`Remove: ${words}`} onPress={onRemove}>
        Remove
      </Button>
    </li>
  );
}
