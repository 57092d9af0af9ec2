// The four types of the expression language, and how messages name them.

export type ValueType = "string" | "integer" | "address" | "boolean";

const names: Readonly<Record<ValueType, string>> = {
  string: "a String",
  integer: "an Integer",
  address: "an IP address",
  boolean: "a Boolean",
};

export function nameOfType(type: ValueType): string {
  return names[type];
}
