import { describe, expect, it } from 'vitest';
import { requestTargetOf } from './admit-request.ts';

const targetOf = (host: string) => requestTargetOf({ host, addresses: ['203.0.113.7'] });

describe('the target of a request', () => {
  it.each([
    ['www.victim.com', 'victim.com'],
    ['a_b.victim.com', 'victim.com'],
    ['-x.victim.com', 'victim.com'],
    ['A_B.Victim.co.uk.', 'victim.co.uk'],
    ['victim.com.', 'victim.com'],
    ['a_b.somebody.github.io', 'somebody.github.io'],
    ['github.io', 'github.io'],
    ['localhost', 'localhost'],
    ['203.0.113.7', '203.0.113.7'],
  ])('the target of a request is the registrable domain of any host that DNS knows: %s', (host, domain) => {
    expect(targetOf(host).domain).toBe(domain);
  });

  it('the target of a request may have a host of 253 characters and a trailing dot', () => {
    const longest = `${'a'.repeat(49)}.${'b.'.repeat(96)}victim.com`;
    expect(longest).toHaveLength(252);
    expect(targetOf(`x${longest}.`)).toMatchObject({ host: `x${longest}`, domain: 'victim.com' });
    expect(() => targetOf(`xx${longest}`)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });
});
