import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { proxiedHost, startBehindProxy } from '../../client/test/behind-proxy.ts';
import { startProxy } from '../../client/test/proxy.ts';
import { json, startScriptedService } from '../../client/test/scripted-service.ts';

const main = new URL('./main.ts', import.meta.url).pathname;
const usage = { period: { starts_at: '', ends_at: '', included: {}, used: {} } };

async function run(args: string[], env: Record<string, string>) {
  const { NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, ['--conditions=@shopscope/source', main, ...args], {
    env: { SHOPSCOPE_API_KEY: 'svc_live_x', NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  const [code] = await once(child, 'close');
  return { code, out, err };
}

test.each(['HTTPS_PROXY', 'https_proxy'])(
  'a command of the CLI reaches the service through the proxy of %s',
  async (name) => {
    await using service = await startBehindProxy(() => usage);
    const { HTTPS_PROXY, ...env } = service.env;
    const { code, out } = await run(['usage', '--json'], {
      ...env,
      [name]: HTTPS_PROXY,
      SHOPSCOPE_BASE_URL: service.baseUrl,
    });
    expect([code, JSON.parse(out)]).toEqual([0, usage]);
    expect([service.asked, service.paths]).toEqual([[`CONNECT ${proxiedHost}:443`], ['/v1/usage']]);
  },
);

test('a command of the CLI calls a host of NO_PROXY without the proxy', async () => {
  await using service = await startScriptedService([json(200, usage)]);
  await using proxy = await startProxy({ port: 1 });
  const env = { HTTP_PROXY: proxy.url, NO_PROXY: 'internal.example,127.0.0.1', SHOPSCOPE_BASE_URL: service.url };
  expect(await run(['usage', '--json'], env)).toMatchObject({ code: 0 });
  expect([proxy.asked, service.received.length]).toEqual([[], 1]);
});

test('an invalid address of a proxy is refused with a sentence', async () => {
  const { code, err } = await run(['usage'], {
    HTTPS_PROXY: 'not an address',
    SHOPSCOPE_BASE_URL: 'https://api.example.com',
  });
  expect(code).toBe(2);
  expect(err).toBe('shopscope: HTTPS_PROXY or HTTP_PROXY is not an address of a proxy.\n');
});

test('a key with a byte order mark or quotes is refused, and the message names the character', async () => {
  const env = { SHOPSCOPE_BASE_URL: 'http://127.0.0.1:1' };
  for (const [key, point] of [
    ['\uFEFFsvc_live_x', 'U+FEFF'],
    ['"svc_live_x"', 'U+0022'],
  ] as const) {
    const { code, err } = await run(['usage'], { ...env, SHOPSCOPE_API_KEY: key });
    expect(code).toBe(2);
    expect(err).toContain(point);
    expect(err).not.toContain('svc_live');
  }
});
