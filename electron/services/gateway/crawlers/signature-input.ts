// The two headers of an HTTP message signature (RFC 9421), `Signature-Input` and `Signature`, read in the form that a
// serializer of RFC 9651 gives them. Whatever else the fields of RFC 9651 may hold is not read: it is nobody's signature.

/** Longer headers are not looked at. */
const longestHeader = 4096;
const mostMembers = 8;
const mostComponents = 16;
const mostParameters = 16;

export interface CoveredComponent {
  /** `@authority`, `signature-agent` */
  readonly name: string;
  readonly hasParameters: boolean;
}

export interface SignatureInput {
  /** `sig1` */
  readonly label: string;
  readonly components: readonly CoveredComponent[];
  /** Integers as numbers, strings and tokens as text, a parameter without a value as true. */
  readonly parameters: ReadonlyMap<string, string | number | boolean>;
  /** From `(` to the last parameter: what the last line of the signed text says. */
  readonly text: string;
}

const key = "[a-z*][a-z0-9_.*-]{0,63}";
const labelText = new RegExp(`(${key})=`, "y");
const stringText = /"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]){0,1024})"/y;
const integerText = /-?\d{1,15}(?![\d.])/y;
const tokenText = /[A-Za-z*][\w!#$%&'*+.^`|~:/-]{0,255}/y;
const parameterName = new RegExp(`;(${key})(=?)`, "y");
const separator = /[ \t]*,[ \t]*/y;

/** Undefined where the header is too long or not in that form. */
export function parseSignatureInput(header: string): readonly SignatureInput[] | undefined {
  if (header.length > longestHeader) return undefined;
  const members: SignatureInput[] = [];
  const scanner = createScanner(header);
  do {
    const member = members.length < mostMembers ? readMember(scanner) : undefined;
    if (!member || members.some(({ label }) => label === member.label)) return undefined;
    members.push(member);
  } while (scanner.take(separator));
  return scanner.isAtEnd() ? members : undefined;
}

/** The bytes of each signature by its label; undefined where the header is too long or not in that form. */
export function parseSignatures(header: string): ReadonlyMap<string, Uint8Array> | undefined {
  if (header.length > longestHeader) return undefined;
  const signatures = new Map<string, Uint8Array>();
  const scanner = createScanner(header);
  do {
    const label = scanner.take(labelText)?.[1];
    const bytes = scanner.take(/:([A-Za-z0-9+/]*={0,2}):/y)?.[1];
    if (label === undefined || bytes === undefined) return undefined;
    if (signatures.has(label) || signatures.size === mostMembers) return undefined;
    signatures.set(label, Buffer.from(bytes, "base64"));
  } while (scanner.take(separator));
  return scanner.isAtEnd() ? signatures : undefined;
}

interface Scanner {
  /** Moves beyond what a sticky expression finds right here. */
  readonly take: (what: RegExp) => RegExpExecArray | undefined;
  readonly isAtEnd: () => boolean;
  readonly at: () => number;
  readonly textFrom: (start: number) => string;
}

function createScanner(text: string): Scanner {
  let position = 0;
  return {
    take(what) {
      what.lastIndex = position;
      const found = what.exec(text);
      if (!found) return undefined;
      position = what.lastIndex;
      return found;
    },
    isAtEnd: () => position === text.length,
    at: () => position,
    textFrom: (start) => text.slice(start, position),
  };
}

function readMember(scanner: Scanner): SignatureInput | undefined {
  const label = scanner.take(labelText)?.[1];
  if (label === undefined) return undefined;
  const start = scanner.at();
  const components = readComponents(scanner);
  const parameters = components && readParameters(scanner);
  return parameters && { label, components, parameters, text: scanner.textFrom(start) };
}

function readComponents(scanner: Scanner): CoveredComponent[] | undefined {
  if (!scanner.take(/\(/y)) return undefined;
  const components: CoveredComponent[] = [];
  if (scanner.take(/\)/y)) return components;
  do {
    const name = scanner.take(stringText)?.[1];
    const parameters = name === undefined ? undefined : readParameters(scanner);
    if (name === undefined || !parameters || components.length === mostComponents) return undefined;
    components.push({ name, hasParameters: parameters.size > 0 });
  } while (scanner.take(/ /y));
  return scanner.take(/\)/y) ? components : undefined;
}

/** One that is said twice is refused: RFC 9651 takes the last of them, and whoever signed may have meant the first. */
function readParameters(scanner: Scanner): Map<string, string | number | boolean> | undefined {
  const parameters = new Map<string, string | number | boolean>();
  for (let found = scanner.take(parameterName); found; found = scanner.take(parameterName)) {
    const name = found[1]!;
    const value = found[2] === "" ? true : readValue(scanner);
    if (value === undefined || parameters.has(name) || parameters.size === mostParameters) return undefined;
    parameters.set(name, value);
  }
  return parameters;
}

function readValue(scanner: Scanner): string | number | undefined {
  const text = scanner.take(stringText)?.[1];
  if (text !== undefined) return text.replaceAll(/\\(["\\])/g, "$1");
  const integer = scanner.take(integerText)?.[0];
  return integer === undefined ? scanner.take(tokenText)?.[0] : Number(integer);
}
