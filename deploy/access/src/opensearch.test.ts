import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openSearchCommands, openSearchRole } from './opensearch.ts';

it('the user of search in OpenSearch has rights on its own indexes only', () => {
  const patterns = openSearchRole('acme-').index_permissions.flatMap(({ index_patterns: names }) => names);
  const isGiven = (index: string) =>
    patterns.some((pattern) => (pattern.endsWith('*') ? index.startsWith(pattern.slice(0, -1)) : index === pattern));
  expect(['acme-state', 'acme-stores-2026-11-30-1a2b3c4d'].filter(isGiven)).toHaveLength(2);
  const others = ['acme-logs', 'acme-state-2', 'shopscope-state', '.opendistro_security'];
  expect(others.filter(isGiven)).toEqual([]);
});

it('the script for OpenSearch makes the role, the user with the password that it reads, and their mapping', () => {
  const folder = mkdtempSync(join(tmpdir(), 'opensearch-access-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [curl, sent] = [join(folder, 'curl'), join(folder, 'sent')];
  writeFileSync(
    curl,
    `#!/bin/sh\nfor last; do :; done\nprintf '%s %s\\n' "$last" "$(cat)" >> ${sent}\nprintf '%s\\n' "$*" >> ${sent}-arguments\n`,
  );
  chmodSync(curl, 0o755);
  const env = { PATH: `${folder}:${process.env.PATH}`, OPENSEARCH: 'https://a:9200', CURL_CONFIG: 'admin.conf' };
  const { status, stderr } = spawnSync('sh', ['-c', openSearchCommands('acme-')], {
    env,
    input: 'a%s"\\word\n',
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, 'password of search: ']);
  const api = 'https://a:9200/_plugins/_security/api';
  expect(readFileSync(sent, 'utf8').trim().split('\n')).toEqual([
    `${api}/roles/shopscope-search ${JSON.stringify(openSearchRole('acme-'))}`,
    `${api}/internalusers/search ${JSON.stringify({ password: 'a%s"\\word' })}`,
    `${api}/rolesmapping/shopscope-search {"users":["search"]}`,
  ]);
  expect(readFileSync(`${sent}-arguments`, 'utf8')).not.toMatch(/a%s/);
});
