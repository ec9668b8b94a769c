import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { findPython, folder, type Python } from './python.ts';

const found = findPython();
const python = found as Python;
const version = /"(.+)"/.exec(readFileSync(join(folder, 'src/shopscope/_version.py'), 'utf8'))?.[1];

describe('Python client', () => {
  beforeEach(({ skip }) => skip(typeof found === 'string', String(found)));

  test('the Python client is formatted and has no findings of the linter', async () => {
    await python.run(['ruff', 'format', '--check', '.']);
    await python.run(['ruff', 'check', '.']);
  });

  test('the Python client is typed, its tests too', async () => {
    await expect(python.run(['mypy'])).resolves.toContain('no issues found');
  });

  test('the Python client passes its tests', async () => {
    await expect(python.run(['pytest', '-q', '-p', 'no:cacheprovider'])).resolves.toMatch(/\d{3} passed/);
  });

  const built = 'the Python client builds as a source distribution and as a wheel, which can be installed and imported';
  test(built, { tags: ['nightly'] }, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'client-python-'));
    try {
      await python.run(['hatchling', 'build', '-d', directory]);
      const files = readdirSync(directory).sort();
      expect(files).toEqual([`shopscope-${version}-py3-none-any.whl`, `shopscope-${version}.tar.gz`]);
      // Without the network: the wheel needs nothing to be built.
      const target = join(directory, 'installed');
      const offline = ['--no-index', '--no-deps', '--disable-pip-version-check', '--quiet'];
      await python.run(['pip', 'install', ...offline, '--target', target, join(directory, files[0] as string)]);
      expect(readdirSync(join(target, 'shopscope'))).toEqual(expect.arrayContaining(['py.typed', 'types.py']));
      const metadata = join(target, `shopscope-${version}.dist-info`);
      expect(readFileSync(join(metadata, 'METADATA'), 'utf8')).toContain('License-Expression: Apache-2.0');
      expect(readdirSync(join(metadata, 'licenses'))).toEqual(['LICENSE']);
      const imported = [
        'timeit',
        '-n',
        '1',
        '-r',
        '1',
        'import shopscope; print(shopscope.__file__, shopscope.__version__)',
      ];
      await expect(python.run(imported, { PYTHONPATH: target })).resolves.toContain(
        `${join(target, 'shopscope/__init__.py')} ${version}`,
      );
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

test('the licence of the Python client is that of the repository', () => {
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  expect(read('LICENSE')).toBe(read('../../LICENSE'));
});

test('missing Python skips the tests of the client with the reason, and fails them in continuous integration', () => {
  const path = process.env.PATH;
  process.env.PATH = '';
  try {
    expect(findPython({})).toMatch(/needs python3 \(3\.10 or newer, with venv\)/);
    expect(() => findPython({ CI: 'true' })).toThrow('needs python3');
  } finally {
    process.env.PATH = path;
  }
});
