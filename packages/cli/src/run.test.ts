import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError, ConnectionError } from '@shopscope/client';
import { Option } from 'commander';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import contract from '../../../docs/openapi.json' with { type: 'json' };
import { type Answer, failure, json, startScriptedService } from '../../client/test/scripted-service.ts';
import { runCommand } from '../test/run-command.ts';
import { commands } from './commands/index.ts';
import { exitCodeOf, sentenceOf } from './errors.ts';

const exampleOf = (path: string, method = 'get', status = '200') => {
  const operation = (contract.paths as never)[path]?.[method] as never as {
    responses: Record<
      string,
      { content: { 'application/json': { example?: object; examples?: Record<string, { value: object }> } } }
    >;
  };
  const content = operation.responses[status]?.content['application/json'];
  return (content?.example ?? Object.values(content?.examples ?? {})[0]?.value) as object;
};
function compactPage() {
  const page = exampleOf('/v1/stores/search', 'post') as { data: object[] };
  const store = {
    name: 'Shop',
    platform: 'shopify',
    country: 'DE',
    industry: 'beauty',
    last_completed_scan_at: '2026-01-15',
  };
  return { ...page, data: page.data.map((row) => ({ ...row, store })) };
}
const examples: Record<string, object> = {
  'GET /v1/account': exampleOf('/v1/account'),
  'GET /v1/usage': exampleOf('/v1/usage'),
  'GET /v1/technologies': { ...exampleOf('/v1/technologies'), next_cursor: null },
  'GET /v1/signals': { ...exampleOf('/v1/signals'), next_cursor: null },
  'GET /v1/events': exampleOf('/v1/events'),
  'GET /v1/jobs': { ...exampleOf('/v1/jobs'), next_cursor: null },
  'GET /v1/jobs/job_1': exampleOf('/v1/jobs/{job_id}'),
  'POST /v1/jobs/job_1/cancel': exampleOf('/v1/jobs/{job_id}/cancel', 'post'),
  'GET /v1/lists': { ...exampleOf('/v1/lists'), next_cursor: null },
  'POST /v1/lists': exampleOf('/v1/lists', 'post', '201'),
  'GET /v1/lists/lst_1': exampleOf('/v1/lists/{list_id}'),
  'PATCH /v1/lists/lst_1': exampleOf('/v1/lists/{list_id}', 'patch'),
  'GET /v1/lists/lst_1/stores': { ...exampleOf('/v1/lists/{list_id}/stores'), next_cursor: null },
  'GET /v1/watchlists': { ...exampleOf('/v1/watchlists'), next_cursor: null },
  'POST /v1/watchlists': exampleOf('/v1/watchlists', 'post', '201'),
  'GET /v1/watchlists/wl_1': exampleOf('/v1/watchlists/{watchlist_id}'),
  'PATCH /v1/watchlists/wl_1': exampleOf('/v1/watchlists/{watchlist_id}', 'patch'),
  'GET /v1/watchlists/wl_1/stores': { ...exampleOf('/v1/watchlists/{watchlist_id}/stores'), next_cursor: null },
  'GET /v1/webhooks': { ...exampleOf('/v1/webhooks'), next_cursor: null },
  'POST /v1/webhooks': exampleOf('/v1/webhooks', 'post', '201'),
  'GET /v1/webhooks/whk_1': exampleOf('/v1/webhooks/{webhook_id}'),
  'PATCH /v1/webhooks/whk_1': exampleOf('/v1/webhooks/{webhook_id}', 'patch'),
  'POST /v1/webhooks/whk_1/test': exampleOf('/v1/webhooks/{webhook_id}/test', 'post'),
  'POST /v1/webhooks/whk_1/replay': exampleOf('/v1/webhooks/{webhook_id}/replay', 'post', '202'),
  'GET /v1/webhooks/whk_1/deliveries': {
    ...exampleOf('/v1/webhooks/{webhook_id}/deliveries'),
    next_cursor: null,
  },
  'GET /v1/deliveries': { ...exampleOf('/v1/deliveries'), next_cursor: null },
  'GET /v1/deliveries/dlv_1': exampleOf('/v1/deliveries/{delivery_id}'),
  'POST /v1/deliveries/dlv_1/retry': exampleOf('/v1/deliveries/{delivery_id}/retry', 'post', '202'),
  'GET /v1/stores/shop.example': exampleOf('/v1/stores/{domain}'),
  'GET /v1/stores/shop.example/history': { ...exampleOf('/v1/stores/{domain}/history'), next_cursor: null },
  'POST /v1/stores/search': { ...compactPage(), next_cursor: null },
  'POST /v1/stores/count': exampleOf('/v1/stores/count', 'post'),
  'POST /v1/stores/shop.example/scans': exampleOf('/v1/stores/{domain}/scans', 'post', '202'),
  'GET /': { ...exampleOf('/'), documentation_url: 'https://site.example/docs' },
};
const answer: Answer = (received, response) => {
  const body = examples[`${received.method} ${received.url.split('?')[0]}`];
  return (body ? json(200, body) : failure(404, 'not_found'))(received, response);
};
const env = (url: string) => ({ env: { SHOPSCOPE_API_KEY: 'svc_live_secret', SHOPSCOPE_BASE_URL: url } });

describe('commands', () => {
  test.each([
    [['lookup', 'shop.example'], /Platform\s+Shopify \(high\)[\s\S]*klaviyo/],
    [['history', 'shop.example'], /technology_added\s+klaviyo/],
    [['signals', '--country', 'DE'], /shop\.example/],
    [['find', '--country', 'DE'], /shop\.example\s+Shop\s+shopify\s+DE\s+beauty\s+2026-01-15\s+klaviyo\s+loox 2026-/],
    [
      ['find', '--facets', 'country'],
      /Stores\s+215\n[\s\S]*Left\s+24000 lookup_cached[\s\S]*COUNTRY\s+STORES\nDE\s+180\n/,
    ],
    [['events'], /signal\.confirmed\s+shop\.example/],
    [['technologies', '-q', 'kl', '--sort', '-stores'], /klaviyo\s+Klaviyo\s[\s\S]*4210\n/],
    [['usage'], /lookup_cached\s+\d+/],
    [['account'], /rpm\s+\d+/],
    [['scan', 'shop.example'], /State\s+queued/],
    [['jobs'], /job_/],
    [['jobs', 'job_1'], /Attempts/],
    [['jobs', 'cancel', 'job_1'], /State\s+canceled/],
    [['lists'], /lst_\S+\s+Prospects\s+2/],
    [['lists', 'lst_1'], /shop\.example\s+crm-1042/],
    [['lists', 'show', 'lst_1'], /Name\s+Prospects\nStores\s+2\n/],
    [['lists', 'create', 'Prospects'], /Name\s+Prospects/],
    [['lists', 'rename', 'lst_1', 'Prospects'], /Name\s+Prospects/],
    [['watchlists'], /wl_\S+\s+Competitors\s+active\s+40\s+7\s/],
    [['watchlists', 'wl_1'], /shop\.example\s+crm-1042/],
    [['watchlists', 'show', 'wl_1'], /State\s+active\n[\s\S]*Next rescan\s+2026-\S+\nBudget\s+500 refresh_requested\n/],
    [['watchlists', 'create', 'Competitors', '--every', '7'], /State\s+active/],
    [['watchlists', 'set', 'wl_1', '--every', 'never'], /Left\s+408/],
    [['watchlists', 'pause', 'wl_1'], /State\s+paused/],
    [['webhooks'], /whk_\S+\s+https:\S+\s+active\s+signal\.confirmed\s/],
    [['webhooks', 'show', 'whk_1'], /Filters\s+technology=klaviyo country=DE,AT confidence_min=medium\n/],
    [['webhooks', 'update', 'whk_1', '--max-per-minute', 'none'], /Per minute\s+no bound\nHeaders\s+x-team\n/],
    [['webhooks', 'pause', 'whk_1'], /State\s+paused/],
    [['webhooks', 'test', 'whk_1'], /^webhook\.failing evt_\S+\nAnswer\s+204\nLatency\s+87 ms\nBody\s+–\n$/],
    [['webhooks', 'replay', 'whk_1', '--from', '2026-01-14T00:00:00Z'], /Type\s+replay/],
    [['webhooks', 'deliveries', 'whk_1', '--state', 'failed'], /dlv_\S+\s+evt_\S+\s+signal\.confirmed\s/],
    [['deliveries'], /dlv_\S+\s+evt_\S+\s+signal\.confirmed\s+succeeded\s+1\s+204\s/],
    [['deliveries', 'show', 'dlv_1'], /Sequence\s+1042\n[\s\S]*\n\nATTEMPT\s+ANSWER\s+MS\s+BODY\n\S+\s+204\s+87\n/],
    [['deliveries', 'retry', 'dlv_1'], /State\s+\w+/],
    [['open', 'shop.example'], /^https:\/\/site\.example\/stores\/shop\.example\n$/],
  ])('the command %j prints text for people, and JSON with --json', async (args, text) => {
    await using service = await startScriptedService([answer]);
    const shown = await runCommand(args, env(service.url));
    expect(shown.err).toBe('');
    expect(shown.code).toBe(0);
    expect(shown.out).toMatch(text);
    const { out } = await runCommand([...args, '--json'], env(service.url));
    expect(() => JSON.parse(out)).not.toThrow();
  });

  test.each(Object.keys(commands))('the command %s has help with examples', async (name) => {
    const { code, out } = await runCommand([name, '--help']);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`Usage: shopscope ${name}[\\s\\S]*Examples:\\n  shopscope ${name}`));
  });

  test.each([
    [[], 2, 'Usage'],
    [['nothing'], 2, 'There is no command "nothing". `shopscope --help` lists them.'],
    [['lokup'], 2, 'There is no command "lokup". Did you mean lookup?'],
    [['lookup'], 2, 'Usage: shopscope lookup DOMAIN…'],
    [['usage', '--wrong'], 2, "Unknown option '--wrong'"],
    [['signals', '--contry', 'DE'], 2, "Unknown option '--contry'. Did you mean --country?"],
    [['usage', 'more'], 2, 'Too many arguments'],
    [['--json', 'usage'], 2, "Unknown option '--json'."],
    [['--'], 2, 'A command is missing. `shopscope --help` lists the commands.'],
    [['enrich', 'rows.txt', '-o', '--json'], 2, '--output needs a value.'],
    [['enrich', 'rows.txt', '-o'], 2, "Option '-o, --output <FILE>' argument missing."],
    [['jobs', 'cancel'], 2, 'Usage: shopscope jobs [ID | results ID | cancel ID]'],
    [['lists', 'show'], 2, 'Usage: shopscope lists'],
    [['lists', 'create'], 2, 'Usage: shopscope lists'],
    [['lists', 'add', 'lst_1'], 2, 'Usage: shopscope lists'],
    [['lists', 'lst_1', 'more'], 2, 'Usage: shopscope lists'],
    [['watchlists', 'add', 'wl_1'], 2, 'Usage: shopscope watchlists'],
    [['watchlists', 'set', 'wl_1'], 2, 'Give at least one of'],
    [['watchlists', 'set', 'wl_1', '--every', 'week'], 2, '--every must be a whole number from 1, or never.'],
    [['watchlists', 'set', 'wl_1', '--budget', '1.5'], 2, '--budget must be a whole number from 0, or none.'],
    [['watchlists', 'pause', 'wl_1', '--every', '7'], 2, '--every belongs to create and set.'],
    [['webhooks', 'whk_1'], 2, 'Usage: shopscope webhooks'],
    [['webhooks', 'stop', 'whk_1'], 2, 'Usage: shopscope webhooks'],
    [['webhooks', 'create', 'https://hooks.example'], 2, 'create needs --events.'],
    [['webhooks', 'update', 'whk_1'], 2, 'Give at least one of --url, --events'],
    [['webhooks', 'pause', 'whk_1', '--max-per-minute', '7'], 2, '--max-per-minute belongs to create, update.'],
    [['webhooks', 'update', 'whk_1', '--max-per-minute', 'few'], 2, '--max-per-minute must be a whole number from 1'],
    [['webhooks', 'update', 'whk_1', '--header', 'X-Team'], 2, "--header must be like 'X-Team: growth'."],
    [['webhooks', 'rotate', 'whk_1', '--overlap-hours', 'x'], 2, '--overlap-hours must be a whole number from 0.'],
    [['webhooks', 'replay', 'whk_1'], 2, 'replay needs --from.'],
    [['deliveries', 'dlv_1'], 2, 'Usage: shopscope deliveries [show ID | retry ID]'],
    [['deliveries', 'retry'], 2, 'Usage: shopscope deliveries [show ID | retry ID]'],
    [['history', 'shop.example', '--limit', 'many'], 2, '--limit'],
    [['usage'], 2, 'shopscope login'],
    [['lookup', 'shop.example', ''], 2, '"" is no DOMAIN (argument 2). Usage: shopscope lookup DOMAIN…'],
    [['lookup', '..'], 2, '".." is no DOMAIN (argument 1).'],
    [['scan', ''], 2, '"" is no DOMAIN (argument 1).'],
    [['history', ''], 2, '"" is no DOMAIN (argument 1).'],
    [['open', ''], 2, '"" is no DOMAIN (argument 1).'],
    [['jobs', ''], 2, '"" is no ID (argument 1).'],
    [['jobs', 'cancel', ''], 2, '"" is no ID (argument 2).'],
    [['enrich', ''], 2, '"" is no FILE (argument 1).'],
    [['completion', ''], 2, '"" is no SHELL (argument 1).'],
    [['enrich', 'rows.txt', '--max-units', ''], 2, '--max-units is empty.'],
    [['enrich', 'rows.txt', '-o', ''], 2, '--output is empty.'],
    [['signals', '--country='], 2, '--country is empty.'],
    [['login', '--base-url', ''], 2, '--base-url is empty.'],
    [[''], 2, 'There is no command "".'],
  ])('the command line %j, called wrongly, ends with %i and says what to do', async (args, code, sentence) => {
    const ran = await runCommand(args);
    expect(ran.code).toBe(code);
    expect(ran.out + ran.err).toContain(sentence);
  });

  test('a command takes options before and after positionals, and every word after -- as a positional', async () => {
    await using service = await startScriptedService([json(200, { data: [], next_cursor: null })]);
    await runCommand(['technologies', '-qkl', '--kind=-app', '--json'], env(service.url));
    await runCommand(['open', '--json', '--', '--kind'], env(service.url));
    await runCommand(['jobs', '--json', 'job_1', '--state', 'failed', '--json'], env(service.url));
    expect(service.received.map(({ url }) => url)).toEqual([
      '/v1/technologies?kind=-app&q=kl&limit=200',
      '/',
      '/v1/jobs/job_1',
    ]);
  });

  test('the command lookup refuses more than 1,000 domains before it asks for one', async () => {
    await using service = await startScriptedService([answer]);
    const ran = await runCommand(['lookup', ...Array(1_001).fill('shop.example')], env(service.url));
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining('At most 1000 domains.') });
    expect(service.received).toEqual([]);
  });

  test.each(['lokup', 'toString'])('the help of %s, which is no command, lists the commands', async (word) => {
    const { code, out, err } = await runCommand(['help', word]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('Usage: shopscope COMMAND');
  });

  test.each([
    [failure(401, 'unauthorized'), 3],
    [failure(403, 'forbidden_scope'), 3],
    [failure(400, 'invalid_request'), 2],
    [failure(404, 'not_found'), 4],
    [failure(402, 'payment_required', {}, { unit: 'history_query', reset_at: '2026-12-01' }), 5],
    [failure(503, 'unavailable', { 'Retry-After': '3600' }), 6],
    [failure(501, 'not_implemented'), 1],
  ])('an error of the service has its exit code and its request id, and no stack', async (error, code) => {
    await using service = await startScriptedService([error]);
    const ran = await runCommand(['history', 'shop.example'], env(service.url));
    expect(ran.code).toBe(code);
    expect(ran.err).toMatch(/^shopscope: It is .*\(request req_1\)\n$/);
  });

  test('a spent allowance is reported once, with the message of the service', () => {
    const message = 'This request needs 1 lookup_live; none are left of 25 until 2026-12-01T00:00:00.000Z.';
    const details = { unit: 'lookup_live', resetAt: '2026-12-01T00:00:00.000Z', retryAfterMs: undefined } as const;
    const error = new ApiError(message, { code: 'payment_required', status: 402, requestId: 'req_1', ...details });
    expect(sentenceOf(error)).toBe(`${message} (request req_1)`);
  });

  test('a failed connection is reported with the address and what to check, and without a request', () => {
    const error = new ConnectionError('no complete response from http://127.0.0.1:9: connect ECONNREFUSED 127.0.0.1:9');
    expect(exitCodeOf(error)).toBe(6);
    expect(sentenceOf(error)).toBe(
      `${error.message}. Check the address (SHOPSCOPE_BASE_URL, or that of \`shopscope login --base-url\`), the network, and that the service runs.`,
    );
  });

  test('an unknown store is reported as unknown, and the exit code tells it', async () => {
    await using service = await startScriptedService([answer]);
    const ran = await runCommand(['lookup', 'unknown.example', 'shop.example'], env(service.url));
    expect(ran.code).toBe(4);
    expect(ran.out).toMatch(/^unknown\.example is unknown\.[\s\S]*Shopify/);
  });

  test('signals sends lists of values with commas, the values of a change, and the order', async () => {
    await using service = await startScriptedService([answer]);
    const query = [
      '--technology',
      'klaviyo,yotpo',
      '--country',
      'DE,FR',
      '--from-value',
      'magento',
      '--to-value',
      'shopify',
    ];
    const order = ['--order', 'asc', '--confirmed-from', '2026-01-01T00:00:00Z'];
    await runCommand(['signals', ...query, ...order], env(service.url));
    const sent = Object.fromEntries(new URL(service.received[0]?.url ?? '', 'http://x').searchParams);
    expect(sent).toMatchObject({
      technology: 'klaviyo,yotpo',
      country: 'DE,FR',
      from_value: 'magento',
      to_value: 'shopify',
      order: 'asc',
    });
  });

  test('a list of a command ends with the rows that were asked for', async () => {
    const page = { ...exampleOf('/v1/signals'), next_cursor: 'more' } as unknown as { data: object[] };
    await using service = await startScriptedService([
      (received, response) =>
        json(200, { ...page, data: Array(200).fill(page.data[0]), next_cursor: received.url })(received, response),
    ]);
    const { out } = await runCommand(['signals', '--limit', '250', '--json'], env(service.url));
    expect(JSON.parse(out).data).toHaveLength(250);
    expect(service.received).toHaveLength(2);
  });
});

test.each([
  [['history', 'shop.example'], '/v1/stores/shop.example/history'],
  [['signals'], '/v1/signals'],
])(
  'the command %j shows when a change was retracted, and asks for retracted ones only on request',
  async (args, path) => {
    const found = exampleOf(path.replace('shop.example', '{domain}')) as { data: object[] };
    const [row] = found.data;
    const retracted = { ...row, retracted_at: '2026-01-16T12:00:00.000Z', retracted_reason: 'technology_seen_again' };
    const page = { ...found, data: [row, retracted], next_cursor: null };
    await using service = await startScriptedService([json(200, page)]);
    const { out } = await runCommand([...args, '--include-retracted'], env(service.url));
    expect(out).toMatch(/RETRACTED\n.*–\n.*2026-01-16\n/);
    await runCommand([...args, '--retracted-from', '2026-01-16T00:00:00Z'], env(service.url));
    await runCommand(args, env(service.url));
    expect(service.received.map(({ url }) => url)).toEqual([
      `${path}?include=retracted&limit=50`,
      `${path}?retracted_from=2026-01-16T00%3A00%3A00Z&limit=50`,
      `${path}?limit=50`,
    ]);
  },
);

describe('completion for bash', () => {
  /** What pressing the tab key after these words offers. */
  const completed = async (...words: string[]) => {
    const { out } = await runCommand(['completion', 'bash']);
    const script = `${out}
      compopt() { echo "files by: $*"; }
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _shopscope; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['--norc', '-c', script, 'bash', 'shopscope', ...words], { encoding: 'utf8' })
      .trim()
      .split('\n');
  };

  test('the completion for bash offers the commands, and of a command its options, its words and files where it reads one', async () => {
    expect(await completed('')).toEqual(Object.keys(commands));
    expect(await completed('lo')).toEqual(['login', 'logout', 'lookup']);
    expect(await completed('enrich', '--ma')).toEqual(['files by: -o default', '--max-units']);
    expect(await completed('jobs', 'c')).toEqual(['cancel']);
    expect(await completed('completion', 'z')).toEqual(['zsh']);
    expect(await completed('lookup', 'd')).toEqual(['']);
  });

  test.each(['zsh', 'fish'])('the completion for %s exists too, with each command and each option', async (shell) => {
    const { code, out } = await runCommand(['completion', shell]);
    expect(code).toBe(0);
    for (const [name, { load }] of Object.entries(commands)) {
      expect(out).toContain(name);
      for (const flags of Object.keys((await load()).default.options ?? {}))
        expect(out).toMatch(new RegExp(`--?l? ?${new Option(flags).name()}`));
    }
  });
});

describe('login', () => {
  let configFolder: string;
  beforeEach(() => {
    configFolder = join(mkdtempSync(join(tmpdir(), 'shopscope-cli-')), 'config');
  });
  afterEach(() => rmSync(join(configFolder, '..'), { recursive: true }));

  test('login keeps a key that was checked, for this person alone, until logout', async () => {
    await using service = await startScriptedService([answer]);
    const login = await runCommand(['login', '--base-url', service.url], { configFolder, input: 'svc_live_mine\n' });
    expect(login).toMatchObject({ code: 0, err: '' });
    const file = join(configFolder, 'credentials.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(login.out).not.toContain('svc_live_mine');
    await runCommand(['usage'], { configFolder });
    expect(service.received.at(-1)?.headers).toMatchObject({
      authorization: 'Bearer svc_live_mine',
      'user-agent': expect.stringMatching(/^shopscope-cli\//),
    });
    expect(await runCommand(['logout'], { configFolder })).toMatchObject({ code: 0, out: 'The key is forgotten.\n' });
    expect(await runCommand(['usage'], { configFolder })).toMatchObject({ code: 2 });
  });

  test('login keeps no key that the service refuses', async () => {
    await using service = await startScriptedService([failure(401, 'unauthorized')]);
    const ran = await runCommand(['login', '--base-url', service.url], { configFolder, input: 'svc_live_wrong\n' });
    expect(ran.code).toBe(3);
    expect(() => readFileSync(join(configFolder, 'credentials.json'))).toThrow();
  });

  test('login replaces a file with other rights by one for this person alone', async () => {
    await using service = await startScriptedService([answer]);
    const login = () => runCommand(['login', '--base-url', service.url], { configFolder, input: 'svc_live_mine\n' });
    await login();
    chmodSync(join(configFolder, 'credentials.json'), 0o644);
    await login();
    expect(statSync(join(configFolder, 'credentials.json')).mode & 0o777).toBe(0o600);
  });
});
