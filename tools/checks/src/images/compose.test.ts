import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { seriesOf, serverVersions } from '@shopscope/local-stack';
import { describe, expect, it } from 'vitest';
import { environmentOf as kubernetesEnvironmentOf } from '../k8s/environment.ts';
import { deploymentsIn, readManifests } from '../k8s/manifests.ts';
import { mebibytes } from '../k8s/memory.ts';
import { serviceConfigs } from '../service-configs.ts';
import { environmentOf, imagePackages, readCompose } from './compose.ts';
import { listeningPorts } from './listening-ports.ts';

const root = resolve(import.meta.dirname, '../../../..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
const compose = readCompose(textOf('deploy/compose/compose.yaml'));
const services = Object.entries(compose.services);
const ours = services.filter(([, { build }]) => build !== undefined);
/** Containers that run once and exit. */
const oneShot = ['setup', 'demo-corpus', 'admin', 'dlq', 'backup'];

describe('compose.yaml', () => {
  it('compose.yaml builds every image from a package that has a build, from the one Dockerfile', () => {
    for (const [name, { build }] of ours) {
      const folder = build?.args.PACKAGE ?? '';
      expect([name, existsSync(join(root, folder, 'src/main.ts'))]).toEqual([name, true]);
      expect(JSON.parse(textOf(join(folder, 'package.json'))).scripts.build).toBeTypeOf('string');
      expect(resolve(root, 'deploy/compose', build?.context ?? '', build?.dockerfile ?? '')).toBe(
        join(root, 'deploy/docker/Dockerfile'),
      );
    }
  });

  it('compose.yaml builds every package that .ci/image-packages passes to the release workflow', () => {
    const named = execFileSync(join(root, '.ci/image-packages'), { encoding: 'utf8' }).trim().split('\n');
    expect(named).toEqual(imagePackages(compose).sort());
  });

  it('compose.yaml names no image for a service that it builds, because Compose would pull the image first', () => {
    expect(ours.filter(([, { image }]) => image !== undefined)).toEqual([]);
  });

  it('compose.yaml has a service for every service of the repository', () => {
    const folders = globSync('services/*/package.json', { cwd: root }).map(dirname);
    expect(imagePackages(compose)).toEqual(expect.arrayContaining(folders));
    expect(Object.keys(serviceConfigs).sort()).toEqual(
      folders.map((folder) => folder.slice('services/'.length)).sort(),
    );
  });

  it('compose.yaml gives a health check to every service that keeps running, and to no other', () => {
    for (const [name, { healthcheck, restart }] of services) {
      expect([name, healthcheck === undefined]).toEqual([name, oneShot.includes(name)]);
      if (!oneShot.includes(name)) expect([name, restart]).toEqual([name, 'unless-stopped']);
    }
  });

  it('compose.yaml waits only for the health of existing services with a health check', () => {
    for (const [name, { depends_on: needs = {} }] of services) {
      for (const [other, { condition }] of Object.entries(needs)) {
        expect([name, other, condition]).toEqual([name, other, 'service_healthy']);
        expect(compose.services[other]?.healthcheck).toBeDefined();
      }
    }
  });

  it.each(Object.keys(serviceConfigs))(
    'compose.yaml gives %s every variable that its configuration requires',
    (name) => {
      const env = environmentOf(compose.services[name] ?? {});
      expect(() => serviceConfigs[name]?.(env)).not.toThrow();
    },
  );

  it('compose.yaml gives each service the memory limit and the options of Node that it has in Kubernetes', () => {
    const base = globSync('deploy/k8s/base/**/*.yaml', { cwd: root }).flatMap((path) => readManifests(textOf(path)));
    for (const { manifest, container } of deploymentsIn(base)) {
      const { name } = manifest.metadata;
      const { variables } = kubernetesEnvironmentOf(container, base, { allowAbsent: true });
      const { mem_limit, environment } = compose.services[name] ?? {};
      expect([name, mem_limit, environment?.NODE_OPTIONS]).toEqual([
        name,
        `${mebibytes(container.resources?.limits?.memory)}m`,
        variables.NODE_OPTIONS,
      ]);
    }
  });

  it('compose.yaml addresses each service by its name and the port that it listens on', () => {
    for (const [name, service] of ours) {
      for (const [variable, value] of Object.entries(environmentOf(service))) {
        const [, host = '', port] = /^(?:dns:\/\/\/|http:\/\/)([a-z][a-z-]*):(\d+)$/.exec(value) ?? [];
        if (!port) continue;
        const target = compose.services[host];
        expect([name, variable, target !== undefined]).toEqual([name, variable, true]);
        const ports = Object.values(listeningPorts(host, environmentOf(target ?? {})));
        expect([name, variable, ports]).toEqual([name, variable, expect.arrayContaining([Number(port)])]);
      }
    }
  });

  it('compose.yaml runs the data servers in the versions of npm start', () => {
    const series = Object.fromEntries(
      (['mongodb', 'redis', 'kafka', 'opensearch'] as const).map((name) => {
        const [, tag = ''] = (compose.services[name]?.image ?? '').split(':');
        return [name, seriesOf(tag)];
      }),
    );
    expect(series).toEqual({
      mongodb: seriesOf(serverVersions.mongodb),
      redis: seriesOf(serverVersions.redis),
      kafka: seriesOf(serverVersions.kafka),
      opensearch: seriesOf(serverVersions.opensearch),
    });
  });

  it('compose.yaml runs the data servers in the versions of the Kubernetes overlay `local`', () => {
    const images = globSync('deploy/k8s/overlays/local/data/*.yaml', { cwd: root }).flatMap((path) =>
      [...textOf(path).matchAll(/^ +image: (\S+)$/gm)].map(([, image]) => image),
    );
    const own = (['mongodb', 'redis', 'kafka', 'opensearch'] as const).map((name) => compose.services[name]?.image);
    expect(images.sort()).toEqual(own.sort());
  });

  it('compose.yaml enables the demo stores, their hosts and their scans by SHOPSCOPE_CORPUS alone', () => {
    expect(textOf('deploy/compose/.env')).toMatch(/^COMPOSE_PROFILES=\$\{SHOPSCOPE_CORPUS:-demo\}$/m);
    const testHosts = (corpus: string) => {
      const { services } = readCompose(textOf('deploy/compose/compose.yaml'), { SHOPSCOPE_CORPUS: corpus });
      const written = services['demo-stores']?.environment?.SCAN_HOSTS_FILE;
      return services.scanner?.environment?.SHOPSCOPE_SCAN_HOSTS === written;
    };
    for (const name of ['demo-stores', 'demo-corpus']) expect(compose.services[name]?.profiles).toEqual(['demo']);
    expect([testHosts('demo'), testHosts('empty'), testHosts('')]).toEqual([true, false, true]);
  });
});

describe('grpc-tls.yaml', () => {
  const overlay = readCompose(textOf('deploy/compose/grpc-tls.yaml'));
  const peers: Record<string, string> = { setup: 'operator', 'demo-corpus': 'operator', admin: 'operator' };
  const callers = Object.keys(compose.services).filter((name) => name in serviceConfigs || name in peers);

  it('grpc-tls.yaml covers each service that sends or receives gRPC calls, and no other', () => {
    expect(Object.keys(overlay.services).sort()).toEqual(callers.sort());
  });

  it.each(callers)('grpc-tls.yaml gives %s its own certificate, at the paths of its variables', (name) => {
    const { environment = {}, volumes = [] } = overlay.services[name] ?? {};
    const peer = peers[name] ?? name;
    const mounts = volumes.map((volume) => volume.replace(/^.*?\/certificates\//, '').split(':'));
    expect(mounts).toEqual([
      ['ca.crt', environment.GRPC_TLS_CA_FILE, 'ro'],
      [`${peer}.crt`, environment.GRPC_TLS_CERT_FILE, 'ro'],
      [`${peer}.key`, environment.GRPC_TLS_KEY_FILE, 'ro'],
    ]);
  });
});
