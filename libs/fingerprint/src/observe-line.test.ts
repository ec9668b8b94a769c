import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { observeLine } from './observe-line.ts';

const answer = (value: unknown) =>
  JSON.parse(observeLine(typeof value === 'string' ? value : JSON.stringify(value), 3).text);

describe('line of observe', () => {
  it('a line of observe has the names of the public contract in its result, and the basis of the name', () => {
    const { technologies, ...rest } = answer({
      url: 'https://shop.de/',
      status: 200,
      headers: { 'x-shopid': '1' },
      body: '<html lang="de"><meta property="og:site_name" content="Nordlicht"><script src="https://js.stripe.com/v3/"></script>',
    });
    expect(rest).toEqual({
      url: 'https://shop.de/',
      platform: { slug: 'shopify', name: 'Shopify', confidence: 'medium' },
      name: 'Nordlicht',
      name_basis: 'declared',
      geography: { country: 'DE', basis: 'inferred' },
      industry: { slug: 'unclassified', basis: 'unknown' },
      catalog: {
        product_count: 0,
        available_count: null,
        coverage: 'none',
        currency: 'XXX',
        price_range: { median: 0, p25: 0, p75: 0 },
      },
      status: { state: 'active_storefront' },
    });
    expect(technologies).toContainEqual({
      slug: 'stripe',
      name: 'Stripe',
      kind: 'service',
      category: 'payment-processors',
      confidence: 'medium',
      install_state: 'active',
    });
  });

  it('a line of observe does not need status, headers and URL', () => {
    const body = '<title>Tea</title><h1>Fine teas</h1>';
    expect(answer({ url: 'https://shop.example/', body }).status).toEqual({ state: 'not_a_storefront' });
    expect(answer({ url: null, body })).toMatchObject({ url: null, name: 'unknown' });
  });

  it.each([
    ['invalid JSON', '{', 'not a line of JSON'],
    ['JSON that is not an object', '[]', 'a line must be a JSON object'],
    ['a URL that is a number', { url: 7, body: '' }, 'url must be an http or https address'],
    ['a URL without a scheme', { url: 'shop.example', body: '' }, 'url must be an http or https address'],
    ['a URL of another scheme', { url: 'file:///etc/hosts', body: '' }, 'url must be an http or https address'],
    ['an empty URL', { url: '', body: '' }, 'url must be an http or https address'],
    ['no URL and no body', {}, 'body must be a string'],
  ])('a line of observe with %s has its number and the reason in its result', (_, line, error) => {
    expect(answer(line)).toEqual({ url: null, error: { code: 'invalid_line', message: error }, line: 3 });
  });

  it.each([
    ['no body', {}, 'body must be a string'],
    ['an invalid status', { status: 'ok', body: '' }, 'status must be an integer'],
    ['invalid headers', { headers: 'x', body: '' }, 'headers must be an object of strings'],
  ])('a line of observe with %s has its URL in its result, too', (_, members, message) => {
    const url = 'https://a.example/';
    expect(answer({ url, ...members })).toEqual({ url, error: { code: 'invalid_line', message }, line: 3 });
  });

  it('a line of observe has the code and a sentence in place of a profile when the page is not a store’s own page', () => {
    const url = 'https://shop.example/';
    expect(answer({ url, body: '' })).toEqual({
      url,
      error: { code: 'empty_page', message: 'The page shows nothing.' },
    });
    expect(answer({ url: null, status: 429, headers: { 'cf-mitigated': 'challenge' }, body: '' })).toEqual({
      url: null,
      error: { code: 'challenged', message: 'A bot protection checks the visitor. It is from Cloudflare.' },
    });
    expect(answer({ url, status: 503, body: '<h1>Service Unavailable</h1>' }).error.code).toBe('server_error');
  });
});

/** Runs the command as its bootstrap does and returns its output. */
async function observe(args: string[], input?: string) {
  const options = ['--conditions=@shopscope/source', fileURLToPath(new URL('./observe.ts', import.meta.url)), ...args];
  const child = spawn(process.execPath, options, { stdio: 'pipe', cwd: folder });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code, out, err, lines: out.trim().split('\n') };
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'observe-'));
  writeFileSync(
    join(folder, 'page.html'),
    '<meta property="og:site_name" content="Nordlicht"><script src="https://js.stripe.com/v3/"></script>',
  );
  writeFileSync(
    join(folder, 'legacy.html'),
    Buffer.from(
      '<meta charset="iso-8859-1"><meta property="og:site_name" content="Ni\xf1os"><p>Ropa para ni\xf1os</p>',
      'latin1',
    ),
  );
  writeFileSync(join(folder, 'wall.html'), '<title>Shop</title><h1>We will be back soon</h1>');
  writeFileSync(join(folder, 'good.jsonl'), `${JSON.stringify({ url: 'https://a.example/', body: '' })}\n`);
  writeFileSync(join(folder, 'bad.jsonl'), '\n{"url":"shop","body":""}\n{"url":"https://b.example/","body":""}\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('observe PAGE', () => {
  it('observe PAGE prints one indented JSON document for a file, with the URL of --url', async () => {
    const { code, out, err } = await observe(['page.html', '--url', 'https://shop.example/']);
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({ url: 'https://shop.example/', name: 'Nordlicht' });
    expect(out.split('\n').length).toBeGreaterThan(20);
  });

  it('observe PAGE observes a page without a URL, in the charset of the page', async () => {
    expect(JSON.parse((await observe(['legacy.html'])).out)).toMatchObject({ url: null, name: 'Niños' });
  });

  it.each([
    ['a file that does not exist', ['nothing.html'], 'There is no file nothing.html.\n'],
    [
      'a missing file of lines, before any output',
      ['--jsonl', 'good.jsonl', 'no.jsonl'],
      'There is no file no.jsonl.\n',
    ],
    ['a folder', ['.'], '. is a folder, not a file.\n'],
  ])('observe PAGE reports %s in one sentence with exit code 1', async (_, args, sentence) => {
    expect(await observe(args)).toMatchObject({ code: 1, out: '', err: sentence });
  });

  it.each([
    ['no page', [], 'A page is missing.'],
    ['two pages', ['page.html', 'legacy.html'], 'Several pages need --jsonl.'],
    ['an unknown option', ['page.html', '--fast'], "Unknown option '--fast'"],
    ['an invalid URL', ['page.html', '--url', 'shop'], '--url must be an http or https address.'],
    ['a URL together with --jsonl', ['--jsonl', '--url', 'https://a.example/'], '--url belongs to one page'],
  ])('observe PAGE prints the usage with exit code 2 for %s', async (_, args, problem) => {
    const { code, out, err } = await observe(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(problem);
    expect(err).toContain('npm run --silent observe -- PAGE.html');
  });

  it('observe PAGE prints the usage on --help', async () => {
    expect(await observe(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('--jsonl [FILE') });
  });
});

describe('observe --jsonl', () => {
  it('observe --jsonl prints results of thousands of lines in order, continues after an invalid line, and exits with 1', async () => {
    const input = Array.from({ length: 3000 }, (_, i) =>
      i === 1500 ? 'broken' : JSON.stringify({ url: `https://shop${i}.example/`, body: '<p>hello</p>' }),
    );
    const { code, lines } = await observe(['--jsonl'], `${input.join('\n')}\n`);
    const answers = lines.map((line) => JSON.parse(line));
    expect(code).toBe(1);
    expect(answers).toHaveLength(3000);
    expect(answers[1500]).toEqual({
      url: null,
      error: { code: 'invalid_line', message: 'not a line of JSON' },
      line: 1501,
    });
    expect(answers[2999].url).toBe('https://shop2999.example/');
  });

  it('observe --jsonl reads files in order, and reports the line number of an invalid URL within its file', async () => {
    const { code, lines } = await observe(['--jsonl', 'bad.jsonl', 'good.jsonl']);
    const answers = lines.map((line) => JSON.parse(line));
    expect(code).toBe(1);
    expect(answers).toMatchObject([
      { url: null, error: { code: 'invalid_line', message: 'url must be an http or https address' }, line: 2 },
      { url: 'https://b.example/' },
      { url: 'https://a.example/' },
    ]);
  });

  it('observe --jsonl exits with 0 when every line was read, even when a page is not a store’s own page', async () => {
    expect(await observe(['--jsonl', 'good.jsonl'])).toMatchObject({ code: 0, err: '' });
    const { code, lines } = await observe(['wall.html', '--url', 'https://shop.example/']);
    expect([code, JSON.parse(lines.join('\n'))]).toMatchObject([0, { error: { code: 'maintenance_page' } }]);
  });

  it('observe --jsonl ends without an error when the reader of its output closes the pipe', async () => {
    const many = `${JSON.stringify({ url: null, body: '<p>hello</p>' })}\n`.repeat(2_000);
    writeFileSync(join(folder, 'many.jsonl'), many);
    const script = fileURLToPath(new URL('./observe.ts', import.meta.url));
    const command = `"$0" --conditions=@shopscope/source "$1" --jsonl "$2" | head -n 1`;
    const child = spawn('bash', [
      '-o',
      'pipefail',
      '-c',
      command,
      process.execPath,
      script,
      join(folder, 'many.jsonl'),
    ]);
    let err = '';
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    const [code] = await once(child, 'close');
    expect([code, err]).toEqual([0, '']);
  });
});
