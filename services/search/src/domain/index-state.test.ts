import { hourMs } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import {
  beginFilling,
  deletable,
  endFilling,
  type IndexState,
  indexesToWrite,
  needsFilling,
  noIndexes,
  takeFilling,
  withoutMissing,
} from './index-state.ts';

const schema = 2;
const first = { name: 'stores-1', schema };
const second = { name: 'stores-2', schema };
const serving: IndexState = { ...noIndexes, serving: first };
const lease = { holder: 'a', schema, nowMs: 0, leaseMs: 30 };

describe('indexes to write', () => {
  it('updates go to the serving index and to the one that is filled', () => {
    expect(indexesToWrite(serving, schema)).toEqual(['stores-1']);
    expect(indexesToWrite(beginFilling(serving, second, 0), schema)).toEqual(['stores-1', 'stores-2']);
  });

  it('updates wait while no index has the form of this version, or another version fills one', () => {
    for (const state of [noIndexes, { ...noIndexes, serving: { name: 'stores-0', schema: 1 } }])
      expect(() => indexesToWrite(state, schema)).toThrow(/not available/);
    const newer = beginFilling(serving, { name: 'stores-3', schema: 3 }, 0);
    expect(() => indexesToWrite(newer, schema)).toThrow(/another version/);
  });

  it('an index of an older version is not written while a new one is filled', () => {
    const older = { ...noIndexes, serving: { name: 'stores-0', schema: 1 } };
    expect(needsFilling(older, schema)).toBe(true);
    const filling = beginFilling(older, first, 0);
    expect(needsFilling(filling, schema)).toBe(false);
    expect(indexesToWrite(filling, schema)).toEqual(['stores-1']);
  });
});

describe('filling', () => {
  it('one instance fills an index, and another one continues when its lease has expired', () => {
    const taken = takeFilling(beginFilling(noIndexes, first, 0), lease);
    expect(taken?.filling.lease).toEqual({ holder: 'a', untilMs: 30 });
    const state = taken as IndexState;
    expect(takeFilling(state, { ...lease, holder: 'b', nowMs: 29 })).toBeUndefined();
    expect(takeFilling(state, { ...lease, nowMs: 29 })?.filling.lease?.untilMs).toBe(59);
    expect(takeFilling(state, { ...lease, holder: 'b', nowMs: 30 })?.filling.lease?.holder).toBe('b');
  });

  it('an instance of another version does not fill the index', () => {
    expect(takeFilling(beginFilling(noIndexes, first, 0), { ...lease, schema: 1 })).toBeUndefined();
    expect(takeFilling(noIndexes, lease)).toBeUndefined();
  });

  it('a full index serves, and the one before it retires', () => {
    const state = endFilling(beginFilling(serving, second, 0), 7);
    expect(state).toEqual({ serving: second, filling: null, retired: [{ ...first, retiredAtMs: 7 }] });
    expect(endFilling(state, 8)).toBe(state);
  });

  it('an index that is filled retires when another one takes its place', () => {
    const again = beginFilling(beginFilling(serving, second, 0), { name: 'stores-3', schema }, 5);
    expect(again.filling?.name).toBe('stores-3');
    expect(again.retired).toEqual([{ ...second, retiredAtMs: 5 }]);
  });

  it('an index that the engine has lost is forgotten, and one that it has stays', () => {
    const state = beginFilling(serving, second, 0);
    expect(withoutMissing(state, new Set(['stores-1', 'stores-2']))).toBeUndefined();
    expect(withoutMissing(state, new Set(['stores-2']))).toEqual({ ...state, serving: null });
    expect(withoutMissing(state, new Set(['stores-1']))).toEqual({ ...state, filling: null });
    expect(withoutMissing(noIndexes, new Set())).toBeUndefined();
  });

  it('a retired index is deletable after an hour, once no edition is of it', () => {
    const state = endFilling(beginFilling(serving, second, 0), 0);
    expect(deletable(state, new Set(), hourMs - 1)).toEqual([]);
    expect(deletable(state, new Set(['stores-1']), hourMs)).toEqual([]);
    expect(deletable(state, new Set(), hourMs)).toEqual(state.retired);
  });
});
