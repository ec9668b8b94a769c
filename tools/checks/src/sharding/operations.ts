import type { Document } from 'mongodb';
import { type Conditions, conditionsOf, conditionsText } from './conditions.ts';
import { changedPaths } from './update-paths.ts';

export type OperationKind =
  | 'find'
  | 'count'
  | 'distinct'
  | 'aggregate'
  | 'insert'
  | 'updateOne'
  | 'updateMany'
  | 'replaceOne'
  | 'deleteOne'
  | 'deleteMany'
  | 'findAndModify'
  | 'createIndexes';

/** One statement of a command, as far as its shards depend on it. */
export interface Operation {
  kind: OperationKind;
  collection: string;
  conditions: Conditions;
  isUpsert: boolean;
  inTransaction: boolean;
  /** A filter with a collation has no exact values. */
  hasCollation: boolean;
  /** The paths that an update changes, or the members of inserted documents and replacements. */
  paths: readonly string[];
  /** The names of the stages of a pipeline. */
  stages: readonly string[];
  /** The collections that a pipeline reads or writes, beside its own. */
  others: readonly string[];
  /** The keys of unique indexes. */
  uniqueKeys: readonly string[];
}

/** Returns the statements of a command on the collection, or nothing for a command that mongos executes by itself. */
export function operationsOf(name: string, command: Document): Operation[] {
  const of = (kind: OperationKind, filter: Document, over: Partial<Operation> = {}): Operation => ({
    kind,
    collection: command[name],
    conditions: conditionsOf(filter),
    isUpsert: false,
    inTransaction: command.autocommit === false,
    hasCollation: command.collation !== undefined,
    paths: [],
    stages: [],
    others: [],
    uniqueKeys: [],
    ...over,
  });
  if (name === 'find') return [of('find', command.filter ?? {})];
  if (name === 'count' || name === 'distinct') return [of(name, command.query ?? {})];
  if (name === 'aggregate')
    return pipelinesOf(command[name], command.pipeline).map(({ collection, filter, pipeline }) =>
      of('aggregate', filter, { collection, ...stagesOf(pipeline) }),
    );
  if (name === 'insert') {
    // Tests insert thousands of documents with the same members.
    const members = new Map<string, string[]>();
    for (const each of command.documents) members.set(Object.keys(each).join(), Object.keys(each));
    return [...members.values()].map((paths) => of('insert', {}, { paths }));
  }
  if (name === 'update')
    return command.updates.map(({ q, u, multi = false, upsert = false, collation }: Document) =>
      of(multi ? 'updateMany' : isReplacement(u) ? 'replaceOne' : 'updateOne', q, {
        isUpsert: upsert,
        paths: isReplacement(u) ? Object.keys(u) : changedPaths(u),
        hasCollation: collation !== undefined,
      }),
    );
  if (name === 'delete')
    return command.deletes.map(({ q, limit, collation }: Document) =>
      of(limit === 1 ? 'deleteOne' : 'deleteMany', q, { hasCollation: collation !== undefined }),
    );
  if (name === 'findAndModify')
    return [
      of('findAndModify', command.query ?? {}, {
        isUpsert: command.upsert === true,
        paths: command.update === undefined ? [] : changedPaths(command.update),
      }),
    ];
  if (name === 'createIndexes') {
    const unique = command.indexes.filter((each: Document) => each.unique);
    return [of('createIndexes', {}, { uniqueKeys: unique.map((each: Document) => keyText(each.key)) })];
  }
  return [];
}

const keyText = (key: Document | Map<string, unknown>) =>
  (key instanceof Map ? [...key.keys()] : Object.keys(key)).join(',');

const isReplacement = (update: Document | Document[]): boolean =>
  !Array.isArray(update) && !Object.keys(update).some((name) => name.startsWith('$'));

interface Pipeline {
  collection: string;
  filter: Document;
  pipeline: readonly Document[];
}

/** The pipeline of a command and the pipelines inside it, each of which mongos or a shard sends to the shards of its collection. */
function pipelinesOf(collection: string, pipeline: readonly Document[], joins: Document = {}): Pipeline[] {
  const inner = withFacets(pipeline).flatMap(({ $lookup, $graphLookup, $unionWith }) => {
    if (typeof $lookup?.from === 'string') {
      const { from, foreignField, pipeline: of = [] } = $lookup;
      return pipelinesOf(from, of, foreignField ? { [foreignField]: anyValue } : {});
    }
    if ($graphLookup) {
      const { from, connectToField, restrictSearchWithMatch: $match = {} } = $graphLookup;
      return pipelinesOf(from, [{ $match }], { [connectToField]: anyValue });
    }
    const other = $unionWith?.coll ?? $unionWith;
    return typeof other === 'string' ? pipelinesOf(other, $unionWith.pipeline ?? []) : [];
  });
  return [{ collection, filter: { $and: [joins, ...leadingMatches(pipeline)] }, pipeline }, ...inner];
}

/** The values of a join come from the documents of the outer pipeline. */
const anyValue = { $in: [0] };

/** The stages of a pipeline, with those of its facets, which read the same documents. */
const withFacets = (pipeline: readonly Document[]): Document[] =>
  pipeline.flatMap((stage) => [stage, ...Object.values<Document[]>(stage.$facet ?? {}).flat()]);

/** mongos chooses the shards by the `$match` stages at the beginning of a pipeline. */
function leadingMatches(pipeline: readonly Document[]): Document[] {
  const end = pipeline.findIndex((stage) => !('$match' in stage));
  return pipeline.slice(0, end === -1 ? undefined : end).map(({ $match }) => $match);
}

function stagesOf(ownStages: readonly Document[]): Pick<Operation, 'stages' | 'others'> {
  const pipeline = withFacets(ownStages);
  const stages = pipeline.flatMap((stage) => Object.keys(stage));
  const others = pipeline.flatMap(({ $lookup, $graphLookup, $unionWith, $merge, $out }) => {
    const target = $merge?.into ?? $merge ?? $out;
    const from = [$lookup?.from, $graphLookup?.from, $unionWith?.coll ?? $unionWith, target?.coll ?? target];
    return from.filter((each) => typeof each === 'string');
  });
  return { stages: [...new Set(stages)], others: [...new Set(others)] };
}

/** A text that is equal for operations to which the same rules apply. It has no values. */
export function shapeOf(operation: Operation): string {
  const { kind, conditions, isUpsert, inTransaction, hasCollation, paths, stages, others, uniqueKeys } = operation;
  return [
    kind,
    isUpsert && 'upsert',
    inTransaction && 'in a transaction',
    hasCollation && 'with a collation',
    kind !== 'insert' && kind !== 'createIndexes' && `{ ${conditionsText(conditions)} }`,
    paths.length > 0 && `[${paths.join(' ')}]`,
    stages.some((stage) => stage !== '$match') && stages.join(' '),
    others.length > 0 && `with ${others.join(' ')}`,
    uniqueKeys.length > 0 && `unique ${uniqueKeys.join(' ')}`,
  ]
    .filter(Boolean)
    .join(' ');
}
