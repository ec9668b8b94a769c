import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build } from 'rolldown';
import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { createClient } from './client.ts';
import { version } from './version.ts';

const contract = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'));
const operations = Object.values(contract.paths as Record<string, Record<string, Record<string, unknown>>>)
  .flatMap((methods) => Object.values(methods))
  .filter((operation) => operation['x-served'] === true)
  .map(({ operationId }) => operationId as string);

test.each(operations)('the operation %s of the API has a method', (id) => {
  const client = createClient({ apiKey: 'svc_live_x', baseUrl: 'https://api.example.com' });
  expect(client).toHaveProperty(id, expect.any(Function));
});

test('every member of every schema of the contract is in the types', () => {
  const types = readFileSync(new URL('api.gen.ts', import.meta.url), 'utf8');
  for (const [name, schema] of Object.entries<{ properties?: object }>(contract.components.schemas)) {
    expect(types).toContain(`readonly ${name}:`);
    for (const member of Object.keys(schema.properties ?? {}))
      expect(types).toMatch(new RegExp(`readonly "?${member}"?\\??:`));
  }
});

test('the package is at most 10 KB, compressed', async () => {
  const entry = new URL('index.ts', import.meta.url).pathname;
  const { output } = await build({ input: entry, write: false, output: { minify: true }, logLevel: 'silent' });
  expect(gzipSync(output[0].code).length).toBeLessThanOrEqual(10_240);
});

test('the version is that of the package', () => {
  expect(version).toBe(packageJson.version);
});
