import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@shopscope/client';
import { type DevEnv, startDevEnv } from '@shopscope/dev-env';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPython, type Python, folder as pythonFolder } from '../../../packages/client-python/test/python.ts';
import { type Output, readGuides, type Sample } from '../src/guide.ts';
import { differences } from '../src/shape.ts';

const run = promisify(execFile);
const repository = resolve(import.meta.dirname, '../../..');
const samples = readGuides()
  .toSorted((a, b) => Number(a.matter.order) - Number(b.matter.order))
  .flatMap((guide) => guide.samples);
const python = findPython();

/** Every sample of every guide, as it stands there, against one running system with a few scanned stores. */
describe('the samples of the guides', () => {
  const directory = mkdtempSync(join(tmpdir(), 'guides-'));
  let env: DevEnv;
  let variables: Record<string, string>;

  beforeAll(async () => {
    env = await startDevEnv({ label: 'guides' });
    const [apiKey, baseUrl] = [(await env.createWorkspace()).secret, env.apiUrls[0] as string];
    variables = { SHOPSCOPE_API_KEY: apiKey, SHOPSCOPE_BASE_URL: baseUrl };
    const client = createClient({ apiKey, baseUrl });
    await client.enrichStores({ domains: ['northwind-tea.example', 'fjordlicht.example'], refresh: true });
    await env.settle();
    env.demoStores.setApps('northwind-tea.example', { add: ['gorgias'] });
    await client.requestScan('northwind-tea.example');
    await env.settle();

    mkdirSync(join(directory, 'node_modules/@shopscope'), { recursive: true });
    symlinkSync(join(repository, 'packages/client'), join(directory, 'node_modules/@shopscope/client'));
    for (const [at, { code }] of samples.entries()) {
      writeFileSync(join(directory, `sample_${at}.sh`), code.sh ?? '');
      writeFileSync(join(directory, `sample_${at}.mts`), `${code.ts ?? ''}\nexport {};\n`);
      writeFileSync(join(directory, `sample_${at}.py`), code.python ?? '');
    }
  });
  afterAll(async () => {
    await env?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const titled = samples.map((sample, at) => [`${sample.slug}.md:${sample.line} ${sample.heading}`, at] as const);

  test.each(titled)('%s: the shell runs, and prints what the guide shows', async (_, at) => {
    const { code: _code, outputs } = samples[at] as Sample;
    const options = { cwd: directory, env: { ...process.env, ...variables } };
    const { stdout } = await run('bash', ['-eu', join(directory, `sample_${at}.sh`)], options);
    expect(stdout.trim()).not.toBe('');
    expect(outputs.flatMap((output) => faultsOf(output, stdout))).toEqual([]);
    if (!outputs.some(({ text }) => text.includes('"error": {'))) expect(stdout).not.toContain('"error":{');
  });

  test.each(titled)('%s: TypeScript runs', async (_, at) => {
    const args = ['--conditions=@shopscope/source', `sample_${at}.mts`];
    const { stdout } = await run(process.execPath, args, { cwd: directory, env: variables });
    expect(stdout.trim()).not.toBe('');
  });

  test('TypeScript is typed', async () => {
    const compilerOptions = {
      noEmit: true,
      customConditions: ['@shopscope/source'],
      typeRoots: [join(repository, 'node_modules/@types')],
    };
    const config = { extends: join(repository, 'tsconfig.base.json'), compilerOptions, include: ['*.mts'] };
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(config));
    await run(join(repository, 'node_modules/.bin/tsc'), ['-p', directory]).catch(({ stdout }) => {
      throw new Error(stdout);
    });
  });

  describe('Python', () => {
    const { runIn } = python as Python;
    const modulePath = { PYTHONPATH: `${directory}:${join(pythonFolder, 'src')}` };

    test.skipIf(typeof python === 'string').each(titled)('%s: Python runs', async (_, at) => {
      const stdout = await runIn(directory, [`sample_${at}`], { ...variables, ...modulePath });
      expect(stdout.trim()).not.toBe('');
    });

    test.skipIf(typeof python === 'string')('Python is typed', async () => {
      const files = samples.map((_, at) => `sample_${at}.py`);
      const types = { MYPYPATH: join(pythonFolder, 'src') };
      await expect(runIn(directory, ['mypy', '--strict', ...files], types)).resolves.toContain('no issues found');
    });
  });
});

/** What the last response of the output has otherwise than the guide shows. */
function faultsOf({ language, text, isShortened }: Output, stdout: string): string[] {
  if (language === 'json') return differences(JSON.parse(text), lastJson(stdout), isShortened);
  const [status = '', ...headers] = text.trim().split('\n');
  const last = stdout.slice(stdout.lastIndexOf('HTTP/1.1 ')).split('\r\n');
  const sent = last.map((line) => line.toLowerCase());
  return [
    ...(sent[0] === status.toLowerCase() ? [] : [`the status is ${last[0]}, shown as ${status}`]),
    ...headers
      .map((header) => header.slice(0, header.indexOf(':')))
      .filter((name) => !sent.some((line) => line.startsWith(`${name.toLowerCase()}:`)))
      .map((name) => `there is no header ${name}`),
  ];
}

/** Responses have no line end, so the last one is the last line. */
const lastJson = (stdout: string) => JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
