import { ConfigError, type Environment, placeholder } from '@shopscope/config';
import { serviceConfigs } from '../service-configs.ts';
import { environmentOf } from './environment.ts';
import { type Container, deploymentsIn, type Manifest, ofKind } from './manifests.ts';

/**
 * What a schema cannot say of rendered manifests; each problem is a line that names the object. Whoever starts with the
 * settings of a Deployment has to accept them, so they are given to the service's own reader of its environment.
 */
export function problemsOf(manifests: readonly Manifest[], options: { isBase: boolean }): string[] {
  return [
    ...missingServices(manifests),
    ...deploymentsIn(manifests).flatMap((deployment) => settingsProblems(deployment, manifests, options)),
    ...cronJobProblems(manifests),
    ...shareProblems(manifests),
    ...scaleProblems(manifests),
    ...policyProblems(manifests),
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
  const load = serviceConfigs[name];
  if (!load) return [`Deployment ${name} is of no known service`];
  const { variables, missing } = environmentOf(container, manifests, { allowAbsent: isBase });
  const at = (problem: string) => `Deployment ${name}: ${problem}`;
  const problems = [
    ...missing.map((reference) => at(`${reference} is not there`)),
    ...volumeProblems(manifest, manifests).map(at),
  ];
  // The files exist in the pod only; that their Secret exists is a matter of the volume.
  const { GRPC_TLS_CA_FILE, GRPC_TLS_CERT_FILE, GRPC_TLS_KEY_FILE, ...rest } = variables;
  const filled = Object.entries(rest).map(([key, value]) => [key, value.replaceAll(placeholder, filler)]);
  problems.push(...configProblems(load, Object.fromEntries(filled)).map(at));
  // A placeholder that a service would take for a secret would be everybody's secret.
  const refused = configProblems(load, rest);
  for (const [key, value] of Object.entries(rest)) {
    if (!value.includes(placeholder)) continue;
    if (!refused.some((problem) => problem.startsWith(`${key}:`)))
      problems.push(at(`${key} starts with ${placeholder}`));
  }
  return problems;
}

const filler = 'sample-secret-sample-secret-sample-secret';

function configProblems(load: (env: Environment) => unknown, env: Environment): readonly string[] {
  try {
    load(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

/** Each mounted Secret is made by a certificate of the manifests. */
function volumeProblems(deployment: Manifest, manifests: readonly Manifest[]): string[] {
  const made = new Set(ofKind(manifests, 'Certificate').map(({ spec }) => spec.secretName as string));
  const volumes = (deployment.spec.template.spec.volumes ?? []) as { secret?: { secretName: string } }[];
  return volumes.flatMap(({ secret }) =>
    secret && !made.has(secret.secretName) ? [`Secret ${secret.secretName} is made by no Certificate`] : [],
  );
}

/** What a CronJob refers to is there: its next run is at night, when nobody looks. */
const cronJobProblems = (manifests: readonly Manifest[]): string[] =>
  ofKind(manifests, 'CronJob').flatMap(({ metadata, spec }) => {
    const container = spec.jobTemplate.spec.template.spec.containers[0] as Container;
    return environmentOf(container, manifests).missing.map(
      (reference) => `CronJob ${metadata.name}: ${reference} is not there`,
    );
  });

/** The gateways' shares of a limit, while Redis is away, may not be more than the limit (decision 0014). */
function shareProblems(manifests: readonly Manifest[]): string[] {
  const deployment = deploymentsIn(manifests).find(({ manifest }) => manifest.metadata.name === 'gateway');
  const autoscaler = ofKind(manifests, 'HorizontalPodAutoscaler').find(({ metadata }) => metadata.name === 'gateway');
  const most = Number(autoscaler?.spec.maxReplicas ?? deployment?.manifest.spec.replicas ?? 1);
  const shares = Number(deployment?.container.env?.find(({ name }) => name === 'REPLICAS')?.value);
  return shares >= most ? [] : [`Deployment gateway: REPLICAS is ${shares}, it must be no less than ${most} replicas`];
}

/** With both, each `kubectl apply` takes a Deployment back from the number of pods that its autoscaler has decided. */
function scaleProblems(manifests: readonly Manifest[]): string[] {
  const scaled = new Set(ofKind(manifests, 'HorizontalPodAutoscaler').map(({ spec }) => spec.scaleTargetRef.name));
  return deploymentsIn(manifests).flatMap(({ manifest: { metadata, spec } }) =>
    scaled.has(metadata.name) && spec.replicas !== undefined
      ? [`Deployment ${metadata.name}: replicas is the autoscaler's to decide`]
      : [],
  );
}

/** A policy that selects nobody protects nobody: a misspelt name would go unseen. */
function policyProblems(manifests: readonly Manifest[]): string[] {
  const onDemand = ['admin', 'dlq', 'backup'];
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
    return unknown.map((name) => `policy ${metadata.name} selects ${name}, which nothing is named`);
  });
}
