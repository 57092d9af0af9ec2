// Where a published briefing is: its address as long as something serves it, and its folder.
import type { ReactNode } from "react";
import type { Briefing } from "../../../shared/contract/briefings.ts";
import { useViewer } from "../../viewer-context.ts";
import { CopyField } from "../controls/copy-field.tsx";

export function BriefingPlace({ briefing }: { readonly briefing: Briefing }): ReactNode {
  const { address, folder, label } = briefing;
  return (
    <>
      {address === null ? <NotServed /> : <Served address={address} label={label} />}
      <CopyField
        name="Folder"
        value={folder}
        words="On Echotop’s computer: plain files, which any web server can carry."
      />
    </>
  );
}

function Served({ address, label }: { readonly address: string; readonly label: string }): ReactNode {
  return (
    <>
      <div className="button-row">
        <a
          className="button small"
          href={address}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={`Open the briefing of ${label} in a page of its own`}
        >
          Open
        </a>
      </div>
      <CopyField name="Address" value={address} />
    </>
  );
}

function NotServed(): ReactNode {
  const { store } = useViewer();
  return (
    <p>
      Nothing serves it at an address now.{" "}
      <button
        type="button"
        className="link"
        onClick={() => {
          store.getState().setBriefingView("gateway");
        }}
      >
        To the gateway, which does
      </button>
    </p>
  );
}
