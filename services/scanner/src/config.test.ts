import { describe, expect, it } from 'vitest';
import { loadConfig } from './config.ts';

const env = {
  SHOPSCOPE_ENV: 'test',
  KAFKA_BROKERS: '127.0.0.1:9092',
  SCAN_SCHEDULER_ADDRESS: '127.0.0.1:50054',
};

describe('configuration', () => {
  it('the configuration accepts no BOT_INFO_URL, or one that is valid in a User-Agent header', () => {
    expect(loadConfig(env).BOT_INFO_URL).toBeUndefined();
    const withUrl = (BOT_INFO_URL: string) => loadConfig({ ...env, BOT_INFO_URL }).BOT_INFO_URL;
    expect(withUrl('https://shopscope.test/robot')).toBe('https://shopscope.test/robot');
    expect(withUrl('https://shopscope.test/a\r\nX-Evil: 1')).toBe('https://shopscope.test/aX-Evil:%201');
    for (const wrong of ['shopscope.test/robot', 'mailto:robot@shopscope.test', 'https://shopscope.test/(robot)']) {
      expect(() => withUrl(wrong), wrong).toThrow(/BOT_INFO_URL/);
    }
  });

  it('the configuration refuses test hosts in production, which is the default environment', () => {
    const withHosts = { ...env, SHOPSCOPE_SCAN_HOSTS: '/tmp/hosts.json' };
    expect(loadConfig(withHosts).SHOPSCOPE_SCAN_HOSTS).toEqual(['/tmp/hosts.json']);
    const two = loadConfig({ ...env, SHOPSCOPE_SCAN_HOSTS: '/tmp/own.json:/tmp/hosts.json' });
    expect(two.SHOPSCOPE_SCAN_HOSTS).toEqual(['/tmp/own.json', '/tmp/hosts.json']);
    for (const SHOPSCOPE_ENV of ['production', undefined]) {
      expect(() => loadConfig({ ...withHosts, SHOPSCOPE_ENV })).toThrow(/SHOPSCOPE_SCAN_HOSTS.*development or test/s);
    }
  });

  it('the configuration takes no canaries or several public names', () => {
    const withNames = (CANARY_NAMES: string) => loadConfig({ ...env, CANARY_NAMES }).CANARY_NAMES;
    expect(loadConfig(env).CANARY_NAMES).toEqual([]);
    expect(withNames('')).toEqual([]);
    expect(withNames('one.com, www.two.org')).toEqual(['one.com', 'www.two.org']);
    for (const wrong of [
      'one.com',
      'one.com,10.0.0.1',
      'one.com,https://two.org',
      'one.com,shop.example',
      'a.com,B.com',
    ]) {
      expect(() => withNames(wrong), wrong).toThrow(/CANARY_NAMES/);
    }
  });

  it('the configuration refuses an invalid network, so that no protection is left out silently', () => {
    expect(loadConfig({ ...env, SCAN_DENIED_CIDRS: '203.0.114.0/24, 2001:db9::/32' }).SCAN_DENIED_CIDRS).toHaveLength(
      2,
    );
    expect(() => loadConfig({ ...env, SCAN_DENIED_CIDRS: '203.0.114.0' })).toThrow(/SCAN_DENIED_CIDRS/);
  });
});
