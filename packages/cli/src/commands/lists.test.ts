import { describe, expect, test } from 'vitest';
import { type Answer, failure, json, startScriptedService } from '../../../client/test/scripted-service.ts';
import { runCommand } from '../../test/run-command.ts';

const env = (url: string) => ({ env: { SHOPSCOPE_API_KEY: 'svc_live_secret', SHOPSCOPE_BASE_URL: url } });
const deleted: Answer = (_, response) => response.writeHead(204).end();

/** Answers every input with the result. */
const resultsOf =
  (result: string): Answer =>
  (received, response) => {
    const { domains } = received.body as { domains: string[] };
    const results = domains.map((input) => ({ input, domain: input, result }));
    return json(200, { results })(received, response);
  };

describe('the command lists', () => {
  test('add and remove send the domains of a file in requests of 2,000, and print the number of each result', async () => {
    const input = Array.from({ length: 2_001 }, (_, n) => `shop-${n}.example`).join('\n');
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
