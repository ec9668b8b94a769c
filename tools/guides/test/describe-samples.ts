import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createClient } from '@shopscope/client';
import type { DevEnv } from '@shopscope/dev-env';
import { nightlyUnless } from '@shopscope/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { findPython, type Python } from '../../../packages/client-python/test/python.ts';
import { type Addresses, withAddresses } from '../../../services/dashboard/src/documentation/domain/addresses.ts';
import { type Output, readGuides, type Sample } from '../src/guide.ts';
import { differences } from '../src/shape.ts';
import { repository, run, type SampleFolder } from './sample-folder.ts';

const guides = readGuides();
const samples = guides.flatMap((guide) => guide.samples);
const python = findPython();

/** Every sample of every guide, unchanged, against one running system with a key of the test tenant. */
export function describeSamples(system: () => DevEnv, folder: SampleFolder): void {
  describe('samples of the guides', () => {
    let env: DevEnv;
    let variables: Record<string, string>;
    let addresses: Addresses;

    beforeAll(async () => {
      env = system();
      const [apiKey, baseUrl] = [(await env.createWorkspace({ environment: 'test' })).secret, env.apiUrls[0] as string];
      variables = { SHOPSCOPE_API_KEY: apiKey, SHOPSCOPE_BASE_URL: baseUrl };
      addresses = { publicApiUrl: baseUrl, dashboardUrl: env.dashboard?.url ?? '' };
      const client = createClient({ apiKey, baseUrl });
      // The samples of events and jobs read what this scan leaves.
      await client.waitForJob((await client.requestScan('matched.test')).id);
      await env.settle();

      for (const [at, { code }] of samples.entries()) {
        const write = (ending: string, text = '') =>
          folder.write(`sample_${at}.${ending}`, withAddresses(text, addresses));
        write('sh', code.shell ?? code.sh);
        write('mts', `${code.ts ?? ''}\nexport {};\n`);
        write('py', code.python);
      }
    });

    const all = samples.map((sample, at) => [`${sample.slug}.md:${sample.line} ${sample.heading}`, at] as const);
    /** npm takes ten times the CPU of the command that its npx runs. One sample runs npx; the others run the same command without npm. */
    const ofNpx = samples.findIndex(({ code }) => code.shell?.includes('npx '));
    const inLanguages = all.filter(([_, at]) => samples[at]?.code.shell === undefined);
    /**
     * By day, the first sample of these guides runs in TypeScript and Python: one call, a batch and pages. Of the others, curl sends the
     * request, and the compilers check them.
     */
    const byDay = ['first-call', 'enrich', 'pagination'];
    const standsForOthers = (at: number) => {
      const slug = samples[at]?.slug ?? '';
      return byDay.includes(slug) && inLanguages.find(([_, each]) => samples[each]?.slug === slug)?.[1] === at;
    };

    /** By day, the first sample of a command of a clone in each guide runs, and every other one that needs no program of the clone. */
    const isFirstOfClone = (at: number) =>
      at === samples.findIndex(({ slug, code }) => slug === samples[at]?.slug && code.shell !== undefined);
    for (const [name, at] of all) {
      const isByDay = samples[at]?.code.shell === undefined || isFirstOfClone(at);
      test(`the shell sample ${name} runs, and prints what the guide shows`, nightlyUnless(isByDay), async () => {
        const { code, outputs } = samples[at] as Sample;
        // Commands are those of a clone. Somebody who types has typed the key.
        const cwd = code.shell === undefined ? folder.path : repository;
        const PATH = at === ofNpx ? process.env.PATH : `${folder.commands}:${process.env.PATH}`;
        const options = {
          cwd,
          env: { ...process.env, ...variables, PATH, XDG_CONFIG_HOME: join(folder.path, '.config') },
        };
        const running = run('bash', ['-eu', join(folder.path, `sample_${at}.sh`)], options);
        running.child.stdin?.end(`${variables.SHOPSCOPE_API_KEY}\n`);
        const { stdout } = await running;
        expect(stdout.trim()).not.toBe('');
        expect(outputs.flatMap((output) => faultsOf(output, stdout))).toEqual([]);
        if (!outputs.some(({ text }) => text.includes('"error": {'))) expect(stdout).not.toContain('"error":{');
      });
    }

    for (const [name, at] of inLanguages) {
      test(`the TypeScript sample ${name} runs`, nightlyUnless(standsForOthers(at)), async () => {
        const { stdout } = await folder.runTypeScript(`sample_${at}.mts`, variables);
        expect(stdout.trim()).not.toBe('');
      });
    }

    describe('configurations for language models', () => {
      const configurations = guides.flatMap(({ slug, otherBlocks }) =>
        otherBlocks.filter(({ text }) => text.includes('"mcpServers"')).map(({ text }) => [slug, text] as const),
      );

      test('the configurations for language models are in the guide, for HTTP and for a program', () => {
        expect(configurations.map(([slug, text]) => [slug, text.includes('"url"')])).toEqual([
          ['mcp', true],
          ['mcp', false],
        ]);
      });

      test.each(configurations)(
        'the official client connects with the configuration in %s and looks a store up: %s',
        async (_, text) => {
          const filled = withAddresses(text, addresses)
            .replace('svc_test_…', variables.SHOPSCOPE_API_KEY as string)
            .replace('PATH_OF_THE_CLONE', repository);
          const { mcpServers } = JSON.parse(filled) as { mcpServers: { shopscope: Configuration } };
          const model = new Client({ name: 'test', version: '1' });
          await model.connect(transportOf(mcpServers.shopscope, folder.path));
          const call = { name: 'look_up_store', arguments: { domain: 'matched.test' } };
          expect(await model.callTool(call)).toMatchObject({
            structuredContent: { known: true, store: { domain: 'matched.test' }, units_billed: 1 },
          });
          await model.close();
        },
      );
    });

    describe('Python', () => {
      const { runIn } = python as Python;
      for (const [name, at] of inLanguages) {
        const title = `the Python sample ${name} runs`;
        test.skipIf(typeof python === 'string')(title, nightlyUnless(standsForOthers(at)), async () => {
          const stdout = await runIn(folder.path, [`sample_${at}`], { ...variables, ...folder.pythonPath });
          expect(stdout.trim()).not.toBe('');
        });
      }
    });
  });
}

type Configuration =
  | { url: string; headers: Record<string, string> }
  | { command: string; args: string[]; env: Record<string, string> };

/** As clients of the protocol read the configuration. They start a program in a folder of their own. */
const transportOf = (configuration: Configuration, cwd: string): Transport => {
  if ('command' in configuration) {
    const { command, args, env } = configuration;
    return new StdioClientTransport({
      command,
      args,
      cwd,
      env: { ...getDefaultEnvironment(), XDG_STATE_HOME: cwd, ...env },
    });
  }
  const { url, headers } = configuration;
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as Transport;
};

/** What the last response of the output has otherwise than the guide shows. */
function faultsOf({ language, text, isShortened }: Output, stdout: string): string[] {
  if (language === 'json') return differences(JSON.parse(text), lastJson(stdout), isShortened);
  if (language === 'text') {
    return text.split('\n').flatMap((line) => (linePattern(line).test(stdout) ? [] : [`there is no line ${line}`]));
  }
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

/** A line of output. `…` stands for what differs in each run. */
const linePattern = (line: string) =>
  new RegExp(
    `^${line
      .split('…')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
    'm',
  );

/** Responses have no line end, so the last one is the last line. */
const lastJson = (stdout: string) => JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
