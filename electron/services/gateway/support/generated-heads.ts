// Pages whose heads combine what misleads a careless HTML parser, generated from a seed: the same for the unit tests
// and for a real browser.

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function createChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function pick<Item>(chance: () => number, items: readonly Item[]): Item {
  return items[Math.floor(chance() * items.length)]!;
}

/** Links; `#` becomes a number that no other link of the page has. */
const links: readonly string[] = [
  '<link rel="canonical" href="/c/#">',
  "<link rel='canonical' href='/c/#'/>",
  "<LINK REL=Canonical HREF=/C/#>",
  "<link rel=canonical href=/c/#/>",
  '<link\n\trel="canonical"\r\n\thref="/c/#"\n>',
  '<link href="/c/#" rel="nofollow canonical">',
  '<link rel="\tcanonical\n" href="/c/#">',
  '<link rel="canon&#105;cal" href="/c/#?a=1&amp;b=2&copy=3&lt">',
  '<link rel=canonical rel=stylesheet href="/c/#" href="/twice/#">',
  '<link/rel="canonical"/href="/c/#"/>',
  '<link title="a > b" rel="canonical" href="/c/#" hreflang>',
  '<link rel = canonical href = " /c/# ">',
  '<link rel="canonical" href="">',
  "<link rel=canonical href>",
  `<link data-x='<link rel="canonical" href="/attribute/#">' rel="canonical" href="/c/#">`,
  '<link a"b rel=canonical href="/c/#">',
  '<link =rel rel=canonical href="/c/#">',
];

const lures: readonly string[] = [
  '<link rel="canonicalx" href="/lure/#">',
  '<link rel="canonical,nofollow" href="/lure/#">',
  '<link rel="canonical\u00a0nofollow" href="/lure/#">',
  '<link rel="canonical">',
  '<link rel=stylesheet rel=canonical data-href="/lure/#">',
  '<a rel="canonical" href="/lure/#"',
  '<meta name="x" content="<link rel=canonical href=/lure/#>">',
  "<meta name=x content='\"><link rel=canonical href=/lure/#>'>",
  '<meta property="og:url" content="/lure/#">',
  '<meta http-equiv=refresh content="99999; url=/lure/#">',
  '<!-- <link rel="canonical" href="/lure/#"> -->',
  '<!--<link rel="canonical" href="/lure/#">--!>',
  '<!--> <!-- -- > <link rel="canonical" href="/lure/#"> -->',
  "<!---><!--a--b-->",
  '<? <link rel="canonical" href="/c/#">',
  '<!x <link rel="canonical" href="/lure/#">',
  '</ <link rel="canonical" href="/lure/#">',
  '<title><link rel="canonical" href="/lure/#"> &amp; </titles></title>',
  "<TITLE>a</TITLE\n>",
  '<style>/* <link rel="canonical" href="/lure/#"> </styles> <!-- */</style>',
  '<script>"<link rel=canonical href=/lure/#>"; 1 < 2; 1 </ 2 /</script>',
  "<script type=x><!-- <script> <link rel=canonical href=/lure/#> </script> <link rel=canonical href=/lure/#> --></script>",
  "<script type=x><!-- <link rel=canonical href=/lure/#> </script>",
  "<script type=x><!-- a - b -- c --> </scripts <link rel=canonical href=/lure/#> </script >",
  '<noscript><link rel="canonical" href="/lure/#"></noscript>',
  "<noscript><div><p>text</div></noscript>",
  "<noscript><style></noscript>",
  '<template><link rel="canonical" href="/lure/#"></template>',
  "<template><div>text<table><tr><td><link rel=canonical href=/lure/#></table><p>text</template>",
  "<template><svg><style><link rel=canonical href=/lure/#></style><title><link rel=canonical href=/lure/#></svg></template>",
  "<template><template></template><body><head><link rel=canonical href=/lure/#></template>",
  '<template><script type=x>"</template>"</script><style></template></style></template>',
  "<template><svg><![CDATA[</template>]]></svg><math><mi></template>",
  '<base href="/base/">',
  "<meta charset=utf-8>",
  "<bgsound><basefont><noframes><link rel=canonical href=/lure/#></noframes>",
  "<head><html lang=en></template>",
  "<!doctype html>",
  " \n\t\r\f ",
];

/** Parts that open the body, or may. */
const openers: readonly string[] = [
  "</head>",
  "</head>\n<!-- between -->",
  "</head> <meta name=late>",
  "text",
  "&nbsp;",
  "&#32;",
  "<div>",
  "<p>",
  "<svg>",
  "<math>",
  "<body>",
  "<frameset>",
  "<img alt=x>",
  "<object></object>",
  "<input type=hidden>",
  "</br>",
  "</p>",
  "</body>",
  "</html>",
  "<",
  "< a",
  "<>",
  "</>",
  "<x-y>",
  "</head><noscript><link rel=canonical href=/lure/#></noscript>",
  "</head><template></template><title>t</title>",
  '<h1 title="',
  "<!--",
  "<title>",
];

const beginnings: readonly string[] = [
  "<!DOCTYPE html><html><head>",
  '<!doctype html>\n<html lang="en">\n<head data-x="1">\n',
  "<!-- first --> <!doctype html>",
  '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd"><html>',
  '<?xml version="1.0"?><html><head>',
  "<html></html><head>",
  "<head></head>",
  "\r\n",
  "",
];

/** Generates a page of up to a dozen parts; most have a canonical link somewhere, and many have several. */
export function generateHead(seed: number): string {
  const chance = createChance(seed);
  const parts = [pick(chance, beginnings)];
  const count = 1 + Math.floor(chance() * 10);
  for (let at = 0; at < count; at++) {
    const which = chance();
    parts.push(pick(chance, which < 0.15 ? links : which < 0.92 ? lures : openers));
  }
  if (chance() < 0.8) parts.push(pick(chance, links));
  parts.push(pick(chance, openers), pick(chance, links), "<p>text</p>");
  return parts.map((part, at) => part.replaceAll("#", String(at))).join("");
}

/** Cuts a page into random pieces, some of one byte, some long. */
export function cutAtRandom<
  Whole extends { slice: (from: number, to: number) => Whole; readonly length: number },
>(whole: Whole, seed: number): Whole[] {
  const chance = createChance(seed);
  const longest = 1 + Math.floor(chance() ** 3 * 200);
  const pieces: Whole[] = [];
  for (let at = 0; at < whole.length;) {
    const length = 1 + Math.floor(chance() * longest);
    pieces.push(whole.slice(at, at + length));
    at += length;
  }
  return pieces;
}
