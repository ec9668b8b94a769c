import { newId } from '@shopscope/ids';
import { ScanUnit } from '@shopscope/proto';
import type { DevEnv } from './dev-env.ts';

/** Domains of a request under an Idempotency-Key. */
const keyedBatch = 10;
const by = { actor: 'operator:test', actorAddress: '' };

/**
 * Uses every part of the system once, so that each collection, topic and key space that a running system fills has data: scans,
 * billed and free requests, refused and revoked keys, and a person with a session. Needs an environment with the dashboard.
 */
export async function driveTraffic(env: DevEnv): Promise<void> {
  const { plans } = await env.keys.listPlans({});
  const scale = plans.find(({ slug }) => slug === 'scale');
  if (!scale) throw new Error('there is no plan scale');
  await env.keys.putPlan({ plan: { ...scale, slug: 'always_stale', freshnessDays: 0 }, actor: by.actor });
  const { workspaceId, secret } = await env.createWorkspace({ plan: 'always_stale' });
  const api = env.apiUrls[0] ?? '';
  const ask = async (path: string, key: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(api + path, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    await response.arrayBuffer();
    return response.status;
  };
  const domains = env.demoStores.domains.map(({ domain }) => domain);
  await ask('/v1/stores/enrich', secret, { domains, refresh: true });
  await env.settle();
  // A store that changes has a signal after its next scan.
  const [changing] = env.demoStores.domains.filter(({ platform }) => platform === 'shopify');
  if (!changing) throw new Error('there is no demo store on shopify');
  env.demoStores.setApps(changing.domain, { add: ['gorgias'] });
  await ask('/v1/stores/enrich', secret, { domains: [changing.domain], refresh: true });
  await env.settle();
  for (let n = 0; n < domains.length; n += keyedBatch) {
    const headers = { 'idempotency-key': `traffic-batch-${n}` };
    await ask('/v1/stores/enrich', secret, { domains: domains.slice(n, n + keyedBatch) }, headers);
  }
  await Promise.all(domains.map((domain) => ask(`/v1/stores/${domain}`, secret)));
  await ask('/v1/account', `${secret.slice(0, -1)}x`);
  await cancelScan(env, workspaceId);

  const request = { ...by, workspaceId, label: 'revoked', preset: 'full', scopes: [], expiresAtMs: undefined };
  const { key } = await env.keys.createKey({ ...request, requestToken: 'traffic-request-token' });
  await env.keys.revokeKey({ ...by, workspaceId, keyId: key?.id ?? '' });
  await signUp(env, workspaceId);
  await env.settle();
}

/** A job that is canceled before its request arrives, so that no scanner can be faster. */
async function cancelScan({ scans }: DevEnv, workspaceId: string): Promise<void> {
  const [chargeId, domain] = [newId('chg'), 'canceled.example'];
  const charge = { workspaceId, chargeId, unit: ScanUnit.LOOKUP_LIVE };
  const { claims } = await scans.claimScans({ ...charge, domains: [domain] });
  const jobId = claims[0]?.jobId ?? '';
  await scans.cancelJob({ workspaceId, jobId });
  await scans.requestScans({ requests: [{ ...charge, jobId, domain, requestedAtMs: Date.now() }] });
}

/** A person accepts an invitation, somebody tries a wrong password, and a link for a new one is mailed. */
async function signUp(env: DevEnv, workspaceId: string): Promise<void> {
  const { dashboard } = env;
  if (!dashboard) throw new Error('the environment has no dashboard');
  const email = 'ann@example.com';
  const { url } = await dashboard.client.invitePerson({ workspaceId, email, role: 'admin', actor: by.actor });
  const submit = (to: string, fields: Record<string, string>) =>
    fetch(to, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: dashboard.url },
      body: new URLSearchParams(fields),
    });
  const joined = await submit(url, { intent: 'sign-up', name: 'Ann', password: 'correct horse battery staple' });
  if (joined.status !== 302) throw new Error(`the invitation responded with ${joined.status}`);
  await submit(`${dashboard.url}/sign-in`, { email, password: 'a wrong password' });
  await submit(`${dashboard.url}/forgot-password`, { email });
}
