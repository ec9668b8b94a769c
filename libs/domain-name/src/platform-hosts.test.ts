import { getDomain } from 'tldts';
import { describe, expect, it } from 'vitest';
import list from './platform-hosts.json' with { type: 'json' };

interface Row {
  host: string;
  operator: string;
  reserved?: string[];
  source: string;
  date: string;
}
const rows = list.hosts as Row[];
const members = ['host', 'operator', 'reserved', 'source', 'date'];
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

describe('list of platform hosts', () => {
  it('the list of platform hosts has whole rows of hosts that the public suffix list lacks', () => {
    for (const row of rows) {
      const { host } = row;
      expect(Object.keys(row), host).toEqual(members.filter((member) => member !== 'reserved' || row.reserved));
      expect(
        host.split('.').every((part) => label.test(part)),
        host,
      ).toBe(true);
      expect(getDomain(`shop.${host}`, { allowPrivateDomains: true }), host).not.toBe(`shop.${host}`);
      expect(row.operator.trim(), host).not.toBe('');
      expect(new URL(row.source).protocol, host).toMatch(/^https?:$/);
      expect(new Date(`${row.date}T00:00:00Z`).toISOString().slice(0, 10), host).toBe(row.date);
      for (const name of row.reserved ?? []) expect(name, host).toMatch(label);
    }
  });

  it('the list of platform hosts is sorted and has each host once', () => {
    const hosts = rows.map(({ host }) => host);
    expect(hosts).toEqual([...new Set(hosts)].sort());
  });

  it('the list of platform hosts reserves no label twice', () => {
    expect(list.reserved).toEqual([...new Set(list.reserved)]);
    for (const { reserved = [] } of rows) expect(reserved.filter((name) => list.reserved.includes(name))).toEqual([]);
  });
});
