import { describe, expect, it } from 'vitest';
import { leftOut } from './demo-corpus.ts';
import { servicePorts } from './services.ts';
import { readSettings } from './settings.ts';

const twice = ['--replicas', 'gateway=2,metering=3'];

describe('settings of npm start', () => {
  it('derive every port from one base, without a collision, so that two checkouts run side by side', () => {
    const portsFrom = (base: string) => {
      const settings = readSettings({ SHOPSCOPE_PORT_BASE: base }, twice);
      return [...servicePorts(settings).map(({ port }) => port), settings.ports.mongodb, settings.ports.redis];
    };
    const [one, other] = [portsFrom('8080'), portsFrom('9080')];
    expect(one).toContain(8080);
    expect(new Set([...one, ...other]).size).toBe(one.length + other.length);
  });

  it('let every port of the outside be set by itself', () => {
    const { ports } = readSettings({ SHOPSCOPE_GATEWAY_PORT: '4000', SHOPSCOPE_REDIS_PORT: '4001' }, []);
    expect([ports.gateway, ports.redis, ports.mongodb]).toEqual([4000, 4001, 8100]);
  });

  it('keep everything below the local directory', () => {
    const settings = readSettings({ SHOPSCOPE_LOCAL_DIR: '/tmp/here' }, []);
    expect([settings.stateDir, settings.readyFile, settings.cacheDir]).toEqual([
      '/tmp/here',
      '/tmp/here/ready.json',
      '/tmp/here/cache',
    ]);
  });

  it('take how many of a service run', () => {
    expect(readSettings({}, twice).replicas).toMatchObject({ gateway: 2, metering: 3, keys: 1 });
    expect(readSettings({}, ['--replicas=scanner=2']).replicas.scanner).toBe(2);
  });

  it('leave the services in the clear unless TLS is asked for', () => {
    expect([{}, { SHOPSCOPE_TLS: 'true' }].map((env) => readSettings(env, []).tls)).toEqual([false, true]);
  });

  it('refuse what they do not know, naming it', () => {
    const problemOf = (env: Record<string, string>, argv: string[] = []) => {
      try {
        return readSettings(env, argv) && '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(problemOf({ SHOPSCOPE_PORT_BASE: 'x' })).toMatch(/^SHOPSCOPE_PORT_BASE must be a port number.*, not "x"\.$/);
    expect(problemOf({ SHOPSCOPE_TLS: 'yes' })).toBe('SHOPSCOPE_TLS must be true or false, not "yes".');
    expect(problemOf({}, ['--replicas', 'gatway=2'])).toContain('"gatway=2" is not one');
    expect(problemOf({}, ['--replicas', 'gateway=0'])).toContain('"gateway=0" is not one');
    expect(problemOf({}, ['--replicas'])).toContain('"" is not one');
    expect(problemOf({}, ['--detach'])).toBe('npm start takes --replicas only, not "--detach".');
  });
});

describe('the demo corpus', () => {
  const store = (domain: string, platform: string, state = 'open') => ({ domain, platform, state });

  it('leaves out a few open shops of the platform that has the most', () => {
    const many = ['a', 'b', 'c', 'd', 'e'].map((name) => store(`${name}.example`, 'shopify'));
    const shops = [...many, store('shop.myshopify.com', 'shopify'), store('wix.example', 'wix')];
    expect(leftOut([...shops, store('closed.example', 'shopify', 'closed')])).toEqual([
      'c.example',
      'd.example',
      'e.example',
    ]);
  });
});
