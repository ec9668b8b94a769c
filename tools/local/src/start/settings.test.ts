import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { storesToLeaveUnseen } from '@shopscope/demo-stores';
import { portCounts, type StackPorts } from '@shopscope/local-stack';
import { describe, expect, it } from 'vitest';
import { badPorts, servicePorts } from './ports.ts';
import { readSettings } from './settings.ts';

const twice = ['--replicas', 'gateway=2,metering=3,dashboard=2'];

describe('settings of npm start', () => {
  it('settings of npm start derive every port from one base without a collision, so that two checkouts run side by side', () => {
    const portsFrom = (base: string) => {
      const settings = readSettings({ SHOPSCOPE_PORT_BASE: base }, twice);
      return [...servicePorts(settings).map(({ port }) => port), settings.ports.mongodb, settings.ports.redis];
    };
    const [one, other] = [portsFrom('8080'), portsFrom('9080')];
    expect(one).toContain(8080);
    expect(new Set([...one, ...other]).size).toBe(one.length + other.length);
  });

  it('settings of npm start set every external port separately', () => {
    const { ports } = readSettings(
      { SHOPSCOPE_GATEWAY_PORT: '4000', SHOPSCOPE_REDIS_PORT: '4001', SHOPSCOPE_DASHBOARD_PORT: '4002' },
      [],
    );
    expect([ports.gateway, ports.redis, ports.dashboard, ports.mongodb]).toEqual([4000, 4001, 4002, 8100]);
  });

  it('settings of npm start refuse a base with a port that fetch refuses, and suggest a base that works', () => {
    const faultOf = (env: Record<string, string>, argv: string[] = [], lowestPort = 1) => {
      try {
        return String(readSettings(env, argv, lowestPort).portBase);
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(faultOf({ SHOPSCOPE_PORT_BASE: '80' })).toMatch(
      /^SHOPSCOPE_PORT_BASE=80 gives the demo stores the port 104, which is a bad port of the Fetch standard; SHOPSCOPE_PORT_BASE=\d+ works\.$/,
    );
    expect(faultOf({ SHOPSCOPE_PORT_BASE: '80' }, [], 1024)).toContain(
      'the API the port 80, which is below 1024 and needs root',
    );
    expect(faultOf({ SHOPSCOPE_PORT_BASE: '80' })).toContain('SHOPSCOPE_PORT_BASE=1024 works');
    expect(faultOf({ SHOPSCOPE_PORT_BASE: '6000' })).toContain('gives the API the port 6000, which is a bad port');
    expect(faultOf({ SHOPSCOPE_PORT_BASE: '6536' })).toBe(
      'SHOPSCOPE_PORT_BASE=6536 gives profiles the port 6666, which is a bad port of the Fetch standard; SHOPSCOPE_PORT_BASE=6541 works.',
    );
    expect(faultOf({ SHOPSCOPE_PORT_BASE: '65500' })).toBe(
      'SHOPSCOPE_PORT_BASE=65500 gives the last of its 300 ports the port 65799, which is above 65535; SHOPSCOPE_PORT_BASE=65235 works.',
    );
    expect(faultOf({ SHOPSCOPE_GATEWAY_PORT: '6666' })).toBe(
      'SHOPSCOPE_GATEWAY_PORT=6666 gives the API the port 6666, which is a bad port of the Fetch standard; SHOPSCOPE_GATEWAY_PORT=6670 works.',
    );
    expect(faultOf({ SHOPSCOPE_REDIS_PORT: '8080' })).toContain(
      'SHOPSCOPE_REDIS_PORT=8080 gives Redis the port 8080, which is that of the API as well',
    );
    expect(faultOf({ SHOPSCOPE_REDIS_PORT: '6666' })).toBe('8080');
  });

  it('settings of npm start suggest only bases that work, and accept no base with a port that fetch refuses', () => {
    for (let base = 1; base <= 65_235; base += 31) {
      let working = base;
      try {
        readSettings({ SHOPSCOPE_PORT_BASE: String(base) }, twice, 1);
      } catch (error) {
        working = Number(/SHOPSCOPE_PORT_BASE=(\d+) works/.exec((error as Error).message)?.[1]);
      }
      const settings = readSettings({ SHOPSCOPE_PORT_BASE: String(working) }, twice, 1);
      expect(servicePorts(settings).filter(({ port, fetched }) => fetched && badPorts.has(port))).toEqual([]);
    }
  });

  it("settings of npm start list exactly the ports that Node's fetch refuses", async () => {
    const refused = async (port: number) => {
      const error = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(2_000) }).then(
        () => undefined,
        (reason: Error) => reason.cause as Error | undefined,
      );
      return error?.message === 'bad port';
    };
    for (const port of badPorts) expect([port, await refused(port)]).toEqual([port, true]);
    expect(badPorts.size).toBe(82);
  });

  it('settings of npm start keep all files below the local directory', () => {
    const settings = readSettings({ SHOPSCOPE_LOCAL_DIR: '/tmp/here' }, []);
    expect([settings.stateDir, settings.readyFile, settings.cacheDir]).toEqual([
      '/tmp/here',
      '/tmp/here/ready.json',
      '/tmp/here/cache',
    ]);
  });

  it('settings of npm start accept the number of instances of a service', () => {
    expect(readSettings({}, twice).replicas).toMatchObject({ gateway: 2, metering: 3, keys: 1 });
    expect(readSettings({}, ['--replicas=scanner=2']).replicas.scanner).toBe(2);
    expect(readSettings({}, ['--replicas', 'dashboard=2']).replicas.dashboard).toBe(2);
  });

  it('settings of npm start give each of several nodes a port of its own in the range of the base', () => {
    const { nodes, redisForm, ports, portBase } = readSettings({}, ['--nodes', '3']);
    expect([nodes, redisForm]).toEqual([3, 'sentinel']);
    const { mongodb, kafka, kafkaController, redis } = ports;
    const taken = Object.entries({ mongodb, kafka, kafkaController, redis }).flatMap(([name, first]) =>
      Array.from({ length: portCounts[name as keyof StackPorts] }, (_, n) => first + n),
    );
    expect(new Set(taken).size).toBe(15);
    expect(taken.every((port) => port > portBase && port < portBase + 100)).toBe(true);
    expect(readSettings({}, ['--nodes=3', '--redis=cluster']).redisForm).toBe('cluster');
    expect(readSettings({}, ['--nodes', '1'])).toEqual(readSettings({}, []));
    expect(() => readSettings({ SHOPSCOPE_KAFKA_PORT: '8079' }, ['--nodes', '3'])).toThrow(
      'SHOPSCOPE_KAFKA_PORT=8079 gives Kafka the port 8080, which is that of the API as well',
    );
  });

  it('settings of npm start accept scan hosts only from existing, valid files', () => {
    const directory = mkdtempSync(join(tmpdir(), 'own-hosts-'));
    const fileWith = (name: string, text: string) => {
      writeFileSync(join(directory, name), text);
      return join(directory, name);
    };
    const resultOf = (files: string) => {
      try {
        return readSettings({ SHOPSCOPE_SCAN_HOSTS: files }, []).ownTestHostsFiles;
      } catch (error) {
        return (error as Error).message;
      }
    };
    const good = fileWith('good.json', '{"own.example":{"address":"127.0.0.1","port":3000}}');
    const other = fileWith('other.json', '{}');
    expect(resultOf('')).toEqual([]);
    expect(resultOf(`${good}:${other}`)).toEqual([good, other]);
    expect(resultOf(relative(process.cwd(), good))).toEqual([good]);
    const missing = join(directory, 'missing.json');
    expect(resultOf(missing)).toBe(`SHOPSCOPE_SCAN_HOSTS names ${missing}, which does not exist.`);
    const invalid = (text: string) => resultOf(`${good}:${fileWith('bad.json', text)}`);
    const start = `SHOPSCOPE_SCAN_HOSTS names ${join(directory, 'bad.json')}, which is not a valid file of scan hosts: `;
    expect(invalid('{')).toMatch(new RegExp(`^${start}.*JSON.*\\.$`));
    expect(invalid('[]')).toBe(`${start}the file must be a JSON object with one entry per host name.`);
    expect(invalid('{"own.example":80}')).toBe(`${start}own.example must be an object with address and port.`);
    expect(invalid('{"own.example":{"address":"localhost","port":80}}')).toBe(
      `${start}own.example address must be an IP address.`,
    );
    expect(invalid('{"own.example":{"address":"::1"}}')).toBe(`${start}own.example port must be a port number.`);
    expect(invalid('{"Own.example":{"address":"::1","port":80}}')).toBe(
      `${start}Own.example must be a host name in lower case and in Punycode.`,
    );
    rmSync(directory, { recursive: true });
  });

  it('settings of npm start use plain connections between services unless TLS is enabled', () => {
    expect([{}, { SHOPSCOPE_TLS: 'true' }].map((env) => readSettings(env, []).tls)).toEqual([false, true]);
  });

  it('settings of npm start refuse unknown settings by name', () => {
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
    expect(problemOf({}, ['--nodes', '2'])).toBe('--nodes must be 1 or 3, not "2".');
    expect(problemOf({}, ['--nodes'])).toBe('--nodes must be 1 or 3, not "".');
    expect(problemOf({}, ['--nodes', '3', '--redis', 'ring'])).toBe('--redis must be sentinel or cluster, not "ring".');
    expect(problemOf({}, ['--redis', 'cluster'])).toBe('--redis cluster needs --nodes 3.');
    expect(problemOf({ SHOPSCOPE_SECURED: 'true' }, ['--nodes', '3'])).toBe(
      'SHOPSCOPE_SECURED=true starts one node per server; leave out --nodes, or unset it.',
    );
    expect(problemOf({}, ['--detach'])).toBe('npm start accepts only --replicas, --nodes and --redis, not "--detach".');
  });
});

describe('demo corpus', () => {
  const store = (domain: string, platform: string, state = 'open') => ({ domain, platform, state });

  it('the demo corpus omits a few open stores of the platform with the most stores', () => {
    const many = ['a', 'b', 'c', 'd', 'e'].map((name) => store(`${name}.example`, 'shopify'));
    const shops = [...many, store('shop.myshopify.com', 'shopify'), store('wix.example', 'wix')];
    expect(storesToLeaveUnseen([...shops, store('closed.example', 'shopify', 'closed')])).toEqual([
      'c.example',
      'd.example',
      'e.example',
    ]);
  });
});
