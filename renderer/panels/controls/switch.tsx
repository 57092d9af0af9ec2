// A switch: title, state and button; and a switch for a server, with its address.
import type { ReactNode } from "react";
import { ActionButton } from "./button.tsx";

export interface SwitchProps {
  readonly title: string;
  /** Level of the heading. */
  readonly level?: 2 | 3;
  readonly isOn: boolean;
  /** Object of the switch, for a screen reader: `the web server`. */
  readonly what: string;
  readonly unavailable?: string | undefined;
  readonly onSwitch: (on: boolean) => void;
}

export function Switch({ title, level, isOn, what, unavailable, onSwitch }: SwitchProps): ReactNode {
  const action = isOn ? "Turn off" : "Turn on";
  return (
    <div className="switch-head">
      {level === 3 ? <h3>{title}</h3> : <h2>{title}</h2>}
      <span className={isOn ? "switch-state good" : "switch-state quiet"} role="status">
        {isOn ? "On" : "Off"}
      </span>
      <ActionButton
        name={`${action} ${what}`}
        unavailable={unavailable}
        onPress={() => {
          onSwitch(!isOn);
        }}
      >
        {action}
      </ActionButton>
    </div>
  );
}

type ServerState =
  | { readonly status: "off" }
  | { readonly status: "on"; readonly address: string }
  | { readonly status: "failed"; readonly problem: string };

export interface ServerSwitchProps extends Omit<SwitchProps, "isOn" | "level"> {
  readonly server: ServerState;
  /** Purpose of the server, shown while it is off. */
  readonly purpose: string;
  /** Reach of the address, such as this computer only. */
  readonly reach: string;
}

export function ServerSwitch({ server, purpose, reach, ...props }: ServerSwitchProps): ReactNode {
  return (
    <>
      <Switch {...props} isOn={server.status === "on"} />
      {server.status === "off" && <p>{purpose}</p>}
      {server.status === "on" && (
        <p>
          At <span className="address">{server.address}</span>, {reach}.
        </p>
      )}
      {server.status === "failed" && <p className="bad">{server.problem}</p>}
    </>
  );
}
