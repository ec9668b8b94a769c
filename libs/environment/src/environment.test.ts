import { describe, expect, it } from 'vitest';
import {
  type AnyTenant,
  type Environment,
  type Handles,
  inEnvironment,
  nameIn,
  parseEnvironment,
  type Tenant,
} from './index.ts';

interface Lists<E extends Environment> extends Handles<E> {
  count(tenant: Tenant<E>): string;
}

const listsOf = <E extends Environment>(environment: E): Lists<E> => ({
  environment,
  count: (tenant) => `${environment}: ${tenant.workspaceId}`,
});
const parts: { [E in Environment]: Lists<E> } = { live: listsOf('live'), test: listsOf('test') };
const tenantOf = (environment: Environment): AnyTenant => ({ workspaceId: 'ws_1', environment });

describe('environment', () => {
  it('a tenant reaches only the part of its own environment', () => {
    const count = (environment: Environment) =>
      inEnvironment(parts, tenantOf(environment), (lists, tenant) => lists.count(tenant));
    expect(count('live')).toBe('live: ws_1');
    expect(count('test')).toBe('test: ws_1');
  });

  it('code of one environment cannot be given a tenant or a part of the other one: it does not compile', () => {
    const live: Tenant<'live'> = { workspaceId: 'ws_1', environment: 'live' };
    const test: Tenant<'test'> = { workspaceId: 'ws_1', environment: 'test' };
    parts.live.count(live);
    // @ts-expect-error a test tenant and a live collection
    parts.live.count(test);
    // @ts-expect-error an environment that is not known and a live collection
    parts.live.count(tenantOf('live'));
    // @ts-expect-error a test collection in place of a live one
    const wrong: Lists<'live'> = parts.test;
    // @ts-expect-error a live collection in place of a collection of any environment
    const any: Lists<Environment> = parts.live;
    expect([wrong.environment, any.environment]).toEqual(['test', 'live']);
  });

  it('an environment is parsed as live, test, null for an empty text, or undefined for an unknown text', () => {
    expect(['live', 'test', '', 'Live', 'staging'].map(parseEnvironment)).toEqual([
      'live',
      'test',
      null,
      undefined,
      undefined,
    ]);
  });

  it('test data has names of its own', () => {
    expect(nameIn('live', 'lists', '_')).toBe('lists');
    expect(nameIn('test', 'lists', '_')).toBe('test_lists');
    expect(nameIn('test', 'workspace-events.v1', '-')).toBe('test-workspace-events.v1');
  });
});
