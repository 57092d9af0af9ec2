// The head of something that is on or off: its title, how it is, and the button that changes it.
import type { ReactNode } from "react";
import { ActionButton } from "./action-button.tsx";

export interface SwitchHeadProps {
  readonly title: string;
  /** Of the heading; 2 unless it stands within a part of its own. */
  readonly level?: 2 | 3;
  readonly isOn: boolean;
  /** The button's whole name. */
  readonly name: string;
  readonly unavailable?: string | undefined;
  readonly onSwitch: () => void;
}

export function SwitchHead({ title, level, isOn, name, unavailable, onSwitch }: SwitchHeadProps): ReactNode {
  return (
    <div className="switch-head">
      {level === 3 ? <h3>{title}</h3> : <h2>{title}</h2>}
      <span className={isOn ? "switch-state good" : "switch-state quiet"} role="status">
        {isOn ? "on" : "off"}
      </span>
      <ActionButton name={name} unavailable={unavailable} onPress={onSwitch}>
        {isOn ? "Switch off" : "Switch on"}
      </ActionButton>
    </div>
  );
}
