import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build } from 'rolldown';
import { describe, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { type Contract, currentContract, releasedContract, servedOperations } from '../test/released-contract.ts';
import { createClient } from './client.ts';
import { version } from './version.ts';

const released = releasedContract();
const types = readFileSync(new URL('api.gen.ts', import.meta.url), 'utf8');

/** The generated type of a schema. */
const typeOf = (schema: string) =>
  types.split(/^ {8}readonly (?=[A-Z]\w*:)/m).find((part) => part.startsWith(`${schema}:`)) ?? '';

const contracts: [string, Contract][] = [['docs/openapi.json', currentContract]];
if (released) contracts.push([`the contract of the release ${released.tag}`, released.contract]);
else process.stdout.write('Compared with no release: none comes before this commit.\n');

describe.each(contracts)('%s', (_, contract) => {
  test.each(servedOperations(contract))('the client has a method for the operation %s', (id) => {
    const client = createClient({ apiKey: 'svc_live_x', baseUrl: 'https://api.example.com' });
    expect(client).toHaveProperty(id, expect.any(Function));
  });

  test.each(Object.entries(contract.components.schemas))(
    'every member of %s in the contract is in its type',
    (name, { properties = {} }) => {
      const type = typeOf(name);
      expect(type).not.toBe('');
      for (const member of Object.keys(properties)) expect(type).toMatch(new RegExp(`readonly "?${member}"?\\??:`));
    },
  );
});

test('the client package is at most 10 KB, compressed', async () => {
  const entry = new URL('index.ts', import.meta.url).pathname;
  const { output } = await build({ input: entry, write: false, output: { minify: true }, logLevel: 'silent' });
  expect(gzipSync(output[0].code).length).toBeLessThanOrEqual(10_240);
});

test('the client package is an ES module without dependencies and without types of Node.js', () => {
  expect(packageJson).toMatchObject({ type: 'module', exports: { '.': { default: './dist/index.js' } } });
  expect(packageJson).not.toHaveProperty('dependencies');
  expect(JSON.parse(readFileSync(new URL('../tsconfig.json', import.meta.url), 'utf8'))).toMatchObject({
    compilerOptions: { types: [] },
  });
});

test('the version of the client is that of its package', () => {
  expect(version).toBe(packageJson.version);
});
