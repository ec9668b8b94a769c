import { describe, expect, it } from 'vitest';
import { type ChainedEntry, type ChainHead, chained, emptyChain, startChainCheck } from './audit-chain.ts';
import type { AuditEntry } from './audit-entry.ts';

const entry = (n: number): AuditEntry => ({
  id: `aud_${n}`,
  workspaceId: 'ws_1',
  actor: 'usr_1',
  actorName: 'Ann',
  actorEmail: 'ann@acme.example',
  actorAddress: '192.0.2.1',
  action: 'key.created',
  subjectId: `key_${n}`,
  subjectName: 'Bee',
  subjectEmail: 'bee@acme.example',
  detail: 'ci',
  at: new Date(n * 1_000),
});

function chainOf(count: number): ChainedEntry[] {
  const chain: ChainedEntry[] = [];
  for (let n = 1; n <= count; n++) chain.push(chained(chain.at(-1) ?? emptyChain, entry(n)));
  return chain;
}

const chain = chainOf(5);
const [first, second, third, fourth, fifth] = chain as [
  ChainedEntry,
  ChainedEntry,
  ChainedEntry,
  ChainedEntry,
  ChainedEntry,
];

/** The first fault of these entries, whose head is that of the whole chain unless another one is given. */
function faultOf(entries: readonly ChainedEntry[], head: ChainHead = fifth) {
  const check = startChainCheck();
  for (const each of entries) {
    const fault = check.next(each);
    if (fault) return fault;
  }
  return check.end(head);
}

describe('startChainCheck', () => {
  it('a chain of audit entries has sequences from 1 on and no fault when nobody changed it', () => {
    expect(chain.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
    expect(faultOf(chain)).toBeUndefined();
    expect(faultOf([], emptyChain)).toBeUndefined();
  });

  it.each<[string, Partial<AuditEntry>]>([
    ['id', { id: 'aud_9' }],
    ['workspace', { workspaceId: 'ws_2' }],
    ['actor', { actor: 'usr_2' }],
    ['name of the actor', { actorName: 'Admin' }],
    ['mail address of the actor', { actorEmail: 'admin@acme.example' }],
    ['network address', { actorAddress: '' }],
    ['action', { action: 'key.revoked' }],
    ['subject', { subjectId: 'key_9' }],
    ['name of the subject', { subjectName: '' }],
    ['mail address of the subject', { subjectEmail: '' }],
    ['detail', { detail: 'c' }],
    ['time', { at: new Date(3_001) }],
  ])('the check of an audit chain shows an entry whose %s was changed', (_, change) => {
    expect(faultOf([first, second, { ...third, ...change }, fourth, fifth])).toEqual({ sequence: 3, fault: 'changed' });
  });

  it('the check of an audit chain shows text that was moved from one member to the next', () => {
    const moved = { ...third, subjectId: `${third.subjectId}c`, detail: 'i' };
    expect(faultOf([first, second, moved, fourth, fifth])).toEqual({ sequence: 3, fault: 'changed' });
  });

  it('the check of an audit chain shows a changed entry with a new hash of its own, at the next entry or at the head', () => {
    const changed = (of: ChainedEntry, before: ChainedEntry) => chained(before, { ...of, actor: 'usr_2' });
    const inTheMiddle = [first, second, changed(third, second), fourth, fifth];
    expect(faultOf(inTheMiddle)).toEqual({ sequence: 4, fault: 'changed' });
    expect(faultOf([first, second, third, fourth, changed(fifth, fourth)])).toEqual({ sequence: 5, fault: 'changed' });
  });

  it('the check of an audit chain shows missing entries at the beginning, in the middle and at the end', () => {
    expect(faultOf([second, third, fourth, fifth])).toEqual({ sequence: 1, fault: 'missing' });
    expect(faultOf([first, second, fifth])).toEqual({ sequence: 3, fault: 'missing' });
    expect(faultOf([first, second, third])).toEqual({ sequence: 4, fault: 'head' });
    expect(faultOf([])).toEqual({ sequence: 1, fault: 'head' });
  });

  it('the check of an audit chain shows entries after the head, and a head that is missing', () => {
    expect(faultOf(chain, third)).toEqual({ sequence: 4, fault: 'head' });
    expect(faultOf(chain, emptyChain)).toEqual({ sequence: 1, fault: 'head' });
  });

  it('the check of an audit chain shows entries in another order, repeated entries and invalid sequences', () => {
    expect(faultOf([first, third, second, fourth, fifth])).toEqual({ sequence: 2, fault: 'missing' });
    expect(faultOf([first, second, second, third])).toEqual({ sequence: 3, fault: 'changed' });
    expect(faultOf([first, { ...second, sequence: 1.5 }])).toEqual({ sequence: 2, fault: 'changed' });
    expect(faultOf([first, { ...second, sequence: Number.NaN }])).toEqual({ sequence: 2, fault: 'changed' });
  });
});
