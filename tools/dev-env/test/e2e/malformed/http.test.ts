import { createVisitor, type Visitor } from '@shopscope/browser/visitor';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultPageLimits } from '../../../../../services/dashboard/src/app/domain/page-limits.ts';
import { startIssuer } from '../../../../../services/dashboard/test/integration/support/issuer.ts';
import { type DevEnv, startDevEnv } from '../../../src/index.ts';
import { invite, password } from '../dashboard/people.ts';
import { allAdminPaths, contractNames, contractPaths, dashboardNames, dashboardPaths } from './listeners.ts';
import { malformedRequests, type Target } from './malformed-requests.ts';
import { type RawAnswer, type RawRequest, sendAll } from './raw-http.ts';

/**
 * Malformed and unusual requests for every route of every HTTP listener, as bytes. No response may be a 5xx, except 501
 * and 503 with Retry-After of the contract, because a 5xx alerts an operator. Every request gets a status. The
 * processes continue as before.
 */
const siteHost = 'public.shopscope.test';
const domain = 'northwind-tea.example';
const email = 'mal@example.com';

let env: DevEnv;
let issuer: Awaited<ReturnType<typeof startIssuer>>;
let visitor: Visitor;
let workspace: { workspaceId: string; secret: string; keyId: string };
let listId: string;
let webhookId: string;
const errors: unknown[] = [];
const lines: Record<string, unknown>[] = [];
const keepError = (error: unknown) => void errors.push(error);

beforeAll(async () => {
  process.on('unhandledRejection', keepError);
  issuer = await startIssuer();
  env = await startDevEnv({
    label: 'malformed',
    dashboard: true,
    search: true,
    logLevel: 'info',
    onLogLine: (line) => lines.push(line),
    // Each request has an address of its own, and the limits of the person are wide, so that limits refuse none of them.
    env: { PUBLIC_SITE_URL: `http://${siteHost}`, TRUSTED_PROXIES: '127.0.0.1' },
    envOf: (service) => ({
      ...(service === 'metering' && { DEVELOPMENT_CLOCK: 'true' }),
      ...(service === 'dashboard' && {
        OIDC_ISSUER: issuer.issuer,
        OIDC_CLIENT_ID: 'dashboard',
        OIDC_CLIENT_SECRET: 'secret',
        ...Object.fromEntries(Object.keys(defaultPageLimits).map((name) => [name, '1000000'])),
      }),
    }),
  });
  workspace = await env.createWorkspace({ name: 'Malformed' });
  webhookId = await createWebhook();
  const { workspaceId } = workspace;
  const plan = {
    slug: 'wide',
    rpm: 1_000_000,
    concurrency: 50,
    enrichBatchMax: 50,
    freshnessDays: 30,
    historyDays: 30,
  };
  const included = { lookupCached: 1_000_000, lookupLive: 10, historyQuery: 100_000, refreshRequested: 10 };
  await env.keys.putPlan({ plan: { ...plan, included, quotas: undefined }, actor: 'operator:test' });
  await env.keys.setWorkspacePlan({ workspaceId, planSlug: plan.slug, actor: 'operator:test' });
  visitor = createVisitor(env.dashboard?.url ?? '');
  const { pathname, search } = new URL(await invite(env, workspaceId, email, 'admin'));
  await visitor.submit(pathname + search, { name: 'Mal', password, intent: 'sign-up' });
  const list = { name: 'list', token: crypto.randomUUID() };
  const made = await visitor.submit(`/workspaces/${workspaceId}/lists/new`, list);
  listId = made.headers.get('location')?.split('/').at(-1) ?? '';
  expect(listId).not.toBe('');
});
afterAll(async () => {
  await env?.stop();
  await issuer?.stop();
  process.off('unhandledRejection', keepError);
});

/** Nothing listens at its URL. */
async function createWebhook(): Promise<string> {
  const response = await fetch(`${running('gateway')?.httpUrl}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${workspace.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'http://127.0.0.1:1/', event_types: ['scan.failed'] }),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

const running = (name: string) => env.services.find((service) => service.name === name);
const portOf = (url: string | undefined) => Number(new URL(url ?? '').port);
let sent = 0;
/** An address that no other request has. */
const from = () => {
  sent += 1;
  return `X-Forwarded-For: 10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`;
};

const mayBeAnswered = ({ status, headers }: RawAnswer, { has501 }: { has501: boolean }) =>
  (status > 0 && status < 500) || (status === 501 && has501) || (status === 503 && headers.has('retry-after'));

/**
 * `.ci/nightly` sends all requests to each target. Otherwise each target gets one of 32 parts of them, and its neighbors get the others. Of
 * many targets, each gets one of 64 parts.
 */
const sharesOf = (targets: readonly Target[]) =>
  process.env.SHOPSCOPE_NIGHTLY === 'true' ? 1 : targets.length > 50 ? 64 : 32;

/** The number of answers with a 5xx, including those that a busy machine has caused. */
let unanswered = 0;

/**
 * Sends everything to each target, and prints what came back. A request that gets a 5xx is sent again, alone, because a
 * call on a busy machine can end at its deadline.
 */
async function sweep(listener: string, port: number, targets: readonly Target[], options = { has501: false }) {
  const counts = new Map<number, number>();
  const unexpected: RawRequest[] = [];
  const shares = sharesOf(targets);
  // The share of one target is a few requests, so several targets get theirs at the same time.
  for (let first = 0; first < targets.length; first += shares) {
    const requests = targets
      .slice(first, first + shares)
      .flatMap((target, at) =>
        malformedRequests({ ...target, from }).filter((_, index) => (index + first + at) % shares === 0),
      );
    for (const { request, answer } of await sendAll(port, requests)) {
      counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
      if (!mayBeAnswered(answer, options)) unexpected.push(request);
    }
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const statuses = [...counts].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  console.info(`${listener}: ${total} malformed requests. ${statuses.join(', ')}`);
  const repeated = await sendAll(port, unexpected, 1);
  unanswered += unexpected.length + repeated.length;
  const reproduced = repeated.filter(({ answer }) => !mayBeAnswered(answer, options));
  expect(reproduced.map(({ request, answer }) => `${answer.status} to ${request.name}`)).toEqual([]);
  expect(total).toBeGreaterThan((targets.filter(({ isUnusual }) => !isUnusual).length * 75) / shares);
}

/** Fills the placeholders of a path, with the ids of existing objects if there are any. */
const filled = (path: string) =>
  path
    .replace(':workspaceId', workspace.workspaceId)
    .replace(':keyId', workspace.keyId)
    .replace(':listId', listId)
    .replace(/:domain|\{domain\}/, domain)
    .replace('{webhook_id}', webhookId)
    .replace(':operationId', 'getStore')
    .replace(':slug', 'shopify')
    .replace('/*', '/nowhere')
    .replace(/:\w+|\{\w+\}/g, 'x');

const unusualValues = ['__proto__', '%00', '%E0%A4', '%2F', '%E2%98%83', 'x'.repeat(3_000)];

/** A path as it is, and with unusual values of its placeholders. */
const variantsOf = (path: string) => [
  { path: filled(path) },
  ...(/:(?!workspaceId)|\{/.test(path) ? unusualValues : []).map((value) => ({
    path: filled(path.replaceAll(/:(?!workspaceId)\w+|\{\w+\}/g, value)),
    isUnusual: true,
  })),
];

const cookies = () => `Cookie: ${[...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')}`;

/** Forms that even a malformed request may execute: a new name of the workspace, and the end of the session. */
const ending = ['/workspaces/:workspaceId/settings/workspace', '/sign-out'];

describe('malformed requests to the dashboard', () => {
  const targets = (host: string, headers: readonly string[], paths = dashboardPaths()): Target[] => {
    const names = dashboardNames();
    const origin = `Origin: ${env.dashboard?.url}`;
    return paths.flatMap(variantsOf).map((path) => ({ ...path, host, headers: [origin, ...headers], names }));
  };
  const port = () => portOf(env.dashboard?.url);
  const host = () => `127.0.0.1:${port()}`;

  it('malformed requests to the dashboard are answered below 500 without a session', async () => {
    await sweep('dashboard, anonymous', port(), targets(host(), []));
  }, 600_000);

  it('malformed requests to the dashboard are answered below 500 with a session, and do not end it', async () => {
    const targetsOf = (paths: string[]) =>
      targets(host(), [cookies()], paths).map((target) => ({ ...target, isContentOnly: true }));
    const paths = dashboardPaths().filter((path) => !ending.includes(path));
    await sweep('dashboard, signed in', port(), targetsOf(paths));
    const overview = await visitor.get(`/workspaces/${workspace.workspaceId}`);
    expect(overview.status).toBe(200);
    for (const path of ending) await sweep(`dashboard, signed in, ${path}`, port(), targetsOf([path]));
  }, 600_000);

  it('malformed requests to the public pages are answered below 500', async () => {
    await sweep('public pages', port(), targets(siteHost, []));
  }, 600_000);

  it('malformed requests to /mcp with an API key are answered below 500', async () => {
    const headers = [`Authorization: Bearer ${workspace.secret}`, 'Accept: application/json, text/event-stream'];
    const names = ['jsonrpc', 'method', 'params', 'id'];
    await sweep('/mcp, with a key', port(), [{ host: host(), path: '/mcp', headers, names }]);
  });
});

describe('malformed requests to the API', () => {
  const targets = (port: number, key: string | undefined): Target[] => {
    const headers = key === undefined ? [] : [`Authorization: Bearer ${key}`];
    const names = contractNames();
    return contractPaths()
      .flatMap(variantsOf)
      .map((path) => ({ ...path, host: `127.0.0.1:${port}`, headers, names }));
  };

  /** Stores has replaced the key if it has been used since. */
  const dashboardKey = async () => {
    const by = { actor: 'operator:test', actorAddress: '' };
    const { workspaceId } = workspace;
    return (await env.keys.issueDashboardKey({ workspaceId, switchOn: false, ...by })).secret;
  };

  it.each([
    ['public listener, without a key', () => running('gateway')?.httpUrl, async () => undefined],
    ['public listener, with a key', () => running('gateway')?.httpUrl, async () => workspace.secret],
    ['internal listener, without a key', () => `http://${running('gateway')?.internalAddress}`, async () => undefined],
    ['internal listener, with a key', () => `http://${running('gateway')?.internalAddress}`, dashboardKey],
  ])(
    'malformed requests to the API are answered below 500 or with 501: %s',
    async (name, url, key) => {
      const port = portOf(url());
      await sweep(`API, ${name}`, port, targets(port, await key()), { has501: true });
    },
    600_000,
  );
});

describe('malformed requests to an admin port', () => {
  it('malformed requests to an admin port are answered below 500', async () => {
    for (const { name, adminUrl } of env.services) {
      const port = portOf(adminUrl);
      const targets = allAdminPaths().map(
        (path): Target => ({ host: `127.0.0.1:${port}`, path, headers: [], names: ['at'], bodyMethod: 'PUT' }),
      );
      await sweep(`admin port of ${name}`, port, targets);
    }
  }, 600_000);
});

describe('after all malformed requests', () => {
  it('every listener serves valid requests after all malformed requests', async () => {
    const gateway = running('gateway');
    const key = { headers: { authorization: `Bearer ${workspace.secret}` } };
    const answers = await Promise.all([
      fetch(`${env.dashboard?.url}/sign-in`),
      fetch(`${gateway?.httpUrl}/v1/account`, key),
      fetch(`http://${gateway?.internalAddress}/v1/health`),
      ...env.services.map(({ adminUrl }) => fetch(`${adminUrl}/readyz`)),
    ]);
    expect(answers.map(({ status, url }) => [status, url])).toEqual(answers.map(({ url }) => [200, url]));
  });

  it('malformed requests cause no unhandled rejection and no logged fault', () => {
    expect(errors).toEqual([]);
    const faults = lines.filter(({ level, service }) => level === 'error' && /dashboard|gateway/.test(String(service)));
    // A call that ended at its deadline has a line too.
    if (unanswered === 0) expect(faults).toEqual([]);
  });

  it('malformed requests count no fault of the service in the metrics of alerts', async () => {
    for (const name of ['dashboard', 'gateway']) {
      const text = await (await fetch(`${running(name)?.adminUrl}/metrics`)).text();
      const counted = text
        .split('\n')
        .filter((line) => /^(?:page_duration_seconds_count|mcp_messages|http_requests)/.test(line));
      expect(counted.some((line) => line.includes('fault="caller"'))).toBe(true);
      const faults = counted
        .filter((line) => line.includes('fault="service"'))
        .map((line) => Number(line.split(' ').at(-1)));
      expect(faults.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(unanswered);
    }
  });
});
