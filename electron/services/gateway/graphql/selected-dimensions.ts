// Which dimensions a query wants of its groups: they decide what a group is, so that they must be known before the log is read.
import {
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  type GraphQLResolveInfo,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import { dimensions, type Dimension } from "./dimensions.ts";

/** Of the field that is being resolved, in the order of `dimensions`. */
export function findSelectedDimensions(info: GraphQLResolveInfo): readonly Dimension[] {
  const names = new Set<string>();
  for (const { selectionSet } of info.fieldNodes) {
    for (const field of fieldsOf(selectionSet, info)) {
      if (field.name.value !== "dimensions") continue;
      for (const { name } of fieldsOf(field.selectionSet, info)) names.add(name.value);
    }
  }
  return dimensions.filter(({ name }) => names.has(name));
}

type Field = Extract<SelectionNode, { kind: typeof Kind.FIELD }>;

/** With those of fragments, without those that directives leave out. */
function* fieldsOf(set: SelectionSetNode | undefined, info: GraphQLResolveInfo): Generator<Field> {
  for (const selection of set?.selections ?? []) {
    if (!isIncluded(selection, info)) continue;
    if (selection.kind === Kind.FIELD) yield selection;
    else if (selection.kind === Kind.INLINE_FRAGMENT) yield* fieldsOf(selection.selectionSet, info);
    else yield* fieldsOf(info.fragments[selection.name.value]?.selectionSet, info);
  }
}

function isIncluded(node: SelectionNode, { variableValues }: GraphQLResolveInfo): boolean {
  const skip = getDirectiveValues(GraphQLSkipDirective, node, variableValues);
  const include = getDirectiveValues(GraphQLIncludeDirective, node, variableValues);
  return skip?.if !== true && include?.if !== false;
}
