import { noUnits, unitsOf } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { type Attempt, type AttemptState, applyEvent, attemptOf, type EventKind } from './attempt.ts';

const one = unitsOf({ lookupCached: 1 });
const identity = { chargeId: 'chg_1', number: 1, workspaceId: 'ws_1', keyId: 'key_1', periodStartMs: 0 };
const open = attemptOf(identity, [], one);

const after = (...events: EventKind[]) =>
  events.reduce<Attempt>((attempt, event) => applyEvent(attempt, event, one, () => true)?.after ?? attempt, open);

describe('applyEvent', () => {
  it.each<[EventKind[], AttemptState, number, number]>([
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
  ])('an attempt after %j is %s', (events, state, used, taken) => {
    const attempt = after(...events);
    expect(attempt).toMatchObject({
      state,
      used: unitsOf({ lookupCached: used }),
      taken: unitsOf({ lookupCached: taken }),
    });
  });

  it('an attempt that was returned counts only while the allowance has enough units left', () => {
    const returned = after('return');
    expect(applyEvent(returned, 'count', one, () => false)).toMatchObject({
      kind: 'void',
      used: noUnits,
      taken: noUnits,
    });
    expect(applyEvent(returned, 'count', one, () => true)).toMatchObject({ kind: 'charge', used: one, taken: one });
  });

  it('an attempt frees the reserved units that its event does not bill', () => {
    const wide = attemptOf(identity, [], unitsOf({ lookupCached: 5 }));
    expect(applyEvent(wide, 'count', one, () => true)?.taken).toEqual(unitsOf({ lookupCached: -4 }));
  });

  it('an attempt is the same after it has been read back from its entries', () => {
    const transition = applyEvent(after('return'), 'count', one, () => true);
    const entries = [
      { kind: 'return' as const, units: noUnits },
      { kind: 'charge' as const, units: transition?.used ?? noUnits },
    ];
    expect(attemptOf(identity, entries, one)).toEqual(transition?.after);
  });
});
