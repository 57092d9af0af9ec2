import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseSignatureInput, parseSignatures } from "./signature-headers.ts";

describe("Signature-Input", () => {
  test("is read with its components, parameters and exact text", () => {
    const text =
      '("@authority" "signature-agent";key="a");created=1735689600;keyid="poqk\\"L";alg="ed25519";x=tok/en;y';
    expect(parseSignatureInput(`sig1=${text}`)).toEqual([
      {
        label: "sig1",
        components: [
          { name: "@authority", hasParameters: false },
          { name: "signature-agent", hasParameters: true },
        ],
        parameters: new Map<string, unknown>([
          ["created", 1735689600],
          ["keyid", 'poqk"L'],
          ["alg", "ed25519"],
          ["x", "tok/en"],
          ["y", true],
        ]),
        text,
      },
    ]);
  });

  test("several are read, with any space around their commas", () => {
    const members = parseSignatureInput('a=();created=1 ,\tb=("@method");tag="x",c=()');
    expect(members?.map(({ label, text }) => [label, text])).toEqual([
      ["a", "();created=1"],
      ["b", '("@method");tag="x"'],
      ["c", "()"],
    ]);
  });

  test.each([
    ...[
      "",
      "sig1",
      "sig1=",
      'sig1="@authority"',
      'sig1=("@authority"',
      'sig1=( "@authority")',
      'sig1=("a"  "b")',
    ],
    ...[
      'Sig1=("a")',
      'sig1=("a");created=1.5',
      'sig1=("a");created=',
      'sig1=("a"),',
      'sig1=("a"), sig1=("b")',
    ],
    ...['sig1=("a");tag="x";tag="y"', 'sig1=("ä")', 'sig1=("a") x', `sig1=(${'"a" '.repeat(16)}"a")`],
    ...[Array.from({ length: 9 }, (_, index) => `s${index}=()`).join(","), `sig1=("${"a".repeat(5000)}")`],
    ...['sig1=("a");created=1234567890123456'],
  ])("%j is not read", (header) => {
    expect(parseSignatureInput(header)).toBeUndefined();
  });
});

describe("Signature", () => {
  test("is read by its labels", () => {
    const signatures = parseSignatures("sig1=:AQID:, b=:/w==:");
    expect([...(signatures ?? [])].map(([label, bytes]) => [label, [...bytes]])).toEqual([
      ["sig1", [1, 2, 3]],
      ["b", [255]],
    ]);
  });

  test.each([
    "",
    "sig1",
    "sig1=AQID",
    "sig1=:AQID",
    "sig1=:A!:",
    "sig1=:AQID:, sig1=:AQID:",
    "sig1=:AQID:;x",
  ])("%j is not read", (header) => {
    expect(parseSignatures(header)).toBeUndefined();
  });
});

test("any header is read or refused without an error, and the result is the header's own text", () => {
  const piece = fc.constantFrom(
    ...[
      'sig1=("@authority" "signature-agent")',
      "=",
      "(",
      ")",
      '"',
      "\\",
      ";",
      ",",
      " ",
      ":",
      "?1",
      "*",
      "é",
      "\0",
    ],
    ...[";created=1", ';tag="web-bot-auth"', "sig2=()", ";nonce=:AA==:", "-", "9".repeat(20)],
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(piece, { maxLength: 12 }).map((parts) => parts.join("")),
        fc.string(),
      ),
      (header) => {
        for (const { label, text } of parseSignatureInput(header) ?? [])
          expect(header).toContain(`${label}=${text}`);
        parseSignatures(header);
      },
    ),
    { seed: 20261121, numRuns: 5000 },
  );
});
