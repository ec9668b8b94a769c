import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseTestHosts, testHostsFiles } from './test-hosts.ts';

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
  const hosts = testHostsFiles([file], (path, error) => errors.push([path, error]));

  it('the scan hosts file is an empty map while it does not exist', () => {
    expect(hosts.find('shop.example')).toBeUndefined();
    expect(errors).toEqual([]);
  });

  it('the scan hosts file is read again when it changes', () => {
    write({ 'shop.example': { address: '127.0.0.1', port: 8090 } });
    expect(hosts.find('shop.example')).toEqual(target);
    write({ 'shop.example': target, 'late.example': target });
    expect(hosts.find('late.example')).toEqual(target);
  });

  it('the scan hosts file keeps its last valid map when it is invalid, and reports the error', () => {
    for (const bad of ['{', { 'shop.example': { address: 'localhost', port: 1 } }, { 'a.example': { port: 0 } }]) {
      write(bad);
      expect(hosts.find('shop.example')).toEqual(target);
    }
    expect(errors).toEqual(Array(3).fill([file, expect.any(Error)]));
  });

  it('the scan hosts file does not find inherited properties of objects', () => {
    expect(hosts.find('constructor')).toBeUndefined();
  });

  it('the scan hosts file refuses a name in a form that look-ups by URL would never find', () => {
    for (const name of ['Shop.example', 'shop.example:80', 'müller.example', 'shop.example/']) {
      expect(() => parseTestHosts(JSON.stringify({ [name]: target })), name).toThrow('must be a host name');
    }
    expect(parseTestHosts(JSON.stringify({ 'xn--mller-kva.example': target }))).toHaveProperty([
      'xn--mller-kva.example',
    ]);
  });
});

describe('several scan hosts files', () => {
  it('several scan hosts files are merged, and the first file that names a host wins', () => {
    const [first, second] = [join(directory, 'first.json'), join(directory, 'second.json')];
    const at = (port: number) => ({ address: '127.0.0.1', port, tls: false });
    writeFileSync(second, JSON.stringify({ 'both.example': at(2), 'second.example': at(2) }));
    const hosts = testHostsFiles([first, second], (_, error) => {
      throw error;
    });
    expect(hosts.find('both.example')).toEqual(at(2));
    writeFileSync(first, JSON.stringify({ 'both.example': at(1), 'first.example': at(1) }));
    const found = ['first', 'both', 'second', 'neither'].map((name) => hosts.find(`${name}.example`)?.port);
    expect(found).toEqual([1, 1, 2, undefined]);
  });
});
