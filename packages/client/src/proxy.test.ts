import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { proxiedHost, startBehindProxy } from '../test/behind-proxy.ts';

test('the lines on proxies in the README of the client reach the service through the proxy of the environment', async () => {
  await using service = await startBehindProxy(() => ({ store: { name: 'Shop' } }));
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, lines = ''] = /## Behind a proxy\n+```ts\n(.*?)```/s.exec(readme) ?? [];
  const client = new URL('./index.ts', import.meta.url).href;
  const program = `${lines}
import { createClient } from '${client}';
const { SHOPSCOPE_API_KEY: apiKey, SHOPSCOPE_BASE_URL: baseUrl } = process.env;
const shopscope = createClient({ apiKey, baseUrl });
console.log((await shopscope.getStore('shop.example')).store.name);`;
  const env = { ...service.env, SHOPSCOPE_API_KEY: 'svc_live_x', SHOPSCOPE_BASE_URL: service.baseUrl };
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  await once(child, 'close');
  expect(out).toBe('Shop\n');
  expect([service.asked, service.paths]).toEqual([[`CONNECT ${proxiedHost}:443`], ['/v1/stores/shop.example']]);
});
