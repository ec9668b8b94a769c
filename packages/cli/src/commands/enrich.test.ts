import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Answer, json, startScriptedService } from '../../../client/test/scripted-service.ts';
import { programs } from '../../../lists/test/programs.ts';

const main = new URL('../main.ts', import.meta.url).pathname;
const node = `'${process.execPath}' --conditions=@shopscope/source '${main}'`;

const answer: Answer = (received, response) => {
  if (received.url === '/v1/account') {
    return json(200, { plan: { limits: { concurrency: 2, enrich_batch_max: 10 } } })(received, response);
  }
  const { domains } = received.body as { domains: string[] };
  const results = domains.map((input) => ({
    input,
    match: 'no_match',
    reason: 'not_in_corpus',
    scan_requested: false,
    scan_job_id: null,
    store: null,
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
  const { NODE_COMPILE_CACHE, PATH } = process.env;
  const child = spawn('sh', ['-c', line.replaceAll('shopscope', node)], {
    cwd: directory,
    env: { SHOPSCOPE_API_KEY: 'svc_live_secret', SHOPSCOPE_BASE_URL: url, NODE_COMPILE_CACHE, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  const [code] = await once(child, 'close');
  return { code, out, err };
}

test('a pipe that is named as the file of enrich is answered row by row', async () => {
  await using service = await startScriptedService([answer]);
  const line =
    "mkfifo rows; printf 'a.example\\nb.example\\n' > rows & while [ ! -p rows ]; do :; done; shopscope enrich rows";
  const { code, out } = await runInShell(line, service.url);
  expect(code).toBe(0);
  expect(out.match(/^[ab]\.example/gm)).toEqual(['a.example', 'b.example']);
});

test('a directory as the file of enrich is refused with a sentence', async () => {
  await using service = await startScriptedService([answer]);
  expect(await runInShell('shopscope enrich .', service.url)).toMatchObject({
    code: 2,
    err: 'shopscope: . is a directory.\n',
  });
});

test('a run of enrich that a full disk ended continues, and every row is in the output once', async () => {
  await using service = await startScriptedService([answer]);
  const inputs = Array.from({ length: 200 }, (_, n) => `shop${n}.example`);
  writeFileSync(join(directory, 'rows.txt'), inputs.join('\n'));
  // A limit of the size of files has the effect of a full disk: the last write is short.
  const limited = await runInShell("trap '' XFSZ; ulimit -f 9; shopscope enrich rows.txt -o out.jsonl", service.url);
  expect(limited.code).toBe(1);
  const kept = JSON.parse(readFileSync(join(directory, 'out.jsonl.state.json'), 'utf8'));
  expect(limited.err).toContain(`out.jsonl has ${kept.rows} rows.`);
  expect(await runInShell('shopscope enrich rows.txt -o out.jsonl', service.url)).toMatchObject({ code: 0 });
  const lines = readFileSync(join(directory, 'out.jsonl'), 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).input)).toEqual(inputs);
});

test('a second run of enrich on the output of a running one is refused, and one after a killed run is not', async () => {
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

test.skipIf(process.platform !== 'linux')(
  'an output of enrich that cannot be written is named, with exit code 1',
  async () => {
    const { code, err } = await runInShell('shopscope --help > /dev/full');
    expect(code).toBe(1);
    expect(err).toBe('shopscope: The output could not be written: ENOSPC: no space left on device, write\n');
  },
);

/** By day, a table with another separator and one with another encoding stand for all. packages/lists reads all of them. */
const tablesByDay = ['Excel, CSV of a German machine', 'UTF-16, big-endian'];
for (const [program, write] of Object.entries(programs)) {
  const title = `a table of ${program} keeps its cells in the output of enrich`;
  test(title, { tags: tablesByDay.includes(program) ? [] : ['nightly'] }, async () => {
    await using service = await startScriptedService([answer]);
    const rows = [
      ['a.example', 'Müller "&" Söhne'],
      ['b.example', 'zwei\nZeilen; x'],
    ].map((row) => (program === 'an old Mac' ? row.map((cell) => cell.replace('\n', ' ')) : row));
    writeFileSync(join(directory, 'crm.csv'), write([[' WEBSITE ', 'Firma'], ...rows]));
    const { code, err } = await runInShell('shopscope enrich crm.csv --column website -o out.csv', service.url);
    expect([code, err.includes('crm.csv was read as Windows-1252')]).toEqual([0, program.includes('machine')]);
    const [header, ...lines] = parse(readFileSync(join(directory, 'out.csv'))) as string[][];
    expect(header?.slice(0, 3)).toEqual([' WEBSITE ', 'Firma', 'shopscope_match']);
    expect(lines.map((line) => line.slice(0, 3))).toEqual(rows.map((row) => [...row, 'no_match']));
  });
}

test('a table whose run ended before its first rows has its header in the output of enrich', async () => {
  const table = 'domain,name\na.example,x\n';
  writeFileSync(join(directory, 'crm.csv'), table);
  const failing: Answer = (received, response) =>
    received.url === '/v1/account' ? answer(received, response) : json(401, { error: {} })(received, response);
  {
    await using service = await startScriptedService([failing]);
    expect((await runInShell('shopscope enrich crm.csv -o out.csv', service.url)).code).not.toBe(0);
  }
  await using service = await startScriptedService([answer]);
  expect(await runInShell('shopscope enrich crm.csv -o out.csv', service.url)).toMatchObject({ code: 0 });
  const lines = parse(readFileSync(join(directory, 'out.csv'))) as string[][];
  expect(lines.map((line) => line.slice(0, 3))).toEqual([
    ['domain', 'name', 'shopscope_match'],
    ['a.example', 'x', 'no_match'],
  ]);
});

test('a run of enrich is not continued with another header, under which cells would be in wrong columns', async () => {
  await using service = await startScriptedService([answer]);
  const rows = Array.from({ length: 20 }, (_, n) => `shop${n}.example,x\n`).join('');
  writeFileSync(join(directory, 'a.csv'), `domain,name\n${rows}`);
  writeFileSync(join(directory, 'b.csv'), `domain,city\n${rows}`);
  const first = await runInShell('shopscope enrich - --column domain -o out.csv --max-units 10 < a.csv', service.url);
  expect(first.code).toBe(2);
  const other = await runInShell('shopscope enrich - --column domain -o out.csv < b.csv', service.url);
  expect(other).toMatchObject({ code: 2, err: expect.stringContaining('The input is not the one') });
  expect(await runInShell('shopscope enrich - --column domain -o out.csv < a.csv', service.url)).toMatchObject({
    code: 0,
  });
});

test('JSON lines of enrich have every cell of columns that share a name', async () => {
  await using service = await startScriptedService([answer]);
  writeFileSync(join(directory, 'crm.csv'), 'domain,mail,mail,mail (2),mail\na.example,1,2,3,4\n');
  const { out } = await runInShell('shopscope enrich crm.csv --json', service.url);
  expect(JSON.parse(out).row).toEqual({
    domain: 'a.example',
    mail: '1',
    'mail (2)': '3',
    'mail (3)': '2',
    'mail (4)': '4',
  });
});

test('enrich reads a list of PowerShell (UTF-16) from standard input', async () => {
  await using service = await startScriptedService([answer]);
  writeFileSync(join(directory, 'list.txt'), Buffer.from('\uFEFFa.example\r\nb.example\r\n', 'utf16le'));
  const { out } = await runInShell('shopscope enrich - < list.txt', service.url);
  expect(out.match(/^[ab]\.example/gm)).toEqual(['a.example', 'b.example']);
});

test.each([
  [
    'a column that is not there',
    'name,x\na,b\n',
    'shopscope: There is no column "site": the file has name, x. Give --column.\n',
  ],
  ['a workbook', 'PK\u0003\u0004...', 'shopscope: The list is a workbook or an archive. Save the sheet as CSV.\n'],
])('enrich refuses %s before anything is sent', async (_, content, message) => {
  await using service = await startScriptedService([answer]);
  writeFileSync(join(directory, 'crm.csv'), content);
  expect(await runInShell('shopscope enrich crm.csv --column site', service.url)).toEqual({
    code: 2,
    out: '',
    err: message,
  });
  expect(service.received).toEqual([]);
});
