import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newSecrets, readSettings, serviceInstances } from '@shopscope/local';
import { environmentOf as composeEnvironmentOf, readCompose } from '../images/compose.ts';
import { serviceConfigs } from '../service-configs.ts';
import { acceptedSettings } from './check.ts';
import { deploymentsIn, type Manifest } from './manifests.ts';

/**
 * Compares the settings of the services in Kubernetes, Compose and `npm start`, including their defaults. So the
 * product that is tested and measured is the one that is installed.
 *
 * - Settings that depend on the place of a system (addresses, secrets, certificates, names) are not compared.
 * - Another difference is allowed with a reason: a comment in the line before the setting, in the files of one of the
 *   two systems.
 */
interface System {
  name: string;
  services: ReadonlyMap<string, Settings>;
  /** The settings with a comment before them. */
  explained: ReadonlySet<string>;
}

type Settings = Readonly<Record<string, unknown>>;

const place =
  /^(HOST|SHOPSCOPE_ENV|LOG_LEVEL|INSTANCE_ID|INSECURE_CONNECTIONS|KAFKA_TLS|KAFKA_SASL_MECHANISM|MAIL_FROM|TRUSTED_PROXIES)$|_(PORT|URL|ADDRESS|BROKERS|FILE|CA|USERNAME|PASSWORD|SECRETS?|PEPPERS?|SIGNING_KEY|PUBLIC_KEYS)$/;

/** One line for each difference without a reason. */
export function settingsDifferences(installed: System, others: readonly System[]): string[] {
  return others.flatMap((other) =>
    [...installed.services].flatMap(([service, ours]) => {
      const theirs = other.services.get(service) ?? {};
      const names = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].sort();
      const isExplained = (name: string) => installed.explained.has(name) || other.explained.has(name);
      return names
        .filter((name) => !place.test(name) && textOf(ours[name]) !== textOf(theirs[name]) && !isExplained(name))
        .map(
          (name) =>
            `${service}: ${name} is ${textOf(ours[name])}, and ${textOf(theirs[name])} in ${other.name}; make them equal, or write the reason in a comment before the setting`,
        );
    }),
  );
}

const textOf = (value: unknown): string => (JSON.stringify(value) ?? 'not set').slice(0, 80);

/** The settings directly after a comment: `# why` and `NAME: value`, or `- name: NAME`, or `NAME: value` after `// why`. */
export function explainedIn(text: string): Set<string> {
  const found = text.matchAll(/^ *(?:#|\/\/) .*\n *(?:- name: )?([A-Z][A-Z0-9_]+)(?::|$)/gm);
  return new Set([...found].map(([, name]) => name as string));
}

const explainedInFiles = (paths: readonly string[]) =>
  explainedIn(paths.map((path) => readFileSync(path, 'utf8')).join('\n'));

/** `manifests` is the output of kustomize for the overlay in `folder`. */
export function kubernetesSystem(root: string, folder: string, manifests: readonly Manifest[]): System {
  const files = [folder, 'deploy/k8s/base'].flatMap((each) =>
    globSync('**/*.yaml', { cwd: join(root, each) }).map((file) => join(root, each, file)),
  );
  const services = deploymentsIn(manifests).flatMap((deployment) => {
    const settings = acceptedSettings(deployment, manifests);
    return settings ? [[deployment.manifest.metadata.name, settings] as const] : [];
  });
  return { name: folder, services: new Map(services), explained: explainedInFiles(files) };
}

export function composeSystem(root: string): System {
  const path = join(root, 'deploy/compose/compose.yaml');
  const { services } = readCompose(readFileSync(path, 'utf8'));
  const loaded = Object.entries(serviceConfigs).map(([name, load]) => {
    const service = services[name];
    if (!service) throw new Error(`compose.yaml has no service ${name}`);
    return [name, { ...load(composeEnvironmentOf(service)) }] as const;
  });
  return { name: 'deploy/compose', services: new Map(loaded), explained: explainedInFiles([path]) };
}

/** `npm start`, without settings of the developer. */
export function localSystem(root: string): System {
  const servers = {
    mongodb: { url: 'mongodb://127.0.0.1' },
    kafka: { url: '127.0.0.1:9092' },
    redis: { url: 'redis://127.0.0.1' },
    opensearch: { url: 'http://127.0.0.1:9200' },
  };
  const instances = serviceInstances(
    readSettings({}, []),
    servers as Parameters<typeof serviceInstances>[1],
    newSecrets(),
    { root },
  );
  const loaded = instances.flatMap(({ service, env }) => {
    const load = serviceConfigs[service];
    return load ? [[service, { ...load(env) }] as const] : [];
  });
  const path = join(root, 'tools/local/src/start/services.ts');
  return { name: 'npm start', services: new Map(loaded), explained: explainedInFiles([path]) };
}
