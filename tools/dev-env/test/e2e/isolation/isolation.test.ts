import { createGrpcClient, type GrpcClient, type UnaryDefinition } from '@shopscope/grpc';
import * as proto from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevEnv, startDevEnv } from '../../../src/index.ts';
import {
  describeMalformedMessages,
  type RecordedMessages,
  recordMessages,
} from '../malformed/describe-malformed-messages.ts';
import { describeHttp } from './describe-http.ts';
import { rpcRows } from './rpc-rows.ts';
import { createTenant, type Everything, everythingOf, expectUnchanged, type Tenant, tracesIn } from './tenant.ts';

let env: DevEnv;
let recorded: RecordedMessages;
beforeAll(async () => {
  recorded = recordMessages();
  env = await startDevEnv({ label: 'isolation', dashboard: true, search: true });
});
afterAll(async () => {
  recorded?.stop();
  await env?.stop();
});

describeHttp(() => env);

/**
 * Two workspaces and every RPC. An internal call names the workspace for which the gateway calls. In a call for workspace B
 * that contains ids of A, no service may return or change data of A. The matrix covers the generated
 * service definitions: a missing row fails.
 */
const definitions = Object.entries(proto)
  .filter(([name, value]) => name.endsWith('Service') && typeof value === 'object')
  .map(([, value]) => value as UnaryDefinition);
// A definition may also be exported as a variant with the same methods.
const methods = new Map(
  definitions.flatMap((definition) => Object.entries(definition)).map(([name, { path }]) => [path, name]),
);
const rpcs = [...methods].map(([path, method]) => {
  const service = path.slice(1, path.lastIndexOf('/'));
  return { rpc: `${service}/${method}`, path, service, method };
});

describe('the internal RPCs with two workspaces', () => {
  let profiles: GrpcClient<typeof proto.ProfilesServiceService>;
  let a: Tenant;
  let b: Tenant;

  beforeAll(async () => {
    const address = env.services.find(({ name }) => name === 'profiles')?.grpcAddress ?? '';
    profiles = createGrpcClient({ definition: proto.ProfilesServiceService, address });
    // Stores that nobody has asked for yet.
    const [, , one, two] = env.demoStores.domains.map(({ domain }) => domain) as [string, string, string, string];
    const limits = { rpm: 1_000, lookupCached: 1_000 };
    a = await createTenant(env, { name: 'gamma', limits, domain: one, lookUps: 5 });
    b = await createTenant(env, { name: 'delta', limits, domain: two, lookUps: 2 });
  });
  afterAll(() => profiles?.close());

  it('the isolation table has a row for every RPC, and an RPC for every row', () => {
    const listed = Object.entries(rpcRows).flatMap(([service, rows]) =>
      Object.keys(rows).map((method) => `${service}/${method}`),
    );
    expect(listed.sort()).toEqual(rpcs.map(({ rpc }) => rpc).sort());
  });

  /** What the other workspace had at the preceding comparison. */
  let before: Everything | undefined;
  /** `.ci/nightly` compares after each RPC, so that a finding names it. Otherwise the last RPC of a service stands for the service. */
  const isCompared = (path: string, service: string) => {
    const next = rpcs[rpcs.findIndex((each) => each.path === path) + 1];
    return process.env.SHOPSCOPE_NIGHTLY === 'true' || next?.service !== service;
  };
  it.each(rpcs)('$rpc returns and changes no data of the other workspace', async ({ path, service, method }) => {
    const row = rpcRows[service]?.[method];
    const expected = before ?? (await everythingOf(env, a));
    before = expected;
    const answers = await row?.ask({ env, profiles, own: b, other: a });
    if (!row?.showsEverybody) expect(tracesIn(answers ?? null, a)).toEqual([]);
    if (!isCompared(path, service)) return;
    await env.settle();
    before = await everythingOf(env, a);
    expectUnchanged(before, expected);
  });

  describeMalformedMessages(() => ({ asking: { env, profiles, own: b, other: a }, recorded }));
});
