import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type RepeatableRequest, repeatCommand } from './repeat-command.ts';

const command = (over: Partial<RepeatableRequest>) =>
  repeatCommand('https://api.shopscope.example', {
    method: 'GET',
    path: '/v1/stores/shop.example',
    query: '',
    operation: 'getStore',
    domains: 1,
    hasIdempotencyKey: false,
    ...over,
  });

/** The arguments that a shell makes of a command. */
const argumentsOf = (text: string) =>
  execFileSync('sh', ['-c', `${text.replace(/^curl/, "printf '%s\\n'")}`], { env: { SHOPSCOPE_API_KEY: 'KEY' } })
    .toString()
    .trimEnd()
    .split('\n');

describe('command that repeats a request', () => {
  it('the command that repeats a request has the method, the path and the query, and a placeholder for the key', () => {
    expect(command({ query: 'limit=10', path: '/v1/technologies', operation: 'listTechnologies' })).toBe(
      `curl 'https://api.shopscope.example/v1/technologies?limit=10' -H "Authorization: Bearer $SHOPSCOPE_API_KEY"`,
    );
    expect(command({ method: 'HEAD' })).toMatch(/^curl --head 'https/);
    expect(command({ method: 'DELETE' })).toMatch(/^curl -X DELETE 'https/);
    expect(command({ path: '/v1/stores/{domain}' })).toContain("/v1/stores/DOMAIN'");
  });

  it('the command that repeats a request has at most three placeholders for its domains, because bodies are not stored', () => {
    const enrich = { method: 'POST', path: '/v1/stores/enrich', operation: 'enrichStores' };
    expect(command({ ...enrich, domains: 2 })).toContain(`-d '{"domains":["DOMAIN_1","DOMAIN_2"]}'`);
    expect(command({ ...enrich, domains: 100 })).toContain(`["DOMAIN_1","DOMAIN_2","DOMAIN_3"]`);
    expect(command({ ...enrich, domains: 0, hasIdempotencyKey: true })).toContain("-H 'Idempotency-Key: ");
  });

  it('the command that repeats a request runs nothing that a caller has put into the path or the query', () => {
    const attack = `'; touch x; "$(id)" \`id\` \\ \n [1-9] {a,b} $HOME #`;
    const text = command({ path: `/v1/stores/${attack}`, query: `q=${attack}` });
    const [url, ...options] = argumentsOf(text as string);
    expect(url).toMatch(/^https:\/\/api\.shopscope\.example\/v1\/stores\/[\w%.,-]+\?q=[\w%.,-]+$/);
    expect(options).toEqual(['-H', 'Authorization: Bearer KEY']);
  });

  it('the command that repeats a request keeps dot segments of the path, which curl would resolve', () => {
    for (const path of ['/v1/../v2', '/v1/stores/..', '/./v1', '/v1/stores/.'])
      expect(command({ path })).toBe(
        `curl --path-as-is 'https://api.shopscope.example${path}' -H "Authorization: Bearer $SHOPSCOPE_API_KEY"`,
      );
    for (const path of ['/v1/stores/shop.example', '/v1/stores/...', '/v1/..x/y', '/v1/.hidden'])
      expect(command({ path })).not.toContain('--path-as-is');
  });

  it('a request whose path was stored in part, or whose method is not a word, has no command that repeats it', () => {
    expect(command({ path: '/v1/stores/https…' })).toBeUndefined();
    expect(command({ method: 'GET; id' })).toBeUndefined();
  });
});
