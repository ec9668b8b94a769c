import { describe, expect, test } from 'vitest';
import { type Answer, failure, json, startScriptedService } from '../../../client/test/scripted-service.ts';
import { runCommand } from '../../test/run-command.ts';

const env = (url: string) => ({ env: { SHOPSCOPE_API_KEY: 'svc_live_secret', SHOPSCOPE_BASE_URL: url } });
const deleted: Answer = (_, response) => response.writeHead(204).end();

/** Answers every input with the result. */
const resultsOf =
  (result: string): Answer =>
  (received, response) => {
    const results = storesOf(received.body).map(({ domain }) => ({ input: domain, domain, result }));
    return json(200, { results })(received, response);
  };
const storesOf = (body: unknown) => {
  const { stores, domains = [] } = body as { stores?: { domain: string; external_id?: string }[]; domains?: string[] };
  return stores ?? domains.map((domain) => ({ domain }));
};
const linesOf = (count: number) => Array.from({ length: count }, (_, n) => `shop-${n}.example`).join('\n');

describe('the command lists', () => {
  test('add and remove send the domains of a file in requests of 2,000, and print the number of each result', async () => {
    const input = linesOf(2_001);
    for (const [verb, path, result] of [
      ['add', '/v1/lists/lst_1/stores', 'added'],
      ['remove', '/v1/lists/lst_1/stores/remove', 'removed'],
    ] as const) {
      await using service = await startScriptedService([resultsOf(result)]);
      const ran = await runCommand(['lists', verb, 'lst_1', '-'], { ...env(service.url), input });
      expect(ran).toEqual({ code: 0, err: '', out: `2001 ${result}\n` });
      const sent = service.received.map(({ url, body }) => [url, (body as { domains: string[] }).domains.length]);
      expect(sent).toEqual([
        [path, 2_000],
        [path, 1],
      ]);
    }
  });

  test('add without a domain in its file sends nothing', async () => {
    await using service = await startScriptedService([resultsOf('added')]);
    const ran = await runCommand(['lists', 'add', 'lst_1', '-'], { ...env(service.url), input: '\n\n' });
    expect([ran.out, service.received]).toEqual(['The file has no domains.\n', []]);
  });

  test('add sends the ids of --id-column, and a row without an id leaves the id of its store', async () => {
    await using service = await startScriptedService([resultsOf('added')]);
    const input = 'CRM id;Website\n crm-1 ;a.example\n;b.example\ncrm-3;\n';
    const args = ['lists', 'add', 'lst_1', '-', '--id-column', 'crm ID', '--json'];
    const ran = await runCommand(args, { ...env(service.url), input });
    expect([ran.err, JSON.parse(ran.out)]).toEqual(['', { list_id: 'lst_1', added: 2 }]);
    const stores = [{ domain: 'a.example', external_id: 'crm-1' }, { domain: 'b.example' }];
    expect(service.received.map(({ body }) => body)).toEqual([{ stores }]);
  });

  test('a request has at most 256 KB, also with long ids', async () => {
    await using service = await startScriptedService([resultsOf('added')]);
    const rows = Array.from({ length: 1_500 }, (_, n) => `shop-${n}.example,${'é'.repeat(200)}`);
    const input = `domain,id\n${rows.join('\n')}`;
    const ran = await runCommand(['lists', 'add', 'lst_1', '-', '--id-column', 'id'], { ...env(service.url), input });
    expect(ran).toEqual({ code: 0, err: '', out: '1500 added\n' });
    expect(service.received.length).toBeGreaterThan(1);
    for (const { body } of service.received) expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(256 * 1024);
    expect(service.received.flatMap(({ body }) => storesOf(body))).toHaveLength(1_500);
  });

  test('when a later request fails, the counts of the earlier ones are printed, and the message says how to continue', async () => {
    const message = 'list_stores: the plan allows 1000, the workspace uses 999, and this request would add 2000';
    await using service = await startScriptedService([
      resultsOf('added'),
      failure(400, 'invalid_request', {}, { message }),
    ]);
    const ran = await runCommand(['lists', 'add', 'lst_1', '-'], { ...env(service.url), input: `\n${linesOf(4_001)}` });
    expect([ran.code, ran.out, service.received.length]).toEqual([2, '2000 added\n', 2]);
    expect(ran.err).toContain('The file is done up to line 2001. Run the same command again to continue');
    expect(ran.err).toContain(message);
  });

  test('a run that is interrupted says up to which line it is done', async () => {
    const interrupt = new AbortController();
    const stop: Answer = (received, response) => {
      interrupt.abort();
      return json(200, { results: [] })(received, response);
    };
    await using service = await startScriptedService([resultsOf('added'), stop]);
    const over = { ...env(service.url), input: linesOf(2_001), interrupted: interrupt.signal };
    const ran = await runCommand(['lists', 'add', 'lst_1', '-'], over);
    expect([ran.code, ran.out]).toEqual([130, '2000 added\n']);
    expect(ran.err).toContain('The file is done up to line 2000.');
  });

  test('a refused store is named by its line in the file', async () => {
    const problem = 'external_id: must have at most 200 characters, not 201';
    const message = `stores[1].${problem}`;
    await using service = await startScriptedService([
      resultsOf('added'),
      failure(400, 'invalid_request', {}, { message }),
    ]);
    const rows = Array.from({ length: 2_005 }, (_, n) => `shop-${n}.example,${n}`);
    const input = `domain,id\n${rows.join('\n')}`;
    const ran = await runCommand(['lists', 'add', 'lst_1', '-', '--id-column', 'id'], { ...env(service.url), input });
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining(`Line 2003 of the input is refused: ${problem}`)]);
  });

  test('a file or column that does not exist, and ids for a removal, are wrong calls that send nothing', async () => {
    await using service = await startScriptedService([resultsOf('added')]);
    const over = { ...env(service.url), input: 'domain,id\na.example,1\n' };
    for (const [words, message] of [
      [['add', 'lst_1', '/nonexistent.csv'], '/nonexistent.csv cannot be read.'],
      [['add', 'lst_1', '-', '--column', 'site'], 'There is no column "site": the file has domain, id. Give --column.'],
      [
        ['add', 'lst_1', '-', '--id-column', 'crm'],
        'There is no column "crm": the file has domain, id. Give another --id-column.',
      ],
      [['remove', 'lst_1', '-', '--id-column', 'id'], '--id-column belongs to add.'],
    ] as const) {
      const ran = await runCommand(['lists', ...words], over);
      expect(ran).toEqual({ code: 2, out: '', err: `shopscope: ${message}\n` });
    }
    expect(service.received).toEqual([]);
  });

  test('delete prints the id', async () => {
    await using service = await startScriptedService([deleted]);
    const out = 'Deleted lst_1.\n';
    expect(await runCommand(['lists', 'delete', 'lst_1'], env(service.url))).toEqual({ code: 0, err: '', out });
    expect(service.received.map(({ method, url }) => `${method} ${url}`)).toEqual(['DELETE /v1/lists/lst_1']);
  });

  test('the deletion of a list that does not exist has the exit code of not_found', async () => {
    await using service = await startScriptedService([failure(404, 'not_found')]);
    expect((await runCommand(['lists', 'delete', 'lst_1'], env(service.url))).code).toBe(4);
  });
});
