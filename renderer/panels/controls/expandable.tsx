// Parts that open below their own heading: a row of a list, and a link.
import { useState, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { ChevronIcon } from "./icons.tsx";

export interface ExpandableRowProps {
  readonly label: string;
  readonly mark?: string;
  readonly isMarkWarning?: boolean;
  readonly facts: string;
  /** Accessible name of the open part. */
  readonly title: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}

export function ExpandableRow(props: ExpandableRowProps): ReactNode {
  const { label, mark, isMarkWarning, facts, title, isOpen, onToggle, children } = props;
  return (
    <li className="row">
      <button type="button" className="row-head" aria-expanded={isOpen} title={label} onClick={onToggle}>
        <ChevronIcon />
        <span className="row-label">{label}</span>
        <span className={isMarkWarning ? "row-mark warning" : "row-mark"}>{mark}</span>
        <span className="row-facts caption">{facts}</span>
      </button>
      {isOpen && (
        <div className="row-body" role="group" aria-label={title}>
          {children}
        </div>
      )}
    </li>
  );
}

export interface ExpandableLinkProps {
  readonly words: string;
  /** Accessible name, where the words are not enough. */
  readonly name?: string;
  readonly onToggle?: () => void;
  readonly children: ReactNode;
}

export function ExpandableLink({ words, name, onToggle, children }: ExpandableLinkProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div>
        <Button
          className="link"
          name={name}
          isOpen={isOpen}
          onPress={() => {
            setOpen(!isOpen);
            onToggle?.();
          }}
        >
          {words}
        </Button>
      </div>
      {isOpen && children}
    </>
  );
}
