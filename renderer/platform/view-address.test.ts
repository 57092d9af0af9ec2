import { expect, test } from "vitest";
import { takeViewLinks } from "./view-address.ts";

function openPage(fragment: string): {
  opened: string[];
  follow: (link: string) => void;
  address: () => string;
} {
  let address = fragment;
  let notify = (): void => undefined;
  const opened: string[] = [];
  takeViewLinks(
    {
      fragment: () => address,
      dropFragment: () => {
        address = "";
      },
      onFragment: (listener) => {
        notify = listener;
      },
    },
    (link) => opened.push(link),
  );
  const follow = (link: string): void => {
    address = link;
    notify();
  };
  return { opened, follow, address: () => address };
}

test("a link is taken out of the address, at the start and each time that one is followed", () => {
  const page = openPage("#view?v=1");
  expect(page.address()).toBe("");
  page.follow("#view?v=1");
  page.follow("#view?v=2");
  expect(page.opened).toEqual(["#view?v=1", "#view?v=1", "#view?v=2"]);
});

test("the token of the run and other fragments are left alone", () => {
  const page = openPage("#token=0123456789abcdef");
  page.follow("#map");
  page.follow("#viewer");
  expect(page.opened).toEqual([]);
  expect(page.address()).toBe("#viewer");
});
