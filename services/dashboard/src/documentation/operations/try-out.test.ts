import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { keyVisit, withDashboardKeys } from '../../../test/integration/support/dashboard-key.ts';
import type { GatewayCall } from '../../app/outbound/gateway.ts';
import type { Openapi } from '../domain/openapi.ts';
import { familiesOf, type Operation } from '../domain/reference.ts';
import { send as tryOut } from './try-out.ts';

const contract = JSON.parse(
  readFileSync(new URL('../../../../../docs/openapi.json', import.meta.url), 'utf8'),
) as Openapi;
const operation = (id: string) =>
  familiesOf(contract)
    .flatMap((family) => family.operations)
    .find((each) => each.id === id) as Operation;

const confirmed = { token: 'a-token-of-a-form', isConfirmed: true };

/** Gateways that answer the secrets with these statuses. */
function setUp(statuses: Record<string, number>) {
  const sent: GatewayCall[] = [];
  const gateway = {
    async call(request: GatewayCall) {
      sent.push(request);
      return { status: statuses[request.secret] ?? 500, headers: {}, text: '{"a":1}' } as const;
    },
  };
  const { deps, issued } = withDashboardKeys(['old', 'new'], { gateway: gateway as never });
  const send = (id: string, body = '') =>
    tryOut(deps, keyVisit, operation(id), {
      ...confirmed,
      typed: (name) => ({ body, parameter_domain: 'a.example' })[name] ?? '',
    });
  return { send, sent, renewals: () => issued() - 1 };
}

describe('try-out', () => {
  it('a tried operation replaces a key of an earlier version that lacks the scope, once', async () => {
    const { send, sent, renewals } = setUp({ old: 403, new: 200 });
    expect((await send('listJobs')).status).toBe(200);
    expect(sent.map(({ secret }) => secret)).toEqual(['old', 'new']);
    expect(renewals()).toBe(1);
  });

  it('a tried operation shows the refusal of a new key, and asks no third time', async () => {
    const { send, sent, renewals } = setUp({ old: 403, new: 403 });
    expect((await send('listJobs')).status).toBe(403);
    expect([sent.length, renewals()]).toEqual([2, 1]);
  });

  it('a tried operation shows every other status as it is', async () => {
    for (const status of [200, 400, 402, 404, 409, 429, 500, 503]) {
      const { send, renewals } = setUp({ old: status });
      expect((await send('getStore')).status).toBe(status);
      expect(renewals()).toBe(0);
    }
  });

  it('a tried POST has an Idempotency-Key of form, workspace and request, and a tried GET has none', async () => {
    const { send, sent } = setUp({ old: 200 });
    for (const body of ['{"domains":[]}', '{"domains":[]}', '{}']) await send('enrichStores', body);
    await send('getStore');
    const [first, again, other, get] = sent.map(({ idempotencyKey }) => idempotencyKey);
    expect(first).toMatch(/^[\w-]{8,128}$/);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    expect(get).toBeUndefined();
  });
});
