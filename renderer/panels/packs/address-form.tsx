// An address and a token, as they were handed over: checked while they are typed, and the token forgotten as soon as it was
// sent off.
import { useId, useState, type ReactNode } from "react";
import { findAddressProblem } from "../../state/pack-address.ts";
import { ActionButton } from "../controls/action-button.tsx";

export interface AddressFormProps {
  /** On the button. */
  readonly action: string;
  /** The button's whole name. */
  readonly name: string;
  /** Known from before. */
  readonly address?: string;
  readonly needsToken: boolean;
  readonly unavailable?: string | undefined;
  readonly words: string;
  /** Resolves true once the work has begun. */
  readonly onSubmit: (address: string, token: string) => Promise<boolean>;
}

export function AddressForm(props: AddressFormProps): ReactNode {
  const id = useId();
  const [address, setAddress] = useState(props.address ?? "");
  const [token, setToken] = useState("");
  const addressProblem = findAddressProblem(address);
  const unavailable = props.unavailable ?? addressProblem ?? findGap(address, token, props.needsToken);

  async function submit(): Promise<void> {
    if (await props.onSubmit(address.trim(), token.trim())) setToken("");
  }

  return (
    <form
      className="window-form"
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        if (unavailable === undefined) void submit();
      }}
    >
      <div className="field-row">
        <label htmlFor={`${id}-address`}>Address</label>
        <input
          id={`${id}-address`}
          className="field"
          type="text"
          placeholder="https://… or a pairing code"
          spellCheck={false}
          autoComplete="off"
          aria-invalid={addressProblem !== undefined}
          aria-describedby={`${id}-words`}
          value={address}
          onChange={(event) => {
            setAddress(event.target.value);
          }}
        />
      </div>
      <div className="field-row">
        <label htmlFor={`${id}-token`}>Token</label>
        <input
          id={`${id}-token`}
          className="field"
          type="password"
          autoComplete="off"
          aria-describedby={`${id}-words`}
          value={token}
          onChange={(event) => {
            setToken(event.target.value);
          }}
        />
      </div>
      <p className={addressProblem === undefined ? "caption" : "caption bad"} id={`${id}-words`}>
        {addressProblem ?? props.words}
      </p>
      <div className="button-row">
        <ActionButton name={props.name} unavailable={unavailable} onPress={() => void submit()}>
          {props.action}
        </ActionButton>
      </div>
    </form>
  );
}

function findGap(address: string, token: string, needsToken: boolean): string | undefined {
  if (address.trim() === "") return "Enter the address first.";
  return needsToken && token.trim() === "" ? "Enter the token first." : undefined;
}
