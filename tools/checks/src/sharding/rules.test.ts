import type { CollectionDefinition, CollectionDefinitions } from '@shopscope/mongo';
import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { operationsOf } from './operations.ts';
import { violationOf } from './rules.ts';

const orders = {
  indexes: [],
  shardKey: { workspaceId: 1, orderId: 1 },
  scatters: { 'find dueAt': 'the timer looks for work', 'find name,size,…': 'a search' },
} as const satisfies CollectionDefinition;
const definitions: CollectionDefinitions = { orders, plans: { indexes: [], unsharded: 'few documents' } };
const key = { workspaceId: 'ws_1', orderId: 'o1' };

const rulesFor = (name: string, command: Document, collection = 'orders') =>
  operationsOf(name, { [name]: collection, ...command }).map(
    (each) => violationOf(each, definitions[each.collection] as CollectionDefinition, definitions)?.rule ?? 'ok',
  );
const find = (filter: Document) => rulesFor('find', { filter });
const update = (q: Document, u: Document | Document[], over: Document = {}) =>
  rulesFor('update', { updates: [{ q, u, ...over }] });
const set = { $set: { state: 'done' } };
const scattered = [expect.stringMatching(/^every shard executes it/)];

describe('the shardability check', () => {
  it('a find with a value of the first field of the shard key passes, also in a list or in each branch', () => {
    expect(find({ workspaceId: 'ws_1', state: { $ne: 'done' } })).toEqual(['ok']);
    expect(find({ workspaceId: { $in: ['ws_1', 'ws_2'] } })).toEqual(['ok']);
    expect(find({ $and: [{ workspaceId: { $eq: 'ws_1' } }, { state: 'new' }] })).toEqual(['ok']);
    expect(find({ $or: [{ ...key }, { workspaceId: 'ws_2', orderId: { $gt: 'o' } }] })).toEqual(['ok']);
  });

  it.each([
    ['no filter', {}],
    ['another field', { orderId: 'o1' }],
    ['a range', { workspaceId: { $gt: 'ws_1' } }],
    ['a pattern', { workspaceId: /^ws_/ }],
    ['a list with a pattern', { workspaceId: { $in: [/^ws_/] } }],
    ['a branch without it', { $or: [{ workspaceId: 'ws_1' }, { state: 'new' }] }],
    ['an expression', { $expr: { $eq: ['$workspaceId', 'ws_1'] } }],
  ])('a find that every shard executes fails: %s', (_, filter) => {
    expect(find(filter)).toEqual(scattered);
  });

  it('a find that every shard executes passes if the declaration gives the reason', () => {
    expect(find({ dueAt: { $lte: new Date(0) } })).toEqual(['ok']);
    expect(find({ dueAt: new Date(0), state: 'new' })).toEqual(scattered);
    expect(find({ name: 'a', size: 1, colour: 'red' })).toEqual(['ok']);
    expect(find({ name: 'a', colour: 'red' })).toEqual(scattered);
  });

  it('an aggregation is judged by the $match stages at its beginning', () => {
    const match = { $match: { workspaceId: 'ws_1' } };
    const group = { $group: { _id: '$state' } };
    expect(rulesFor('aggregate', { pipeline: [{ $match: {} }, match, group] })).toEqual(['ok']);
    expect(rulesFor('aggregate', { pipeline: [group, match] })).toEqual(scattered);
  });

  it('a pipeline inside a pipeline needs a value of the shard key of its own collection', () => {
    const inside = (stage: Document) => rulesFor('aggregate', { pipeline: [{ $match: key }, stage] }, 'plans');
    const lookup = (foreignField: string, pipeline: Document[] = []) => ({
      $lookup: { from: 'orders', localField: 'x', foreignField, pipeline, as: 'orders' },
    });
    const refused = ['ok', ...scattered];
    expect(inside(lookup('workspaceId'))).toEqual(['ok', 'ok']);
    expect(inside(lookup('_id'))).toEqual(refused);
    expect(inside(lookup('_id', [{ $match: { workspaceId: 'ws_1' } }]))).toEqual(['ok', 'ok']);
    expect(inside(lookup('workspaceId', [lookup('_id')]))).toEqual(['ok', ...refused]);
    expect(inside({ $facet: { a: [lookup('_id')] } })).toEqual(refused);
    expect(inside({ $unionWith: 'orders' })).toEqual(refused);
    expect(inside({ $unionWith: { coll: 'orders', pipeline: [{ $match: { orderId: 'o1' } }] } })).toEqual(refused);
    expect(inside({ $unionWith: { coll: 'orders', pipeline: [{ $match: key }] } })).toEqual(['ok', 'ok']);
    const graph = { from: 'orders', startWith: '$x', connectFromField: 'x', as: 'orders' };
    expect(inside({ $graphLookup: { ...graph, connectToField: 'workspaceId' } })).toEqual(['ok', 'ok']);
    expect(inside({ $graphLookup: { ...graph, connectToField: 'orderId' } })).toEqual(refused);
  });

  it('every statement of a bulk is judged', () => {
    const updates = Array.from({ length: 1_000 }, () => ({ q: key, u: set }));
    const rules = rulesFor('update', { updates: [...updates, { q: { orderId: 'o1' }, u: set }] });
    expect(new Set(rules)).toEqual(new Set(['ok', expect.stringMatching(/^updateOne needs/)]));
  });

  it('findAndModify needs the exact value of each field of the shard key', () => {
    const modify = (query: Document, over: Document = {}) => rulesFor('findAndModify', { query, update: set, ...over });
    const refused = [expect.stringMatching(/^findAndModify needs/)];
    expect(modify(key)).toEqual(['ok']);
    expect(modify({ ...key, state: 'new' })).toEqual(['ok']);
    expect(modify({ workspaceId: 'ws_1' })).toEqual(refused);
    expect(modify({ ...key, orderId: { $in: ['o1'] } })).toEqual(refused);
    expect(modify({ _id: 1 })).toEqual(refused);
    expect(modify({ $or: [key] })).toEqual(refused);
    expect(modify(key, { collation: { locale: 'en' } })).toEqual(refused);
  });

  it('a change or deletion of one document needs the exact shard key or _id, and every shard executes it with _id alone', () => {
    const refused = [expect.stringMatching(/^updateOne needs/)];
    expect(update(key, set)).toEqual(['ok']);
    expect(update({ workspaceId: 'ws_1', _id: 1 }, set)).toEqual(['ok']);
    expect(update({ workspaceId: 'ws_1' }, set)).toEqual(refused);
    expect(update({ _id: 1 }, set)).toEqual(scattered);
    const remove = (q: Document, limit: number) => rulesFor('delete', { deletes: [{ q, limit }] });
    expect(remove({ workspaceId: 'ws_1' }, 1)).toEqual([expect.stringMatching(/^deleteOne needs/)]);
    expect(remove({ workspaceId: 'ws_1' }, 0)).toEqual(['ok']);
    expect(remove({ state: 'done' }, 0)).toEqual(scattered);
  });

  it('an upsert needs the exact value of each field of the shard key', () => {
    const upsert = (q: Document) => update(q, set, { upsert: true });
    expect(upsert(key)).toEqual(['ok']);
    expect(upsert({ workspaceId: 'ws_1', _id: 1 })).toEqual([expect.stringMatching(/^an upsert needs/)]);
  });

  it('an update must not change the shard key', () => {
    const refused = [expect.stringMatching(/^an update must not change/)];
    expect(update(key, { $set: { orderId: 'o2' } })).toEqual(refused);
    expect(update(key, { $unset: { 'orderId.part': '' } })).toEqual(refused);
    expect(update(key, { $rename: { old: 'orderId' } })).toEqual(refused);
    expect(update(key, [{ $set: { workspaceId: '$other' } }])).toEqual(refused);
    expect(update(key, [{ $replaceWith: '$inner' }])).toEqual(refused);
    expect(update(key, { $setOnInsert: { orderId: 'o1' } }, { upsert: true })).toEqual(['ok']);
  });

  it('a document needs each field of the shard key, also one that replaces another', () => {
    const refused = [expect.stringMatching(/^a document needs/)];
    expect(rulesFor('insert', { documents: [{ _id: 1, ...key }] })).toEqual(['ok']);
    expect(rulesFor('insert', { documents: [{ _id: 1, workspaceId: 'ws_1' }] })).toEqual(refused);
    expect(update(key, { ...key, state: 'done' })).toEqual(['ok']);
    expect(update(key, { state: 'done' })).toEqual(refused);
  });

  it('a unique index must begin with the shard key', () => {
    const index = (fields: Document) => rulesFor('createIndexes', { indexes: [{ key: fields, unique: true }] });
    expect(index({ workspaceId: 1, orderId: 1, line: 1 })).toEqual(['ok']);
    expect(index({ workspaceId: 1, line: 1 })).toEqual([expect.stringMatching(/^a unique index must begin/)]);
  });

  it('a transaction cannot use distinct, $unionWith, or $lookup of a sharded collection', () => {
    const inTransaction = { autocommit: false };
    expect(rulesFor('distinct', { query: key, ...inTransaction })).toEqual([
      'distinct is not possible in a transaction',
    ]);
    const pipeline = (stage: Document) => ({ pipeline: [{ $match: key }, stage] });
    const lookup = pipeline({
      $lookup: { from: 'orders', localField: 'ws', foreignField: 'workspaceId', as: 'orders' },
    });
    const refused = [expect.stringMatching(/^\$lookup in a transaction/)];
    expect(rulesFor('aggregate', lookup)).toEqual(['ok', 'ok']);
    expect(rulesFor('aggregate', { ...lookup, ...inTransaction })).toEqual([...refused, 'ok']);
    expect(rulesFor('aggregate', { ...lookup, ...inTransaction }, 'plans')).toEqual([...refused, 'ok']);
    const union = { ...pipeline({ $unionWith: 'plans' }), ...inTransaction };
    expect(rulesFor('aggregate', union)).toEqual([expect.stringMatching(/^\$unionWith/), 'ok']);
  });

  it('$out must not write a sharded collection', () => {
    expect(rulesFor('aggregate', { pipeline: [{ $match: key }, { $out: 'orders' }] })).toEqual([
      '$out must not write a sharded collection',
    ]);
  });

  it('a collection that is not sharded accepts every command', () => {
    expect(rulesFor('findAndModify', { query: {}, update: set }, 'plans')).toEqual(['ok']);
  });
});
