import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { scanHostsFile } from './scan-hosts.ts';

const directory = mkdtempSync(join(tmpdir(), 'scan-hosts-'));
afterAll(() => rmSync(directory, { recursive: true }));

describe('the scan hosts file', () => {
  const file = join(directory, 'hosts.json');
  const write = (content: unknown) => {
    writeFileSync(`${file}.draft`, typeof content === 'string' ? content : JSON.stringify(content));
    renameSync(`${file}.draft`, file);
  };
  const target = { address: '127.0.0.1', port: 8090, tls: false };
  const errors: unknown[] = [];
  const hosts = scanHostsFile(file, (error) => errors.push(error));

  it('is an empty map while it is not there', () => {
    expect(hosts.find('shop.example')).toBeUndefined();
    expect(errors).toEqual([]);
  });

  it('is read again when it changes', () => {
    write({ 'shop.example': { address: '127.0.0.1', port: 8090 } });
    expect(hosts.find('shop.example')).toEqual(target);
    write({ 'shop.example': target, 'late.example': target });
    expect(hosts.find('late.example')).toEqual(target);
  });

  it('leaves the last good map in force when it cannot be understood, and says so', () => {
    for (const bad of ['{', { 'shop.example': { address: 'localhost', port: 1 } }, { 'a.example': { port: 0 } }]) {
      write(bad);
      expect(hosts.find('shop.example')).toEqual(target);
    }
    expect(errors).toHaveLength(3);
  });

  it('knows no names that objects inherit', () => {
    expect(hosts.find('constructor')).toBeUndefined();
  });
});
