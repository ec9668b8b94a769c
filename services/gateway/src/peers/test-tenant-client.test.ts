import { createDeadline } from '@shopscope/async';
import { AppError } from '@shopscope/errors';
import { describe, expect, it } from 'vitest';
import { createTestTenantClient } from './test-tenant-client.ts';

const origin = { requestId: 'req_1', traceparent: '', environment: 'test' as const };

/** Services whose resets each last one turn of the event loop. `failing` names the reset that fails. */
function setUp(failing?: string) {
  const steps: string[] = [];
  const reset = (name: string) => async () => {
    steps.push(name);
    await new Promise(setImmediate);
    if (name === failing) throw new AppError('not_found', `${name} fails`);
    steps.push(`${name} done`);
    return {};
  };
  const services = {
    profiles: { resetTestStores: reset('profiles') },
    metering: { resetTestAllowances: reset('metering'), setTestAllowance: reset('allowance') },
    scheduler: { resetTestScans: reset('scans') },
    subscriptions: { resetTestWorkspace: reset('subscriptions'), appendTestEvent: reset('event') },
    webhooks: { resetTestEndpoints: reset('webhooks') },
  } as unknown as Parameters<typeof createTestTenantClient>[0];
  const client = createTestTenantClient(services);
  return { steps, reset: () => client.reset('ws_1', { origin, deadline: createDeadline(5_000) }) };
}

const others = ['profiles', 'metering', 'webhooks'];

describe('reset of the test tenant', () => {
  it('subscriptions is reset before the scans, and both before the other services, because subscriptions requests scans', async () => {
    const { steps, reset } = setUp();
    await reset();
    expect(steps.slice(0, 4)).toEqual(['subscriptions', 'subscriptions done', 'scans', 'scans done']);
    const last = [...others, 'subscriptions'];
    expect(steps.slice(4).toSorted()).toEqual([...last, ...last.map((name) => `${name} done`)].toSorted());
  });

  it.each(['subscriptions', 'scans', ...others])(
    'a reset that fails in %s resets the other services, and rejects',
    async (failing) => {
      const { steps, reset } = setUp(failing);
      await expect(reset()).rejects.toThrow(`${failing} fails`);
      const done = ['subscriptions', 'scans', ...others]
        .filter((name) => name !== failing)
        .map((name) => `${name} done`);
      expect(steps).toEqual(expect.arrayContaining(done));
    },
  );
});
