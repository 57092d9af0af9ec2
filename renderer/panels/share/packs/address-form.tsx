// A form for the address and token of a pack. Checks the address as it is typed; clears the token once it is sent.
import { useId, useState, type ReactNode } from "react";
import { findAddressProblem } from "../../../state/forms/pack-address.ts";
import { ActionButton } from "../../controls/button.tsx";
import { TextField } from "../../controls/fields.tsx";

export interface AddressFormProps {
  /** Label of the button. */
  readonly action: string;
  /** Accessible name of the button. */
  readonly name: string;
  /** Address to begin with. */
  readonly address?: string;
  readonly needsToken: boolean;
  readonly unavailable?: string | undefined;
  readonly words: string;
  /** Resolves true once the work has begun. */
  readonly onSubmit: (address: string, token: string) => Promise<boolean>;
}

export function AddressForm(props: AddressFormProps): ReactNode {
  const wordsId = useId();
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
      <TextField
        name="Address"
        placeholder="https://… or a pairing code"
        value={address}
        describedBy={wordsId}
        isInvalid={addressProblem !== undefined}
        onChange={setAddress}
      />
      <TextField name="Token" type="password" value={token} describedBy={wordsId} onChange={setToken} />
      <p className={addressProblem === undefined ? "caption" : "caption bad"} id={wordsId}>
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
  if (address.trim() === "") return "Enter the address first";
  return needsToken && token.trim() === "" ? "Enter the token first" : undefined;
}
