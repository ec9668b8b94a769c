import { type DevEnv, startDevEnv } from '@shopscope/dev-env';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../src/setup/config.ts';
import { setUp } from '../src/setup/set-up.ts';

let env: DevEnv;
beforeAll(async () => {
  env = await startDevEnv({ label: 'setup' });
});
afterAll(() => env.stop());

async function run(corpus: 'demo' | 'empty'): Promise<string> {
  const [apiUrl = ''] = env.apiUrls;
  const config = loadConfig({
    KEYS_ADDRESS: 'keys:1',
    SCAN_SCHEDULER_ADDRESS: 'scan-scheduler:1',
    API_URL: apiUrl,
    PUBLIC_API_URL: apiUrl,
    SHOPSCOPE_CORPUS: corpus,
    DEMO_STORES_URL: env.demoStores.url,
  });
  const lines: string[] = [];
  await setUp({ config, keys: env.keys, scheduler: env.scans, nowMs: Date.now, say: (line) => lines.push(line) });
  return lines.join('\n');
}
const get = (path: string, secret: string) =>
  fetch(`${env.apiUrls[0]}${path}`, { headers: { authorization: `Bearer ${secret}` } });

it('the setup gives a new installation one working key and a demo corpus, and a second run changes neither', async () => {
  const first = await run('empty');
  const secret = /svc_live_\w{40}/.exec(first)?.[0] ?? '';
  expect((await get('/v1/account', secret)).status).toBe(200);
  expect((await get('/v1/stores/northwind-tea.example', secret)).status).toBe(404);

  const filled = await run('demo');
  expect(filled).not.toContain(secret);
  expect(filled).toMatch(/was printed when it was created/);
  expect((await get('/v1/stores/northwind-tea.example', secret)).status).toBe(200);

  expect(await run('demo')).toMatch(/demo corpus is ready/);
  const { workspaces } = await env.keys.listWorkspaces({ afterId: '', limit: 200 });
  expect(workspaces.map(({ name }) => name).sort()).toEqual(['Demo corpus', 'First workspace']);
  for (const { id, name } of workspaces) {
    const { keys } = await env.keys.listKeys({ workspaceId: id, includeInactive: false });
    expect(keys.map(({ label }) => label)).toEqual(name === 'First workspace' ? ['first key'] : []);
  }
});

it('the setup names every variable that is missing or wrong', () => {
  expect(() => loadConfig({ SHOPSCOPE_CORPUS: 'some', API_URL: 'gateway' })).toThrow(
    /KEYS_ADDRESS.*API_URL.*SHOPSCOPE_CORPUS: must be demo or empty/s,
  );
  expect(() => loadConfig({ SHOPSCOPE_CORPUS: 'demo' })).toThrow(/DEMO_STORES_URL: is required/);
});
