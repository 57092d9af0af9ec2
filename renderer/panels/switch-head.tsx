// The head of something that is on or off: its title, how it is, and the button that changes it.
import type { ReactNode } from "react";
import { ActionButton } from "./action-button.tsx";

export interface SwitchHeadProps {
  readonly title: string;
  readonly isOn: boolean;
  /** The button's whole name. */
  readonly name: string;
  readonly unavailable?: string | undefined;
  readonly onSwitch: () => void;
}

export function SwitchHead({ title, isOn, name, unavailable, onSwitch }: SwitchHeadProps): ReactNode {
  return (
    <div className="switch-head">
      <h2>{title}</h2>
      <span className={isOn ? "switch-state good" : "switch-state quiet"} role="status">
        {isOn ? "on" : "off"}
      </span>
      <ActionButton name={name} unavailable={unavailable} onPress={onSwitch}>
        {isOn ? "Switch off" : "Switch on"}
      </ActionButton>
    </div>
  );
}
