import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { platformProblems, productionClosure } from './closure.ts';
import { contentProblems, type ImageContents } from './contents.ts';

const root = resolve(import.meta.dirname, '../../../..');
const lock = {
  'services/a': {
    version: '1.0.0',
    dependencies: { '@s/b': '*', express: '5.0.0' },
    devDependencies: { vitest: '5.0.0' },
  },
  'node_modules/@s/b': { link: true, resolved: 'libs/b' },
  'libs/b': { version: '1.0.0', dependencies: { ms: '2.0.0' }, devDependencies: { '@s/stack': '*' } },
  'node_modules/@s/stack': { link: true, resolved: 'libs/stack' },
  'libs/stack': { version: '1.0.0', dependencies: { testcontainers: '12.0.0' } },
  'node_modules/testcontainers': { version: '12.0.0' },
  'node_modules/vitest': { version: '5.0.0' },
  'node_modules/express': {
    version: '5.0.0',
    dependencies: { ms: '2.1.0' },
    optionalDependencies: { fsevents: '1.0.0', absent: '1.0.0' },
    peerDependencies: { peer: '1.0.0', rare: '1.0.0' },
    peerDependenciesMeta: { rare: { optional: true } },
  },
  'node_modules/express/node_modules/ms': { version: '2.1.0' },
  'node_modules/ms': { version: '2.0.0' },
  'node_modules/fsevents': { version: '1.0.0' },
  'node_modules/peer': { version: '1.0.0' },
  'node_modules/rare': { version: '1.0.0' },
};
const closure = productionClosure(lock, 'services/a');

/** Exactly the closure of services/a, without the optional package. */
const good = (): ImageContents => ({
  packages: [...closure.packages]
    .filter(([, { required }]) => required)
    .map(([path, { version = '' }]) => ({ path, version })),
  files: ['services/a/package.json', 'services/a/dist/main.js', 'libs/b/package.json', 'libs/b/dist/index.js'],
});

describe('productionClosure', () => {
  it('productionClosure follows production dependencies as Node finds them, through links and nested folders', () => {
    expect([...closure.packages.keys()].sort()).toEqual([
      'libs/b',
      'node_modules/express',
      'node_modules/express/node_modules/ms',
      'node_modules/fsevents',
      'node_modules/ms',
      'node_modules/peer',
      'services/a',
    ]);
    expect(closure.packages.get('node_modules/fsevents')?.required).toBe(false);
  });

  it('productionClosure throws when the lock file lacks a dependency', () => {
    expect(() => productionClosure({ 'libs/b': { dependencies: { ms: '2' } } }, 'libs/b')).toThrow(/has no ms/);
  });

  it('the production closure of every service contains no test tools and no local tools', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    for (const name of [
      'gateway',
      'keys',
      'profiles',
      'metering',
      'scan-scheduler',
      'scanner',
      'search',
      'dashboard',
      'subscriptions',
      'webhooks',
    ]) {
      const paths = [...productionClosure(packages, `services/${name}`).packages.keys()];
      expect(paths.filter((path) => /testcontainers|dockerode|^tools\//.test(path))).toEqual([]);
      expect(paths.length).toBeGreaterThan(20);
    }
  });
});

it('platformProblems names packages that an image for another platform would lack', () => {
  expect(platformProblems(lock, closure)).toEqual([]);
  const onlyLinux = { ...lock, 'node_modules/fsevents': { version: '1.0.0', os: ['linux'] } };
  expect(platformProblems(onlyLinux, closure)).toEqual(['holds node_modules/fsevents, which is for one platform only']);
});

describe('contentProblems', () => {
  it('contentProblems finds no problem in an image with exactly the closure', () => {
    expect(contentProblems(good(), closure)).toEqual([]);
  });

  it.each<[string, Partial<ImageContents>, RegExp]>([
    ['a forbidden package', { packages: [{ path: 'node_modules/dockerode', version: '1.0.0' }] }, /no image may hold/],
    ['a development dependency', { packages: [{ path: 'node_modules/rare', version: '1.0.0' }] }, /not in the produc/],
    ['another version', { packages: [{ path: 'node_modules/ms', version: '9.0.0' }] }, /the lock file has 2\.0\.0/],
    ['a source', { files: ['libs/b/src/index.ts'] }, /neither a dist file/],
    ['a package outside the closure', { files: ['libs/stack/dist/index.js'] }, /neither a dist file/],
    ['a test', { files: ['libs/b/dist/b.test.js'] }, /the test/],
  ])('contentProblems finds %s', (_, extra, problem) => {
    const { packages, files } = good();
    const kept = packages.filter(({ path }) => !extra.packages?.some((each) => each.path === path));
    const contents = { packages: [...kept, ...(extra.packages ?? [])], files: [...files, ...(extra.files ?? [])] };
    expect(contentProblems(contents, closure)).toEqual([expect.stringMatching(problem)]);
  });

  describe('of the dashboard', () => {
    const dashboard = productionClosure({ 'services/dashboard': { version: '1.0.0' } }, 'services/dashboard');
    const packages = [{ path: 'services/dashboard', version: '1.0.0' }];
    const program = ['services/dashboard/package.json', 'services/dashboard/dist/main.js'];
    const web = ['server/index.js', 'client/assets/root.css'].map((file) => `services/dashboard/gen/web/${file}`);

    it('contentProblems accepts the built web application of the dashboard', () => {
      expect(contentProblems({ packages, files: [...program, ...web] }, dashboard)).toEqual([]);
    });

    it('contentProblems finds a web application of the dashboard that was not built, and its sources', () => {
      expect(contentProblems({ packages, files: program }, dashboard)).toEqual([
        'lacks services/dashboard/gen/web/server/index.js',
      ]);
      const files = [...program, ...web, 'services/dashboard/src/root.tsx'];
      expect(contentProblems({ packages, files }, dashboard)).toEqual([
        expect.stringContaining('holds services/dashboard/src/root.tsx'),
      ]);
    });
  });

  it('contentProblems finds a package that is missing', () => {
    const { packages, files } = good();
    const without = packages.filter(({ path }) => path !== 'node_modules/peer');
    expect(contentProblems({ packages: without, files }, closure)).toEqual([
      'lacks node_modules/peer, which is in the production closure',
    ]);
  });
});
