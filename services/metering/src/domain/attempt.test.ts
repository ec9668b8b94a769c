import { describe, expect, it } from 'vitest';
import { type Attempt, type AttemptState, attemptOf, type Signal, step } from './attempt.ts';
import { noUnits, unitsOf } from './units.ts';

const one = unitsOf({ lookupCached: 1 });
const identity = { chargeId: 'chg_1', number: 1, workspaceId: 'ws_1', keyId: 'key_1', periodStartMs: 0 };
const open = attemptOf(identity, [], one);

const after = (...signals: Signal[]) =>
  signals.reduce<Attempt>((attempt, signal) => step(attempt, signal, one, () => true)?.after ?? attempt, open);

describe('an attempt', () => {
  it.each<[Signal[], AttemptState, number, number]>([
    [[], 'open', 0, 1],
    [['count'], 'counted', 1, 1],
    [['count', 'count'], 'counted', 1, 1],
    [['count', 'return'], 'counted', 1, 1],
    [['void'], 'voided', 0, 0],
    [['void', 'count'], 'voided', 0, 0],
    [['count', 'void'], 'reversed', 0, 0],
    [['count', 'void', 'void'], 'reversed', 0, 0],
    [['count', 'void', 'count'], 'reversed', 0, 0],
    [['return'], 'returned', 0, 0],
    [['return', 'count'], 'counted', 1, 1],
    [['return', 'void', 'count'], 'voided', 0, 0],
    [['return', 'count', 'void', 'count'], 'reversed', 0, 0],
  ])('after %j is %s', (signals, state, used, taken) => {
    const attempt = after(...signals);
    expect(attempt).toMatchObject({
      state,
      used: unitsOf({ lookupCached: used }),
      taken: unitsOf({ lookupCached: taken }),
    });
  });

  it('that was given back counts late only while the allowance holds it', () => {
    const returned = after('return');
    expect(step(returned, 'count', one, () => false)).toMatchObject({ kind: 'void', used: noUnits, taken: noUnits });
    expect(step(returned, 'count', one, () => true)).toMatchObject({ kind: 'charge', used: one, taken: one });
  });

  it('frees what its event leaves of the reservation', () => {
    const wide = attemptOf(identity, [], unitsOf({ lookupCached: 5 }));
    expect(step(wide, 'count', one, () => true)?.taken).toEqual(unitsOf({ lookupCached: -4 }));
  });

  it('is the same read back from its entries', () => {
    const made = step(after('return'), 'count', one, () => true);
    const entries = [
      { kind: 'return' as const, units: noUnits },
      { kind: 'charge' as const, units: made?.used ?? noUnits },
    ];
    expect(attemptOf(identity, entries, one)).toEqual(made?.after);
  });
});
