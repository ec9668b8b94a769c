import type { components } from './api.gen.ts';
import type { Requests } from './requests.ts';
import type { PostOptions } from './send.ts';

type Schemas = components['schemas'];

/** Operations of keys of the test tenant (svc_test_). They are free. With a live key they throw ApiError `not_found`. */
export interface TestTenantOperations {
  /** Restores the stores, the usage and the allowance of the workspace in the test tenant, and removes its jobs, lists, events and webhooks. */
  resetTestTenant(options?: PostOptions): Promise<Schemas['TestReset']>;
  /** Appends an event of any type, which webhooks of the test tenant receive. `data` replaces members of the type's example. */
  appendTestEvent(event: Schemas['TestEventRequest'], options?: PostOptions): Promise<Schemas['TestEvent']>;
  /** Sets what is left of the named units in this period. Other units stay. */
  setTestAllowance(allowance: Schemas['TestAllowanceRequest'], options?: PostOptions): Promise<Schemas['Period']>;
}

export const createTestTenantOperations = ({ post }: Requests): TestTenantOperations => ({
  resetTestTenant: (options) => post('/v1/test/reset', undefined, options),
  appendTestEvent: (body, options) => post('/v1/test/events', body, options),
  setTestAllowance: (body, options) => post('/v1/test/allowance', body, options),
});
