import { AppError, invalidField } from '@shopscope/errors';
import { pluralized } from '@shopscope/text';
import { getArgumentValues } from 'graphql';
import type { z } from 'zod';
import type { Caller } from '../../keys/caller.ts';
import { bounds } from './bounds.ts';
import { type graphqlRequest, graphqlUnits } from './contract.ts';
import { placeOf, refusedAt, refusingInvalid } from './document-error.ts';
import { parseDocument } from './parse-document.ts';
import type { PreparedField } from './prepared-field.ts';
import { rootFields } from './root-fields.ts';
import { type SelectedField, selectFields } from './select-fields.ts';
import { type VariableValues, variablesOf } from './variables.ts';

/**
 * Plans a document before anything is read: what it selects, what it looks up, and the most that it could bill.
 *
 * The checks have the order of REST: the document parses and validates, the key has the scopes of all fields, the arguments are valid,
 * and the document is within its bounds and the caller's maxUnits.
 */
export interface Plan {
  fields: readonly PlannedField[];
  variables: VariableValues;
  inputs: readonly string[];
  /** The inputs of histories. */
  histories: readonly string[];
  jobIds: readonly string[];
  /** The most that the document could bill. */
  requested: Record<(typeof graphqlUnits)[number], number>;
  nodes: number;
  pages: number;
}

export interface PlannedField {
  selected: SelectedField;
  /** Undefined for introspection. */
  prepared: PreparedField | undefined;
}

type Body = z.output<typeof graphqlRequest>;

export const planDocument = (body: Body, caller: Caller): Plan => refusingInvalid(() => plan(body, caller));

function plan(body: Body, caller: Caller): Plan {
  const document = parseDocument(caller.workspaceId, body.query, body.operationName);
  const variables = variablesOf(document.operation, body.variables ?? {});
  const selected = selectFields(document, variables).map((field) => ({
    field,
    args: getArgumentValues(field.field, field.node, variables),
  }));
  for (const { field, args } of selected) requireScopes(field, args, caller);
  const fields = selected.map(({ field, args }) => ({ selected: field, prepared: prepare(field, args, caller) }));
  const prepared = fields.flatMap((field) => field.prepared ?? []);
  const inputs = prepared.flatMap((field) => field.inputs);
  const nodes = countNodes(fields);
  const pages = sum(prepared.map((field) => field.pages));
  const requested = {
    lookup_cached: inputs.length,
    history_query: sum(prepared.map(({ billedPages }) => billedPages)),
  };
  checkMaxUnits(requested, body.extensions?.maxUnits ?? {});
  const histories = prepared.flatMap((field) => field.histories);
  const jobIds = prepared.flatMap((field) => field.jobIds);
  return { fields, variables, inputs, histories, jobIds, requested, nodes, pages };
}

/** There are too many nodes -> the error names the place of the first field beyond the bound. */
function countNodes(fields: readonly PlannedField[]): number {
  const total = sum(fields.map(({ prepared }) => prepared?.nodes ?? 0));
  let count = 0;
  for (const { selected, prepared } of fields) {
    count += prepared?.nodes ?? 0;
    if (count <= bounds.nodes) continue;
    const most = pluralized(bounds.nodes, { one: 'node', many: 'nodes' });
    throw refusedAt(selected.node, `The document must ask for at most ${most}, not ${total.toLocaleString('en-US')}`);
  }
  return total;
}

function requireScopes({ key, field }: SelectedField, args: Record<string, unknown>, { scopes }: Caller): void {
  const { scope, argumentScope } = rootFields[field.name] ?? {};
  const missing = [scope, argumentScope?.(args)].find((each) => each !== undefined && !scopes.includes(each));
  if (!missing) return;
  const name = key === field.name ? key : `${key}: ${field.name}`;
  throw new AppError('forbidden_scope', `The field ${name} needs the scope ${missing}, which this key does not have.`);
}

function prepare(selected: SelectedField, args: Record<string, unknown>, caller: Caller): PreparedField | undefined {
  const prepared = atField(selected, () => rootFields[selected.field.name]?.prepare(args, caller));
  if (!prepared) return undefined;
  return {
    ...prepared,
    read: (source) => prepared.read(source).catch((error) => Promise.reject(errorAt(selected, error))),
  };
}

function atField<T>(selected: SelectedField, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw errorAt(selected, error);
  }
}

/** Adds the field and its place in the document to an error of REST, and replaces the parameter of REST by the argument of GraphQL. */
function errorAt({ key, node }: SelectedField, error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'invalid_request') return error;
  const text = error.publicMessage.replace(/^limit:/, 'first:').replace(/^cursor:/, 'after:');
  return new AppError('invalid_request', `${key}.${text}${placeOf(node)}`, { cause: error, details: { field: key } });
}

function checkMaxUnits(requested: Plan['requested'], maxUnits: Partial<Record<string, number | undefined>>): void {
  for (const unit of graphqlUnits) {
    const max = maxUnits[unit];
    if (max === undefined || requested[unit] <= max) continue;
    const text = `is ${max.toLocaleString('en-US')}, and the document could bill ${requested[unit].toLocaleString('en-US')}`;
    throw invalidField(`extensions.maxUnits.${unit}`, text);
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
