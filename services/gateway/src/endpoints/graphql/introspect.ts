import { type GraphQLResolveInfo, getArgumentValues } from 'graphql';
import { bounds } from './bounds.ts';
import { refusedAt, refusingInvalid } from './document-error.ts';
import { schema } from './schema.ts';
import type { SelectedField } from './select-fields.ts';
import type { VariableValues } from './variables.ts';

const tooManyFields = `The introspection must return at most ${bounds.introspectedFields.toLocaleString('en-US')} fields`;

/**
 * Answers an introspection with the resolvers of the reference library. The bounds of depth and nodes do not apply to it, so the number of
 * fields in its answer is bounded.
 */
export function createIntrospection(variables: VariableValues) {
  let count = 0;
  const info = { schema } as GraphQLResolveInfo;

  const answerOf = ({ field, node, parent, fields }: SelectedField, source: unknown): unknown => {
    if (++count > bounds.introspectedFields) throw refusedAt(node, tooManyFields);
    if (field.name === '__typename') return parent.name;
    const args = getArgumentValues(field, node, variables);
    const value = field.resolve ? field.resolve(source, args, undefined, info) : undefined;
    return fields ? membersOf(fields, value) : (value ?? null);
  };
  const membersOf = (fields: readonly SelectedField[], value: unknown): unknown => {
    if (value === null || value === undefined) return null;
    if (Array.isArray(value)) return value.map((each) => membersOf(fields, each));
    const entries = fields.map((field) => [field.key, answerOf(field, value)] as const);
    return Object.fromEntries(entries);
  };
  return (selected: SelectedField): unknown => refusingInvalid(() => answerOf(selected, undefined));
}
