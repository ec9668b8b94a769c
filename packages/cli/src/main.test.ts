import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { commands } from './commands/index.ts';

const packageUrl = new URL('..', import.meta.url);
const program = new URL('bin/shopscope.js', packageUrl).pathname;
/** Prints, at the end of the process, the address of each module that it loaded. */
const listModules = `
  import { writeSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  process.on('exit', () => writeSync(2, JSON.stringify(loaded)));
`;

function runListed(args: string[]) {
  const preload = `data:text/javascript,${encodeURIComponent(listModules)}`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', preload, program, ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
  const urls = JSON.parse(stderr) as string[];
  const files = urls.filter((url) => url.startsWith('file:')).map((url) => url.replace(packageUrl.href, ''));
  return { status, stdout, urls, files };
}

test.each([
  [['--help'], 0],
  [['help'], 0],
  [[], 2],
  [['--version'], 0],
])('the command line %j loads only what it prints, so that npx answers fast', (args, code) => {
  const { status, stdout, urls, files } = runListed(args);
  expect(status).toBe(code);
  if (args[0] === '--version') expect(stdout).toBe(`${manifest.version}\n`);
  else for (const name of Object.keys(commands)) expect(stdout).toContain(`\n  ${name} `);
  expect(files.toSorted()).toEqual([
    'bin/shopscope.js',
    new URL('../../tools/local/run-sources.mjs', packageUrl).href,
    'src/commands/index.ts',
    'src/exit-codes.ts',
    'src/main.ts',
    'src/run.ts',
    'src/terminal.ts',
    ...(args[0] === '--version' ? ['src/version.ts'] : []),
  ]);
  for (const builtin of ['child_process', 'readline', 'util']) expect(urls).not.toContain(`node:${builtin}`);
});
