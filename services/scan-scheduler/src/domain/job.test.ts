import { describe, expect, it } from 'vitest';
import { claimOutcome, jobStates, liveStates, moves, statesBefore } from './job.ts';

describe('job states', () => {
  it('an ended job never moves again', () => {
    for (const state of ['succeeded', 'failed', 'canceled'] as const) expect(moves[state]).toEqual([]);
    expect(liveStates).toEqual(['requested', 'queued', 'running']);
  });

  it('every live state leads to an end', () => {
    for (const start of liveStates) {
      const seen = new Set([start]);
      for (const state of seen) for (const next of moves[state]) seen.add(next);
      expect([...seen]).toEqual(expect.arrayContaining(['succeeded', 'failed']));
    }
  });

  it('a claim is queued before anything else becomes of it', () => {
    expect(moves.requested).toEqual(['queued']);
    expect(statesBefore('running')).toEqual(['queued']);
    expect(statesBefore('queued')).toEqual(['requested', 'running']);
    expect(statesBefore('succeeded')).toEqual(['queued', 'running']);
  });

  it('only queued and running jobs are joined; a claim belongs to its charge in every state', () => {
    for (const state of jobStates) expect(claimOutcome({ chargeId: 'a', state }, 'a')).toBe('claimed');
    expect(claimOutcome({ chargeId: 'a', state: 'requested' }, 'b')).toBe('pending');
    expect(claimOutcome({ chargeId: 'a', state: 'queued' }, 'b')).toBe('joined');
    expect(claimOutcome({ chargeId: 'a', state: 'running' }, 'b')).toBe('joined');
  });
});
