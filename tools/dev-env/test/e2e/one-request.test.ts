import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createGrpcClient } from '@shopscope/grpc';
import { ProfilesServiceService } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevEnv, startDevEnv } from '../../src/index.ts';
import { type ApiClient, apiClient } from './client.ts';

/** Answers "What happened to request X?" with its log lines in all services, found by its id, on real servers. */
describe('log lines with one request id', () => {
  let env: DevEnv;
  let api: ApiClient;
  let domain: string;
  const lines: Record<string, unknown>[] = [];

  const newRequestId = () => `trace-${randomBytes(6).toString('hex')}`;
  /** All lines that contain the id at any depth, as an operator finds them. */
  const linesOf = (requestId: string) => lines.filter((line) => JSON.stringify(line).includes(`"${requestId}"`));
  const heads = (requestId: string) =>
    linesOf(requestId).map(({ service, level, msg }) => `${service} ${level}: ${msg}`);
  const lineOf = (requestId: string, service: string, msg: string) =>
    linesOf(requestId).find((line) => line.service === service && line.msg === msg);

  beforeAll(async () => {
    env = await startDevEnv({
      label: 'lines',
      tls: true,
      logLevel: 'info',
      // This line exists once per billed request. At the level info it would double the log.
      envOf: (service): Record<string, string> => (service === 'metering' ? { LOG_LEVEL: 'debug' } : {}),
      onLogLine: (line) => lines.push(line),
    });
    const { plans } = await env.keys.listPlans({});
    const free = plans.find((plan) => plan.slug === 'free');
    if (!free?.included) throw new Error('there is no plan free');
    const noScans = { ...free, slug: 'no_scans', included: { ...free.included, lookupLive: 0 } };
    await env.keys.putPlan({ plan: noScans, actor: 'operator:test' });
    api = apiClient(env.apiUrls[0] as string, (await env.createWorkspace()).secret);
    domain = env.demoStores.domains.find((store) => store.platform === 'shopify')?.domain ?? '';
  });
  afterAll(() => env?.stop());

  it('the log lines with one request id show a scan and its environment from the HTTP request to the last consumer', async () => {
    const requestId = newRequestId();
    const answer = await api.enrich({ domains: [domain], refresh: true }, { 'x-request-id': requestId });
    const { scan_job_id: jobId } = answer.body.results[0];
    await env.settle();
    for (const head of [
      'gateway info: request',
      'metering debug: call answered',
      'metering debug: usage recorded',
      'scan-scheduler info: scan queued',
      'scan-scheduler info: scan leased',
      'scanner info: scan done',
      'profiles info: observation merged',
      'scan-scheduler info: scan succeeded',
    ]) {
      expect(heads(requestId).filter((each) => each === head)).toEqual([head]);
    }
    // Every service knows the environment of the caller, up to the last consumer.
    expect(linesOf(requestId).filter(({ environment }) => environment !== 'live')).toEqual([]);
    const request = lineOf(requestId, 'gateway', 'request');
    expect(request).toMatchObject({ status: 200, units: { lookup_live: 1 }, chargeId: expect.stringMatching(/^chg_/) });
    const { chargeId } = request as { chargeId: string };
    expect(lineOf(requestId, 'metering', 'usage recorded')).toMatchObject({ chargeId });
    expect(lineOf(requestId, 'scan-scheduler', 'scan queued')).toMatchObject({ chargeId, jobId, domain });
    const { scanId } = lineOf(requestId, 'scan-scheduler', 'scan queued') as { scanId: string };
    for (const service of ['profiles', 'scanner']) {
      expect(linesOf(requestId).filter((line) => line.service === service)).toMatchObject([{ scanId, domain }]);
    }
  });

  it('a log line shows what a look-up billed and that a replay billed nothing, and an unbilled read has none', async () => {
    const [lookUp, first, replay, free] = Array.from({ length: 4 }, newRequestId) as [string, string, string, string];
    await api.get(`/v1/stores/${domain}`, { 'x-request-id': lookUp });
    const key = newRequestId();
    for (const requestId of [first, replay]) {
      await api.enrich({ domains: [domain] }, { 'x-request-id': requestId, 'idempotency-key': key });
    }
    await api.get('/v1/account', { 'x-request-id': free });
    await env.settle();
    const gateway = (requestId: string) => linesOf(requestId).filter(({ service }) => service === 'gateway');
    expect(gateway(lookUp)).toMatchObject([{ operation: 'getStore', status: 200, units: { lookup_cached: 1 } }]);
    expect(gateway(first)).toMatchObject([{ operation: 'enrichStores', units: { lookup_cached: 1 } }]);
    const { chargeId } = gateway(first)[0] as { chargeId: string };
    expect(gateway(replay)).toMatchObject([{ earlier: 'replayed', chargeId }]);
    expect(gateway(replay)[0]).not.toHaveProperty('units');
    expect(gateway(free)).toEqual([]);
  });

  it('the log lines with one request id show which service refused a charge, and which unit was exhausted', async () => {
    const requestId = newRequestId();
    const { secret, workspaceId, keyId } = await env.createWorkspace({ plan: 'no_scans' });
    const headers = { 'x-request-id': requestId };
    const answer = await apiClient(env.apiUrls[0] as string, secret).enrich(
      { domains: ['never-seen.example'], refresh: true },
      headers,
    );
    expect(answer.status).toBe(402);
    await env.settle();
    const request = lineOf(requestId, 'gateway', 'request');
    expect(request).toMatchObject({ level: 'info', status: 402, code: 'payment_required', workspaceId, keyId });
    expect(request).not.toHaveProperty('units');
    const { chargeId } = request as { chargeId: string };
    const refused = { level: 'info', chargeId, workspaceId, keyId, outcome: 'exhausted', unit: 'lookup_live' };
    expect(lineOf(requestId, 'metering', 'charge refused')).toMatchObject(refused);
  });

  it('a log line shows a call that a service refused because of its content or of its caller', async () => {
    const address = env.services.find(({ name }) => name === 'profiles')?.grpcAddress ?? '';
    const call = async (peer: 'gateway' | 'scanner', domains: string[]) => {
      const requestId = newRequestId();
      const security = env.tls.as(peer).towards('profiles');
      const client = createGrpcClient({ definition: ProfilesServiceService, address, security });
      const origin = { requestId, traceparent: '', environment: 'live' as const };
      await expect(client.getStores({ domains }, { origin })).rejects.toThrow();
      client.close();
      return requestId;
    };
    const tooMany = await call(
      'gateway',
      Array.from({ length: 101 }, (_, n) => `shop-${n}.example`),
    );
    expect(linesOf(tooMany)).toMatchObject([
      { service: 'profiles', level: 'info', msg: 'call refused', code: 'invalid_request' },
    ]);
    const foreign = await call('scanner', [domain]);
    expect(linesOf(foreign)).toMatchObject([
      { service: 'profiles', level: 'warn', msg: 'call refused', peer: 'scanner' },
    ]);
  });

  it('a log line shows an invalid HTTP request under the request id of its response', async () => {
    const { hostname, port } = new URL(env.apiUrls[0] as string);
    const socket = connect(Number(port), hostname);
    socket.end('NOT HTTP AT ALL\r\n\r\n');
    const [answer] = await once(socket, 'data');
    const requestId = /X-Request-Id: (\S+)/i.exec(String(answer))?.[1] ?? '';
    expect(linesOf(requestId)).toMatchObject([
      { service: 'gateway', level: 'info', status: 400, parser: expect.stringMatching(/^HPE_/) },
    ]);
  });
});
