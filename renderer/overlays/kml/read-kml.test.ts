import { expect, test } from "vitest";
import { AppError } from "../../../shared/app-error.ts";
import { readOverlay } from "../read-overlay.ts";

const read = (kml: string, name = "routes.kml") => readOverlay(new TextEncoder().encode(kml), name);
const wrap = (inner: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${inner}</Document></kml>`;
const point = "<Point><coordinates>-97.44,35.22,357</coordinates></Point>";
const at = (clock: string): number => Date.parse(`2026-05-20T${clock}Z`);

test("marks, lines and areas with their styles", async () => {
  const { format, title, shapes, notes } = await read(
    wrap(`<name>Chase routes</name>
      <Style id="red"><LineStyle><color>7f0000ff</color><width>4</width></LineStyle><PolyStyle><color>4000ff00</color></PolyStyle></Style>
      <Placemark><name>Norman</name><description>Camp</description>${point}</Placemark>
      <Placemark><name>I-35</name><styleUrl>#red</styleUrl><LineString><coordinates>-97,35 -97.1,35.2</coordinates></LineString></Placemark>
      <Placemark><styleUrl>#red</styleUrl><Polygon>
        <outerBoundaryIs><LinearRing><coordinates>-98,35 -97,35 -97,36 -98,35</coordinates></LinearRing></outerBoundaryIs>
        <innerBoundaryIs><LinearRing><coordinates>-97.5,35.1 -97.4,35.1 -97.4,35.2 -97.5,35.1</coordinates></LinearRing></innerBoundaryIs>
      </Polygon></Placemark>
      <Placemark><MultiGeometry>${point}${point}</MultiGeometry></Placemark>`),
  );
  expect({ format, title, notes }).toEqual({ format: "kml", title: "Chase routes", notes: [] });
  const style = { color: "#ff00007f", widthPx: 4, fill: "#00ff0040" };
  expect(
    shapes.map(({ geometry, label, text, style: drawn }) => [geometry.type, label, text, drawn]),
  ).toEqual([
    ["Point", "Norman", "Camp", undefined],
    ["LineString", "I-35", undefined, style],
    ["Polygon", undefined, undefined, style],
    ["Point", undefined, undefined, undefined],
    ["Point", undefined, undefined, undefined],
  ]);
  expect(shapes[2]!.geometry.coordinates).toHaveLength(2);
});

test("the times of spans, stamps, tracks and folders", async () => {
  const { shapes } = await read(
    wrap(`<Placemark><name>span</name><TimeSpan><begin>2026-05-20T21:00:00Z</begin><end>2026-05-20T22:00:00Z</end></TimeSpan>${point}</Placemark>
      <Placemark><name>open</name><TimeSpan><begin>2026-05-20T21:00:00Z</begin></TimeSpan>${point}</Placemark>
      <Placemark><name>stamp</name><TimeStamp><when>2026-05-20T16:34:00-05:00</when></TimeStamp>${point}</Placemark>
      <Folder><TimeSpan><begin>2026-05-20T20:00:00Z</begin><end>2026-05-20T20:30:00Z</end></TimeSpan>
        <Folder><Placemark><name>folder</name>${point}</Placemark></Folder></Folder>
      <Placemark><name>track</name><gx:Track xmlns:gx="http://www.google.com/kml/ext/2.2">
        <when>2026-05-20T21:00:00Z</when><when>2026-05-20T21:10:00Z</when>
        <gx:coord>-97 35 0</gx:coord><gx:coord>-97.1 35.1 0</gx:coord></gx:Track></Placemark>
      <Placemark><name>none</name>${point}</Placemark>`),
  );
  expect(shapes.map(({ label, fromMs, toMs }) => [label, fromMs, toMs])).toEqual([
    ["span", at("21:00"), at("22:00")],
    ["open", at("21:00"), undefined],
    ["stamp", at("21:34"), at("21:34")],
    ["folder", at("20:00"), at("20:30")],
    ["track", at("21:00"), at("21:10")],
    ["none", undefined, undefined],
  ]);
});

test("nothing that a document names is fetched or run: it is told", async () => {
  const { shapes, notes } = await read(
    wrap(`<Style id="s"><BalloonStyle><text><![CDATA[<script>fetch("https://example.org")</script>]]></text></BalloonStyle></Style>
      <NetworkLink><Link><href>https://example.org/live.kml</href></Link></NetworkLink>
      <GroundOverlay><Icon><href>https://example.org/a.png</href></Icon><LatLonBox><north>36</north><south>35</south><east>-97</east><west>-98</west></LatLonBox></GroundOverlay>
      <ScreenOverlay><Icon><href>https://example.org/logo.png</href></Icon></ScreenOverlay>
      <Placemark><name>hidden</name><visibility>0</visibility>${point}</Placemark>
      <Placemark><name>A</name><description><![CDATA[<b onclick="x()">Bold</b><script>alert(1)</script><br/>two]]></description>${point}</Placemark>`),
  );
  expect(shapes).toMatchObject([{ label: "A", text: "Bold\ntwo" }]);
  expect(JSON.stringify(shapes)).not.toMatch(/script|https|onclick/);
  expect(notes).toEqual([
    "Pictures over the ground are not drawn.",
    "Pictures over the screen are not drawn.",
    "Links to other files are not followed.",
    "Features that the file hides are not drawn.",
  ]);
});

test("a document in UTF-16 with its mark, and in UTF-8 with one", async () => {
  const kml = wrap(`<Placemark><name>Peñón</name>${point}</Placemark>`).replace("UTF-8", "UTF-16");
  const utf16 = new Uint8Array(
    new Uint16Array([0xfeff, ...Array.from(kml, (letter) => letter.charCodeAt(0))]).buffer,
  );
  expect((await readOverlay(utf16, "a.kml")).shapes[0]!.label).toBe("Peñón");
  expect((await read(`\ufeff${kml}`)).shapes[0]!.label).toBe("Peñón");
});

const bomb = `<!DOCTYPE kml [<!ENTITY a "aaaaaaaaaa">${"bcdefgh"
  .split("")
  .map((name, index) => `<!ENTITY ${name} "${`&${"abcdefg"[index]};`.repeat(10)}">`)
  .join("")}]>`;

test.each([
  ["has a document type or entities", `${bomb}${wrap(`<Placemark><name>&h;</name>${point}</Placemark>`)}`],
  ["has a document type or entities", `<!DOCTYPE kml SYSTEM "file:///etc/passwd">${wrap("")}`],
  ["is not valid XML", wrap(`<Placemark>${point}`)],
  ["is not valid XML", wrap("&undefined;")],
  ["is not KML", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ["has more elements than can be read", wrap("<a/>".repeat(500_001))],
  ["has more than 20,000 shapes", wrap(`<Placemark>${point}</Placemark>`.repeat(20_001))],
  [
    "has more than 1,000,000 points",
    wrap(
      `<Placemark><LineString><coordinates>${"0,0 ".repeat(1_100_000)}</coordinates></LineString></Placemark>`,
    ),
  ],
])("a document that %s is refused by name", async (reason, kml) => {
  const refused = read(kml);
  await expect(refused).rejects.toBeInstanceOf(AppError);
  await expect(refused).rejects.toThrow(`routes.kml ${reason}`);
});

test("broken UTF-8 is refused by name", async () => {
  const kml = new TextEncoder().encode(wrap(`<Placemark><name>A</name>${point}</Placemark>`));
  kml[kml.indexOf("A".charCodeAt(0))] = 0xff;
  await expect(readOverlay(kml, "routes.kml")).rejects.toThrow("routes.kml is damaged, or not UTF-8 text.");
});
