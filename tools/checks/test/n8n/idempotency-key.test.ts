import { describe, expect, it } from 'vitest';
import { idempotencyKey } from '../../../../packages/n8n-nodes-shopscope/nodes/shared/idempotency-key.ts';

const identity = {
  seed: '4711',
  workflowId: 'wf1',
  nodeName: 'Shopscope',
  runIndex: 0,
  step: 'enrich-0',
  body: { domains: ['a.example'] },
};

describe('the Idempotency-Key of a request', () => {
  it('an equal request gets an equal key, of a length that the API takes', () => {
    const key = idempotencyKey(identity);
    expect(idempotencyKey(structuredClone(identity))).toBe(key);
    expect(key).toMatch(/^[a-z0-9-]{8,128}$/);
  });

  it.each([
    { seed: '4712' },
    { workflowId: 'wf2' },
    { nodeName: 'Shopscope1' },
    { runIndex: 1 },
    { step: 'enrich-100' },
    { body: { domains: ['b.example'] } },
  ])('a request that differs by %j gets another key', (difference) => {
    expect(idempotencyKey({ ...identity, ...difference })).not.toBe(idempotencyKey(identity));
  });
});
