import {
  type FieldNode,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
  isIntrospectionType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { bounds } from './bounds.ts';
import { refusedAt } from './document-error.ts';
import type { ParsedDocument } from './parse-document.ts';
import { hasSameArguments } from './same-value.ts';
import { schema } from './schema.ts';
import type { VariableValues } from './variables.ts';

/**
 * Expands the fragments of an operation, and merges its fields by the name that they have in the answer. No type of the schema is abstract,
 * so fields merge if they are the same field with the same arguments.
 *
 * - Two different fields have one name in the answer -> 400 with the place, even if a directive skips one of them.
 * - Bounds: the depth of fields, and the visits to fields. Each fragment is visited at most twice for one selection.
 */
export interface SelectedField {
  /** The name in the answer: the alias, or else the name of the field. */
  key: string;
  node: FieldNode;
  parent: GraphQLObjectType;
  field: GraphQLField<unknown, unknown>;
  /** Whether the value is never null. */
  isRequired: boolean;
  /** The fields of the value. Undefined for a field without fields. */
  fields: readonly SelectedField[] | undefined;
}

/** A selection, and whether directives include it. */
interface Part {
  selectionSet: SelectionSetNode;
  isIncluded: boolean;
}

interface Group {
  first: FieldNode;
  isIncluded: boolean;
  parts: Part[];
}

interface Walk {
  fragments: ParsedDocument['fragments'];
  /** Undefined if directives are not evaluated: the operation is only checked. */
  variables: VariableValues | undefined;
  visits: number;
}

/** Returns the fields of the operation. The other operations are only checked. */
export function selectFields(document: ParsedDocument, variables: VariableValues): SelectedField[] {
  const { operation, operations, fragments } = document;
  const queryType = schema.getQueryType() as GraphQLObjectType;
  const walk: Walk = { fragments, variables: undefined, visits: 0 };
  for (const other of operations) {
    if (other !== operation) select(walk, queryType, [{ selectionSet: other.selectionSet, isIncluded: true }], 1);
  }
  walk.variables = variables;
  return select(walk, queryType, [{ selectionSet: operation.selectionSet, isIncluded: true }], 1);
}

function select(walk: Walk, parent: GraphQLObjectType, parts: readonly Part[], depth: number): SelectedField[] {
  const selected: SelectedField[] = [];
  for (const [key, { first, isIncluded, parts: inner }] of groupsOf(walk, parts)) {
    const field = schema.getField(parent, first.name.value);
    if (!field) throw new Error(`the validated field ${parent.name}.${first.name.value} does not exist`);
    const type = getNamedType(field.type);
    // The parser bounds the nesting of introspection.
    if (depth > bounds.depth && !isIntrospectionType(parent)) {
      throw refusedAt(first, `Fields must be nested at most ${bounds.depth} deep`);
    }
    const fields = isObjectType(type) ? select(walk, type, inner, depth + 1) : undefined;
    if (isIncluded) selected.push({ key, node: first, parent, field, isRequired: isNonNullType(field.type), fields });
  }
  return selected;
}

function groupsOf(walk: Walk, parts: readonly Part[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  /** Whether the visited fragment was included. */
  const visited = new Map<string, boolean>();
  const visit = ({ selectionSet, isIncluded }: Part): void => {
    for (const selection of selectionSet.selections) {
      if (++walk.visits > bounds.visits) throw refusedAt(selection, 'The fragments expand to too many fields');
      const isSelected = isIncluded && passesDirectives(walk, selection);
      if (selection.kind === Kind.FIELD) add(groups, selection, isSelected);
      else if (selection.kind === Kind.INLINE_FRAGMENT)
        visit({ selectionSet: selection.selectionSet, isIncluded: isSelected });
      else {
        const name = selection.name.value;
        const before = visited.get(name);
        const fragment = walk.fragments.get(name);
        if (!fragment || before === true || before === isSelected) continue;
        visited.set(name, isSelected);
        visit({ selectionSet: fragment.selectionSet, isIncluded: isSelected });
      }
    }
  };
  for (const part of parts) visit(part);
  return groups;
}

function add(groups: Map<string, Group>, node: FieldNode, isIncluded: boolean): void {
  const key = node.alias?.value ?? node.name.value;
  let group = groups.get(key);
  if (!group) {
    group = { first: node, isIncluded, parts: [] };
    groups.set(key, group);
  } else if (group.first.name.value !== node.name.value || !hasSameArguments(group.first, node)) {
    throw refusedAt(node, `Fields "${key}" conflict, because they differ in field or arguments; use another alias`);
  }
  // The first included field decides the order of the answer.
  if (isIncluded && !group.isIncluded) {
    groups.delete(key);
    group.isIncluded = true;
    groups.set(key, group);
  }
  if (node.selectionSet) group.parts.push({ selectionSet: node.selectionSet, isIncluded });
}

function passesDirectives({ variables }: Walk, selection: SelectionNode): boolean {
  if (!variables || !selection.directives?.length) return true;
  if (getDirectiveValues(GraphQLSkipDirective, selection, variables)?.if === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, selection, variables)?.if !== false;
}
