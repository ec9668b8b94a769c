import { randomBytes } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { posix } from 'node:path';
import { loadConfig as backup } from '@shopscope/backup/config';
import { ConfigError, type Environment, placeholder } from '@shopscope/config';
import { serviceConfigs } from '../service-configs.ts';
import { disruptionProblems } from './disruptions.ts';
import { environmentOf } from './environment.ts';
import { type Container, deploymentsIn, type Manifest, ofKind } from './manifests.ts';
import { type MeasuredMemory, memoryProblems } from './memory.ts';
import { migrationProblems } from './migrations.ts';
import { podProblems } from './pods.ts';

/**
 * Checks rendered manifests for problems that a schema cannot express. Each problem is a line with the name of the
 * object. The environment of a Deployment is validated by the configuration code of its service.
 */
export function problemsOf(
  manifests: readonly Manifest[],
  options: { isBase: boolean; memory: readonly MeasuredMemory[] },
): string[] {
  return [
    ...missingServices(manifests),
    ...deploymentsIn(manifests).flatMap((deployment) => settingsProblems(deployment, manifests, options)),
    ...cronJobProblems(manifests, options),
    ...migrationProblems(manifests),
    ...disruptionProblems(manifests),
    ...memoryProblems(manifests, options.memory),
    ...podProblems(manifests),
    ...shareProblems(manifests),
    ...scaleProblems(manifests),
    ...policyProblems(manifests),
    ...proxyProblems(manifests),
  ];
}

function missingServices(manifests: readonly Manifest[]): string[] {
  const there = new Set(deploymentsIn(manifests).map(({ manifest }) => manifest.metadata.name));
  return Object.keys(serviceConfigs).flatMap((name) => (there.has(name) ? [] : [`Deployment ${name} is missing`]));
}

type Deployment = ReturnType<typeof deploymentsIn>[number];

function settingsProblems(
  { manifest, container }: Deployment,
  manifests: readonly Manifest[],
  { isBase }: { isBase: boolean },
) {
  const { name } = manifest.metadata;
  const load = serviceConfigs[name] ?? optionalConfigs[name];
  if (!load) return [`Deployment ${name} belongs to no known service`];
  const { variables, missing } = environmentOf(container, manifests, { allowAbsent: isBase });
  const at = (problem: string) => `Deployment ${name}: ${problem}`;
  const problems = [
    ...missing.map((reference) => at(`${reference} does not exist`)),
    ...volumeProblems(manifest, manifests, isBase).map(at),
    ...fileProblems(manifest, container, variables).map(at),
  ];
  const rest = withoutFiles(variables);
  problems.push(...configProblems(load, filled(rest)).map(at));
  // A service must not accept a placeholder as a secret, because the placeholder is public.
  const refused = configProblems(load, rest);
  for (const [key, value] of Object.entries(rest)) {
    if (!value.includes(placeholder)) continue;
    if (!refused.some((problem) => problem.startsWith(`${key}:`)))
      problems.push(at(`${key} starts with ${placeholder}`));
  }
  return problems;
}

/** Deployments of components that an overlay may leave out. */
const optionalConfigs: typeof serviceConfigs = { backup };

/** The settings of a Deployment as its service reads them, with its defaults. Undefined when the service refuses them. */
export function acceptedSettings({ manifest, container }: Deployment, manifests: readonly Manifest[]) {
  const { variables } = environmentOf(container, manifests, { allowAbsent: true });
  const load = serviceConfigs[manifest.metadata.name];
  try {
    return load && { ...load(filled(withoutFiles(variables))) };
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

/** In place of a placeholder: also a key of permits, 32 random bytes in base64. */
const filler = randomBytes(32).toString('base64url');

const filled = (variables: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, value.replaceAll(placeholder, filler)]));

function configProblems(load: (env: Environment) => unknown, env: Environment): readonly string[] {
  try {
    load(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const grpcFiles = ['GRPC_TLS_CA_FILE', 'GRPC_TLS_CERT_FILE', 'GRPC_TLS_KEY_FILE'];

/** The files exist only in the pod, so the services' code cannot read them here. All three are as good as their permission. */
function withoutFiles(variables: Record<string, string>): Record<string, string> {
  if (!grpcFiles.every((name) => variables[name])) return variables;
  const others = Object.entries(variables).filter(([name]) => !grpcFiles.includes(name));
  const permitted = [variables.INSECURE_CONNECTIONS, 'grpc'].filter((names) => names).join();
  return { ...Object.fromEntries(others), INSECURE_CONNECTIONS: permitted };
}

/** Each file of certificates lies in a mounted Secret. */
function fileProblems(deployment: Manifest, container: Container, variables: Record<string, string>): string[] {
  const { volumes = [] } = deployment.spec.template.spec as { volumes?: { name: string; secret?: object }[] };
  const secret = new Set(volumes.flatMap((volume) => (volume.secret ? [volume.name] : [])));
  const folders = (container.volumeMounts ?? []).flatMap(({ name, mountPath }) =>
    secret.has(name) ? [mountPath] : [],
  );
  return grpcFiles.flatMap((name) => {
    const path = variables[name];
    return path === undefined || folders.includes(posix.dirname(path)) ? [] : [`${name} is in no mounted Secret`];
  });
}

/** Each mounted Secret of certificates needs a Certificate in the manifests. The base leaves Certificates to its overlays. */
function volumeProblems(deployment: Manifest, manifests: readonly Manifest[], isBase: boolean): string[] {
  if (isBase) return [];
  const made = new Set(ofKind(manifests, 'Certificate').map(({ spec }) => spec.secretName as string));
  const volumes = (deployment.spec.template.spec.volumes ?? []) as { secret?: { secretName: string } }[];
  return volumes.flatMap(({ secret }) =>
    secret && !made.has(secret.secretName) ? [`Secret ${secret.secretName} has no Certificate that creates it`] : [],
  );
}

/** References of a CronJob must exist, because a failure at its run would be noticed late. */
const cronJobProblems = (manifests: readonly Manifest[], { isBase }: { isBase: boolean }): string[] =>
  ofKind(manifests, 'CronJob').flatMap(({ metadata, spec }) => {
    const container = spec.jobTemplate.spec.template.spec.containers[0] as Container;
    return environmentOf(container, manifests, { allowAbsent: isBase }).missing.map(
      (reference) => `CronJob ${metadata.name}: ${reference} does not exist`,
    );
  });

/** While Redis is unavailable, the shares of all gateways must not exceed the limit (decision 0014). */
function shareProblems(manifests: readonly Manifest[]): string[] {
  const deployment = deploymentsIn(manifests).find(({ manifest }) => manifest.metadata.name === 'gateway');
  const autoscaler = ofKind(manifests, 'HorizontalPodAutoscaler').find(({ metadata }) => metadata.name === 'gateway');
  const most = Number(autoscaler?.spec.maxReplicas ?? deployment?.manifest.spec.replicas ?? 1);
  const shares = Number(deployment?.container.env?.find(({ name }) => name === 'REPLICAS')?.value);
  return shares >= most ? [] : [`Deployment gateway: REPLICAS is ${shares}, it must be at least ${most}`];
}

/** Services that listen for callers outside of the cluster, behind a proxy. */
const publicServices = ['gateway', 'dashboard'];
/** A proxy has one of these addresses. All of them together are not one proxy, but every machine of a private network. */
const privateRanges = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fd00::/8'];

/**
 * Who is trusted as a proxy writes the address that a caller is counted under. Behind a public entry, the proxy must be trusted, and no
 * one else.
 */
function proxyProblems(manifests: readonly Manifest[]): string[] {
  const hasEntry = manifests.some(({ kind }) => kind === 'Ingress' || kind === 'HTTPRoute');
  const deployments = deploymentsIn(manifests);
  return publicServices.flatMap((name) => {
    const container = deployments.find(({ manifest }) => manifest.metadata.name === name)?.container;
    if (!container) return [];
    const { TRUSTED_PROXIES = '' } = environmentOf(container, manifests).variables;
    const ranges = TRUSTED_PROXIES.split(',').filter((range) => range !== '');
    const at = (problem: string) => `Deployment ${name}: TRUSTED_PROXIES ${problem}`;
    const wide = ranges.filter((range) => privateRanges.some((each) => contains(range, each)));
    return [
      ...wide.map((range) => at(`has ${range}, which is more than a proxy: its callers could write their own address`)),
      ...(hasEntry && ranges.length === 0
        ? [at('must name the proxy, because all callers have the address of the proxy otherwise')]
        : []),
    ];
  });
}

/** True when the range has every address of the other one. */
function contains(range: string, other: string): boolean {
  const [address = '', bits] = range.split('/');
  const [otherAddress = '', otherBits] = other.split('/');
  if (bits === undefined || isIP(address) !== isIP(otherAddress) || Number(bits) > Number(otherBits)) return false;
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  list.addSubnet(address, Number(bits), family);
  return list.check(otherAddress, family);
}

/** With replicas and an autoscaler, each `kubectl apply` would reset the number of pods. */
function scaleProblems(manifests: readonly Manifest[]): string[] {
  const scaled = new Set(ofKind(manifests, 'HorizontalPodAutoscaler').map(({ spec }) => spec.scaleTargetRef.name));
  return deploymentsIn(manifests).flatMap(({ manifest: { metadata, spec } }) =>
    scaled.has(metadata.name) && spec.replicas !== undefined
      ? [`Deployment ${metadata.name}: replicas must be absent, because the autoscaler sets it`]
      : [],
  );
}

/** A policy that selects no pods has no effect; a mistyped name would not be noticed. */
function policyProblems(manifests: readonly Manifest[]): string[] {
  const onDemand = ['admin', 'dlq', 'backup', 'migrate'];
  const known = new Set([...Object.keys(serviceConfigs), ...onDemand]);
  const selectors = [
    ...ofKind(manifests, 'NetworkPolicy').map(({ metadata, spec }) => ({ metadata, selector: spec.podSelector })),
    ...ofKind(manifests, 'CiliumNetworkPolicy').map(({ metadata, spec }) => ({
      metadata,
      selector: spec.endpointSelector,
    })),
  ];
  return selectors.flatMap(({ metadata, selector }) => {
    const named = [
      ...Object.values((selector.matchLabels ?? {}) as Record<string, string>),
      ...((selector.matchExpressions ?? []) as { values: string[] }[]).flatMap(({ values }) => values),
    ];
    const unknown = named.filter((name) => !known.has(name));
    return unknown.map((name) => `policy ${metadata.name} selects ${name}, but no object has this name`);
  });
}
