import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeTestHosts } from '@shopscope/demo-stores';
import { type DevEnv, startDevEnv } from '@shopscope/dev-env';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findPython, type Python } from './python.ts';

/** Both Python clients against the running service: tests/test_service.py. By day, the TypeScript client does the same, and the Python
 * clients call a scripted service. */
const found = findPython();
const python = found as Python;
const kinds = ['sync', 'async'];

describe('Python client and the service', { tags: ['nightly'] }, () => {
  const directory = mkdtempSync(join(tmpdir(), 'client-python-'));
  const unknown = Array.from({ length: 120 }, (_, n) => `unknown-shop-${n}.example`);
  let env: DevEnv;

  beforeEach(({ skip }) => skip(typeof found === 'string', String(found)));
  beforeAll(async () => {
    if (typeof found === 'string') return;
    // Nothing listens there, so scans of these stores end soon.
    const hosts = unknown.map((domain) => [domain, { address: '127.0.0.1', port: 1, tls: false }]);
    const hostsFile = join(directory, 'scan-hosts.json');
    await writeTestHosts(hostsFile, Object.fromEntries(hosts));
    env = await startDevEnv({
      label: 'client-python',
      envOf: (service): Record<string, string> => (service === 'scanner' ? { SHOPSCOPE_SCAN_HOSTS: hostsFile } : {}),
    });
  });
  afterAll(async () => {
    await env?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  test('the Python client and the service agree, also behind a proxy that fails, and the usage is what the responses billed', async () => {
    const baseUrl = env.apiUrls[0] as string;
    const keys: Record<string, string> = {};
    const keyOf = async (options: Parameters<DevEnv['createWorkspace']>[0]) =>
      (await env.createWorkspace({ plan: 'scale', ...options })).secret;
    for (const kind of kinds) {
      for (const name of ['main', 'replay', 'proxy']) keys[`${name}-${kind}`] = await keyOf({});
      keys[`reader-${kind}`] = await keyOf({ preset: 'read_only' });
      keys[`free-${kind}`] = await keyOf({ plan: 'free' });
    }
    const report = join(directory, 'billed.json');
    const output = await python.run(['pytest', '-q', '-m', 'service', '-p', 'no:cacheprovider'], {
      SHOPSCOPE_BASE_URL: baseUrl,
      SHOPSCOPE_API_KEY: await keyOf({ environment: 'test' }),
      SHOPSCOPE_TEST_KEYS: JSON.stringify(keys),
      SHOPSCOPE_TEST_REPORT: report,
    });
    expect(output).toMatch(/\b13 passed/);

    await env.settle();
    const billed: Record<string, object> = JSON.parse(readFileSync(report, 'utf8'));
    expect(Object.keys(billed).sort()).toEqual(['proxy-async', 'proxy-sync', 'replay-async', 'replay-sync']);
    for (const [name, units] of Object.entries(billed)) {
      const headers = { Authorization: `Bearer ${keys[name]}` };
      const usage = await (await fetch(`${baseUrl}/v1/usage`, { headers })).json();
      expect(usage, name).toMatchObject({ period: { used: units } });
    }
  });
});
