import { describe, expect, test } from "vitest";
import { prescanEncoding } from "./page-encoding.ts";

function prescan(text: string, isWhole = true): string | undefined {
  return prescanEncoding(Buffer.from(text, "latin1"), { isWhole });
}

describe("a declaration of the page's encoding", () => {
  test.each([
    ["<meta charset=koi8-r>", "koi8-r"],
    ["<META/CHARSET = 'KOI8-R'/>", "koi8-r"],
    ['<meta charset=" koi8-r "\n>', "koi8-r"],
    ["<meta a=b charset=koi8-r charset=utf-8>", "koi8-r"],
    ['<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">', "koi8-r"],
    ["<meta content='charset = \"koi8-r\" ' http-equiv=content-type>", "koi8-r"],
    ["<meta http-equiv=content-type content='charset; charset=koi8-r;x'>", "koi8-r"],
    ["<meta http-equiv=content-type content='text/html; charset=utf-8' charset=koi8-r>", "koi8-r"],
    ["<meta charset=nonsense><meta charset=koi8-r>", "koi8-r"],
    ["<meta content='charset=utf-8'><meta charset=koi8-r>", "koi8-r"],
    ["<!-- <meta charset=utf-8> --><meta charset=koi8-r>", "koi8-r"],
    ["<!--><meta charset=koi8-r>", "koi8-r"],
    ["<a x='<meta charset=utf-8>'><meta charset=koi8-r>", "koi8-r"],
    ["</a x='<meta charset=utf-8>'><meta charset=koi8-r>", "koi8-r"],
    ["<!x <meta charset=utf-8><meta charset=koi8-r>", "koi8-r"],
    ["<?x <meta charset=utf-8><meta charset=koi8-r>", "koi8-r"],
    ["</ <meta charset=utf-8><meta charset=koi8-r>", "koi8-r"],
    ["< meta charset=utf-8><<meta charset=koi8-r>", "koi8-r"],
    ["<metax charset=utf-8><meta charset=koi8-r>", "koi8-r"],
    ["<title><meta charset=koi8-r></title>", "koi8-r"],
    ["<meta charset=utf-16>", "utf-8"],
    ["<meta charset=x-user-defined>", "windows-1252"],
    ["<?xml version='1.0' encoding='koi8-r'?>", "koi8-r"],
    ['<?xml version="1.0" encoding = "UTF-16"?>', "utf-8"],
    ["<?xml encoding='utf-8'?><meta charset=koi8-r>", "koi8-r"],
  ])("%s names %s", (text, encoding) => {
    expect(prescan(text)).toBe(encoding);
  });

  test.each([
    "",
    "<meta charset=koi8-r",
    "<meta charset='koi8-r>",
    "<meta charset=koi8-r x='>",
    "<meta charset>",
    "<meta charset=>",
    "<meta http-equiv=content-type content='charset=\"koi8-r'>",
    "<meta http-equiv=content-type content=koi8-r>",
    "<meta name=content-type content='charset=koi8-r'>",
    "<!-- <meta charset=koi8-r>",
    "<title x='><meta charset=koi8-r>",
    "<?xml encoding=koi8-r?>",
    "<?xml encoding='koi 8'?>",
    "<?xml x='encoding' encoding='koi8-r'?>",
    " <?xml encoding='koi8-r'?>",
    "<?xml encoding='koi8-r'",
  ])("%s names no encoding", (text) => {
    expect(prescan(text)).toBeUndefined();
  });
});

test("a declaration is found as soon as it is complete, and later bytes do not change it", () => {
  const text = "<!doctype html><!-- x --><a b='c'><meta charset=koi8-r><meta charset=utf-8>";
  const said = Array.from(text, (_, at) => prescan(text.slice(0, at), false));
  const first = text.indexOf("r>") + 2;
  expect(said.slice(0, first)).toEqual(Array.from({ length: first }));
  expect(new Set(said.slice(first))).toEqual(new Set(["koi8-r"]));
  expect(prescan("<?xml encoding='koi8-r'?>", false)).toBeUndefined();
});

test("bytes after the 1,024th are not searched", () => {
  const meta = "<meta charset=koi8-r>";
  expect(prescan(" ".repeat(1024 - meta.length) + meta)).toBe("koi8-r");
  expect(prescan(" ".repeat(1025 - meta.length) + meta)).toBeUndefined();
});
