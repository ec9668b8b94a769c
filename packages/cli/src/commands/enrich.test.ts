import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Answer, json, startScriptedService } from '../../../client/test/scripted-service.ts';

const main = new URL('../main.ts', import.meta.url).pathname;
const node = `'${process.execPath}' --conditions=@shopscope/source '${main}'`;

const answer: Answer = (received, response) => {
  if (received.url === '/v1/account') {
    return json(200, { plan: { limits: { concurrency: 2, enrich_batch_max: 10 } } })(received, response);
  }
  const { domains } = received.body as { domains: string[] };
  const results = domains.map((input) => ({
    ...{ input, match: 'no_match', reason: 'not_in_corpus', scan_requested: false, scan_job_id: null, store: null },
  }));
  return json(200, { results, billed: { lookup_cached: 0, lookup_live: 0 } })(received, response);
};

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cli-enrich-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Runs a line of a shell in the directory. `shopscope` is the command. */
async function runInShell(line: string, url = 'http://127.0.0.1:1') {
  const child = spawn('sh', ['-c', line.replaceAll('shopscope', node)], {
    cwd: directory,
    env: { SHOPSCOPE_API_KEY: 'svc_live_secret', SHOPSCOPE_BASE_URL: url, PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  const [code] = await once(child, 'close');
  return { code, out, err };
}

test('a pipe that is named as the file is answered row by row', async () => {
  await using service = await startScriptedService([answer]);
  const line =
    "mkfifo rows; printf 'a.example\\nb.example\\n' > rows & while [ ! -p rows ]; do :; done; shopscope enrich rows";
  const { code, out } = await runInShell(line, service.url);
  expect(code).toBe(0);
  expect(out.match(/^[ab]\.example/gm)).toEqual(['a.example', 'b.example']);
});

test('a directory is refused in words', async () => {
  await using service = await startScriptedService([answer]);
  expect(await runInShell('shopscope enrich .', service.url)).toMatchObject({
    code: 2,
    err: 'shopscope: . is a directory.\n',
  });
});

test('a run that a full disk ended continues, and every row is in the output once', async () => {
  await using service = await startScriptedService([answer]);
  const inputs = Array.from({ length: 200 }, (_, n) => `shop${n}.example`);
  writeFileSync(join(directory, 'rows.txt'), inputs.join('\n'));
  // A limit of the size of files has the effect of a full disk: the last write is short.
  const limited = await runInShell("trap '' XFSZ; ulimit -f 9; shopscope enrich rows.txt -o out.jsonl", service.url);
  expect(limited.code).toBe(1);
  const kept = JSON.parse(readFileSync(join(directory, 'out.jsonl.state.json'), 'utf8'));
  expect(limited.err).toContain(`${kept.rows} rows are in out.jsonl.`);
  expect(await runInShell('shopscope enrich rows.txt -o out.jsonl', service.url)).toMatchObject({ code: 0 });
  const lines = readFileSync(join(directory, 'out.jsonl'), 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).input)).toEqual(inputs);
});

test('a second run on the output of a running one is refused, and one after a killed run is not', async () => {
  await using service = await startScriptedService([answer]);
  writeFileSync(join(directory, 'rows.txt'), 'a.example');
  writeFileSync(join(directory, 'out.csv.lock'), String(process.pid));
  const refused = await runInShell('shopscope enrich rows.txt -o out.csv', service.url);
  expect(refused.code).toBe(2);
  expect(refused.err).toContain(`Process ${process.pid} writes out.csv.`);
  const ended = spawn('true');
  await once(ended, 'close');
  writeFileSync(join(directory, 'out.csv.lock'), String(ended.pid));
  expect(await runInShell('shopscope enrich rows.txt -o out.csv', service.url)).toMatchObject({ code: 0 });
  expect(readdirSync(directory).toSorted()).toEqual(['out.csv', 'rows.txt']);
});

test.skipIf(process.platform !== 'linux')('an output that cannot be written is named, with exit code 1', async () => {
  const { code, err } = await runInShell('shopscope --help > /dev/full');
  expect(code).toBe(1);
  expect(err).toBe('shopscope: The output could not be written: ENOSPC: no space left on device, write\n');
});
