import { invalidField } from '@shopscope/errors';
import { sanitized } from '@shopscope/text';
import { type GraphQLError, getVariableValues, type OperationDefinitionNode } from 'graphql';
import { bounds } from './bounds.ts';
import { invalidDocument } from './document-error.ts';
import { schema } from './schema.ts';

export type VariableValues = NonNullable<ReturnType<typeof getVariableValues>['variableValues']>;

/** Returns the values of the variables of an operation. A variable that the operation does not define is refused, as an unknown member is. */
export function variablesOf(
  { variableDefinitions = [] }: OperationDefinitionNode,
  values: Readonly<Record<string, unknown>>,
): VariableValues {
  const defined = new Set(variableDefinitions.map(({ variable }) => variable.name.value));
  for (const name of Object.keys(values)) {
    if (!defined.has(name)) {
      throw invalidField(`variables.${sanitized(name, 100)}`, 'is not a variable of the operation');
    }
  }
  countValues(values);
  const { variableValues, errors } = getVariableValues(schema, variableDefinitions, values, { maxErrors: 1 });
  if (variableValues) return variableValues;
  throw invalidDocument(errors[0] as GraphQLError, 'variables');
}

function countValues(values: object): void {
  let count = 0;
  const visit = (value: unknown, depth: number): void => {
    if (++count > bounds.values) throw invalidField('variables', 'must have at most 2,000 values');
    if (typeof value !== 'object' || value === null) return;
    if (depth > bounds.nesting) throw invalidField('variables', `must be nested at most ${bounds.nesting} deep`);
    for (const name in value) visit((value as Record<string, unknown>)[name], depth + 1);
  };
  for (const name in values) visit((values as Record<string, unknown>)[name], 1);
}
