import { describe, expect, it } from 'vitest';
import { claimOutcome, jobStates, liveStates, statesLeadingTo, transitions } from './job.ts';

describe('job states', () => {
  it('an ended job never changes its state again', () => {
    for (const state of ['succeeded', 'failed', 'canceled'] as const) expect(transitions[state]).toEqual([]);
    expect(liveStates).toEqual(['requested', 'queued', 'running']);
  });

  it('every live state of a job leads to an end state', () => {
    for (const start of liveStates) {
      const seen = new Set([start]);
      for (const state of seen) for (const next of transitions[state]) seen.add(next);
      expect([...seen]).toEqual(expect.arrayContaining(['succeeded', 'failed']));
    }
  });

  it('a claim can only become queued or canceled', () => {
    expect(transitions.requested).toEqual(['queued', 'canceled']);
    expect(statesLeadingTo('running')).toEqual(['queued']);
    expect(statesLeadingTo('queued')).toEqual(['requested', 'running']);
    expect(statesLeadingTo('succeeded')).toEqual(['queued', 'running']);
  });

  it('another charge joins queued and running jobs only; the same charge has its claim in every state', () => {
    for (const state of jobStates) expect(claimOutcome({ chargeId: 'a', state }, 'a')).toBe('claimed');
    expect(claimOutcome({ chargeId: 'a', state: 'requested' }, 'b')).toBe('pending');
    expect(claimOutcome({ chargeId: 'a', state: 'queued' }, 'b')).toBe('joined');
    expect(claimOutcome({ chargeId: 'a', state: 'running' }, 'b')).toBe('joined');
  });
});
