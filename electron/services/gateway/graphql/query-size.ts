// How much a query asks for once its fragments stand where they are used. A short text can ask for very much: fragments in
// fragments double with every step.
import { GraphQLError, Kind, type DocumentNode, type SelectionSetNode } from "graphql";

/** The usual introspection query names some 250 fields, 15 deep. */
const maxFields = 500;
const maxDepth = 20;

/**
 * The fields of all operations. The document must be valid: its fragments exist and do not hold themselves.
 * @throws GraphQLError for one that asks too much
 */
export function countFields(document: DocumentNode): number {
  const fragments = new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION
        ? [[definition.name.value, definition.selectionSet] as const]
        : [],
    ),
  );
  let count = 0;
  const visit = (set: SelectionSetNode | undefined, depth: number): void => {
    for (const selection of set?.selections ?? []) {
      // Spreads count too: fragments that hold nothing but others take their time.
      count += 1;
      if (count > maxFields) throw new GraphQLError(`A query has at most ${maxFields} fields.`);
      if (depth > maxDepth) throw new GraphQLError(`A query is at most ${maxDepth} deep.`);
      if (selection.kind === Kind.FRAGMENT_SPREAD) visit(fragments.get(selection.name.value), depth);
      else visit(selection.selectionSet, selection.kind === Kind.FIELD ? depth + 1 : depth);
    }
  };
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) visit(definition.selectionSet, 1);
  }
  return count;
}
