import type { CollectionDefinition, CollectionDefinitions } from '@shopscope/mongo';
import { equalsAll, fieldsOf, limits } from './conditions.ts';
import type { Operation } from './operations.ts';
import { sources } from './sources.ts';
import { touches } from './update-paths.ts';

/** What a sharded cluster would refuse, or what every shard would have to execute. */
export interface Violation {
  rule: string;
  source: string;
}

type Rule = (operation: Operation, key: readonly string[], definitions: CollectionDefinitions) => Violation | false;

const violation = (rule: string, source: string): Violation => ({ rule, source });
const isSharded = (definition: CollectionDefinition | undefined) =>
  definition !== undefined && 'shardKey' in definition;
const hasKey = ({ conditions, hasCollation }: Operation, key: readonly string[]) =>
  !hasCollation && equalsAll(conditions, key);

/** What mongos refuses for a sharded collection. */
const refusals: readonly Rule[] = [
  (operation, key) =>
    operation.kind === 'findAndModify' &&
    !hasKey(operation, key) &&
    violation(`findAndModify needs the exact value of each field of the shard key (${key})`, sources.findAndModify),

  (operation, key) =>
    operation.isUpsert &&
    !hasKey(operation, key) &&
    violation(`an upsert needs the exact value of each field of the shard key (${key})`, sources.update),

  (operation, key) =>
    ['updateOne', 'replaceOne', 'deleteOne'].includes(operation.kind) &&
    !hasKey(operation, key) &&
    !hasKey(operation, ['_id']) &&
    violation(`${operation.kind} needs the exact value of the shard key (${key}) or of _id`, sources.restrictions),

  ({ kind, paths }, key) =>
    ['updateOne', 'updateMany', 'findAndModify'].includes(kind) &&
    // `_id` never changes.
    key.some((field) => field !== '_id' && paths.some((path) => touches(path, field))) &&
    violation(`an update must not change a field of the shard key (${key})`, sources.changeOfKey),

  ({ kind, paths }, key) =>
    ['insert', 'replaceOne'].includes(kind) &&
    key.some((field) => field !== '_id' && !paths.includes(field.split('.')[0] as string)) &&
    violation(`a document needs each field of the shard key (${key})`, sources.uniqueIndexes),

  ({ kind, uniqueKeys }, key) =>
    kind === 'createIndexes' &&
    uniqueKeys.some((fields) => fields !== '_id' && !`${fields},`.startsWith(`${key},`)) &&
    violation(`a unique index must begin with the shard key (${key})`, sources.uniqueIndexes),

  ({ kind, inTransaction }) =>
    inTransaction &&
    ['distinct', 'count', 'createIndexes'].includes(kind) &&
    violation(`${kind} is not possible in a transaction`, sources.transactions),
];

/** What mongos refuses for any collection, because a pipeline reads or writes a sharded one. */
const refusedPipelines: readonly Rule[] = [
  ({ inTransaction, stages, others }, _, definitions) =>
    inTransaction &&
    stages.some((stage) => stage === '$lookup' || stage === '$graphLookup') &&
    others.some((name) => isSharded(definitions[name])) &&
    violation('$lookup in a transaction must not read a sharded collection', sources.lookup),

  ({ inTransaction, stages }) =>
    inTransaction &&
    stages.some((stage) => ['$unionWith', '$merge', '$out'].includes(stage)) &&
    violation('$unionWith, $merge and $out are not possible in a transaction', sources.unionWith),

  ({ stages, others }, _, definitions) =>
    stages.includes('$out') &&
    others.some((name) => isSharded(definitions[name])) &&
    violation('$out must not write a sharded collection', sources.out),
];

/** The name of a command that every shard executes, under which a declaration allows it. */
export const scatterName = ({ kind, conditions }: Operation): string =>
  `${kind} ${fieldsOf(conditions).join(',') || '*'}`;

/** A declared name that ends with `,…` allows further fields. */
function allows(declared: string, operation: Operation): boolean {
  if (!declared.endsWith(',…')) return declared === scatterName(operation);
  const [kind, fields = ''] = declared.slice(0, -2).split(' ');
  const own = fieldsOf(operation.conditions);
  return kind === operation.kind && fields.split(',').every((field) => own.includes(field));
}

function isScattered({ kind, conditions, hasCollation }: Operation, key: readonly string[]): boolean {
  if (kind === 'insert' || kind === 'createIndexes') return false;
  return hasCollation || !limits(conditions, key[0] as string);
}

/** Returns what mongos 6.0 or 7.0 would refuse of the operation, or that every shard executes it without a declared reason. */
export function violationOf(
  operation: Operation,
  definition: CollectionDefinition,
  definitions: CollectionDefinitions,
): Violation | undefined {
  const shardKey = 'shardKey' in definition ? definition.shardKey : {};
  const key = Object.keys(shardKey);
  for (const rule of key.length > 0 ? [...refusals, ...refusedPipelines] : refusedPipelines) {
    const found = rule(operation, key, definitions);
    if (found) return found;
  }
  if (!('shardKey' in definition) || !isScattered(operation, key)) return undefined;
  const name = scatterName(operation);
  if (Object.keys(definition.scatters ?? {}).some((declared) => allows(declared, operation))) return undefined;
  const rule = `every shard executes it, because the filter has no value of ${key[0]}; if that is meant, declare scatters: { '${name}': 'why' }`;
  return violation(rule, sources.routing);
}
