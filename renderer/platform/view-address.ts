// A link to a view in the page's address: in its fragment, which no request sends. It is taken out at once, so that the
// same link can be followed again, and the address of the page stays its own.
import { isViewLink } from "../../shared/views/view-link.ts";
import type { TokenPage } from "./run-token.ts";

/** Calls `open` with the link in the address, now and whenever another one is followed. */
export function takeViewLinks(
  { fragment, dropFragment, onFragment }: Pick<TokenPage, "fragment" | "dropFragment" | "onFragment">,
  open: (link: string) => void,
): void {
  const take = (): void => {
    const link = fragment();
    if (!isViewLink(link)) return;
    dropFragment();
    open(link);
  };
  take();
  onFragment(take);
}
