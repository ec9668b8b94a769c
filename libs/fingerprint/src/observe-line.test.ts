import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { observeLine } from './observe-line.ts';

const answer = (value: unknown) =>
  JSON.parse(observeLine(typeof value === 'string' ? value : JSON.stringify(value), 3));

describe('a line of observe', () => {
  it('is answered in the names of the public contract', () => {
    const { technologies, ...rest } = answer({
      url: 'https://shop.de/',
      status: 200,
      headers: { 'x-shopid': '1' },
      body: '<html lang="de"><title>Nordlicht</title><script src="https://js.stripe.com/v3/"></script>',
    });
    expect(rest).toEqual({
      url: 'https://shop.de/',
      platform: { slug: 'shopify', name: 'Shopify', confidence: 'medium' },
      name: 'Nordlicht',
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

  it('may lack status, headers and address', () => {
    expect(answer({ url: 'https://shop.example/', body: '' }).status).toEqual({ state: 'not_a_storefront' });
    expect(answer({ url: null, body: '<p>' })).toMatchObject({ url: null, name: 'unknown' });
  });

  it.each([
    ['no JSON', '{', 'not a line of JSON'],
    ['no object', '[]', 'a line must be a JSON object'],
    ['an address that is none', { url: 7, body: '' }, 'url must be a string'],
    ['no body', { url: 'https://a.example/' }, 'body must be a string'],
    ['a status that is none', { url: 'https://a.example/', status: 'ok', body: '' }, 'status must be an integer'],
    [
      'headers that are none',
      { url: 'https://a.example/', headers: 'x', body: '' },
      'headers must be an object of strings',
    ],
  ])('with %s is answered with its number and the reason', (_, line, error) => {
    expect(answer(line)).toEqual({ error, line: 3 });
  });
});

describe('observe --jsonl', () => {
  it('answers thousands of lines in order and goes on after a bad one', async () => {
    const child = spawn(
      process.execPath,
      ['--conditions=@shopscope/source', fileURLToPath(new URL('./observe.ts', import.meta.url)), '--jsonl'],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    const lines = Array.from({ length: 3000 }, (_, i) =>
      i === 1500 ? 'broken' : JSON.stringify({ url: `https://shop${i}.example/`, body: '<p>hello</p>' }),
    );
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stdin.end(`${lines.join('\n')}\n`);
    const [code] = await once(child, 'close');
    const answers = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(0);
    expect(answers).toHaveLength(3000);
    expect(answers[1500]).toEqual({ error: 'not a line of JSON', line: 1501 });
    expect(answers[2999].url).toBe('https://shop2999.example/');
  });
});
