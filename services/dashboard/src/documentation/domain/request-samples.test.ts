import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { magicDomains } from '@shopscope/test-tenant';
import { describe, expect, it } from 'vitest';
import type { Openapi } from './openapi.ts';
import { familiesOf, type Operation } from './reference.ts';
import { curlOf, sampleRequestOf, samplesOf } from './request-samples.ts';

const contract = JSON.parse(
  readFileSync(new URL('../../../../../docs/openapi.json', import.meta.url), 'utf8'),
) as Openapi;
const operations = familiesOf(contract).flatMap((family) => family.operations);
const apiUrl = 'https://api.test';

/** The words that a shell passes to the command. */
function wordsOf(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  return execFileSync('bash', ['--norc', '-c', script], {
    env: { SHOPSCOPE_API_KEY: 'svc_live_key' },
    encoding: 'utf8',
  })
    .split('\0')
    .slice(0, -1);
}

describe('samples of curl', () => {
  it.each(operations.map((operation): [string, Operation] => [operation.id, operation]))(
    'the curl sample of %s is one command of a shell with the method, the address, the key and the body',
    (_, operation) => {
      const words = wordsOf(samplesOf(operation, apiUrl).sh);
      const path = operation.path.replaceAll(/\{\w+\}/g, 'X');
      expect(
        words[words[0] === '-X' ? 2 : 0]?.replaceAll(/matched\.test|klaviyo|[a-z]+_01k\w+|(?<=\/parts\/)1$/g, 'X'),
      ).toBe(apiUrl + path);
      expect(words.includes('Authorization: Bearer svc_live_key')).toBe(operation.needsKey);
      const method = words.includes('-X') ? words[words.indexOf('-X') + 1] : words.includes('-d') ? 'POST' : 'GET';
      expect(method).toBe(operation.method);
      if (operation.body) {
        expect(words[words.indexOf('-d') + 1]).toBe(sampleRequestOf(operation).body);
        expect(JSON.parse(sampleRequestOf(operation, 'live').body ?? '')).toEqual(operation.body.example);
      }
    },
  );

  it('the sample of curl passes a body on as it is, whatever it contains', () => {
    const body = JSON.stringify({ query: `it's $HOME "\`id\`" \\ !` });
    const request = { method: 'POST', path: "/v1/a'b", body };
    const words = wordsOf(curlOf(request, { apiUrl, needsKey: false, idempotencyKey: "it's" }));
    expect(words[words.indexOf('-d') + 1]).toBe(body);
    expect(words).toContain("Idempotency-Key: it's");
    expect(words[0]).toBe(`${apiUrl}/v1/a'b`);
  });
});

describe('stores in samples', () => {
  it('every sample names only stores that the test tenant has, because a test key is shown first', () => {
    const known = new Set(magicDomains.map(({ domain }) => domain));
    for (const operation of operations) {
      const text = Object.values(samplesOf(operation, apiUrl)).join('\n');
      for (const [domain] of text.matchAll(/[\w.-]+\.(?:test|example)\b/g)) {
        const isKnown = /^(?:hooks\.example|api\.test|store-0\d{3}\.test)$/.test(domain) || known.has(domain);
        expect([operation.id, domain, isKnown]).toEqual([operation.id, domain, true]);
      }
    }
  });
});

describe('samples of TypeScript', () => {
  it('the samples of TypeScript are programs', () => {
    for (const operation of operations) {
      const { ts } = samplesOf(operation, apiUrl);
      expect(stripTypeScriptTypes(ts), operation.id).toContain('await');
    }
  });
});

describe('samples of Python', () => {
  it('the samples of Python are programs', () => {
    const programs = JSON.stringify(operations.map((operation) => samplesOf(operation, apiUrl).python));
    const check = 'import ast, json, sys\nfor program in json.load(sys.stdin): ast.parse(program)';
    execFileSync('python3', ['-c', check], { input: programs });
  });
});
