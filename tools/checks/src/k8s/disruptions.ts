import { deploymentsIn, type Manifest, ofKind } from './manifests.ts';

/** Keys over which the pods of a service are spread: nodes and zones. */
const spreadKeys = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'];

interface SpreadConstraint {
  topologyKey: string;
  maxSkew: number;
  whenUnsatisfiable: string;
  labelSelector: { matchLabels?: Record<string, string> };
}

/**
 * A service with two pods or more survives the loss of a node and of a zone, and the drain of a node.
 *
 * - The drain takes one pod of a service at a time. Pods that are not ready do not count, or they would block the drain.
 * - One zone has no room -> the pods run in another zone, because the constraint is a preference.
 */
export function disruptionProblems(manifests: readonly Manifest[]): string[] {
  const budgets = new Map(ofKind(manifests, 'PodDisruptionBudget').map((budget) => [budget.metadata.name, budget]));
  const leastPods = new Map(
    ofKind(manifests, 'HorizontalPodAutoscaler').map(({ spec }) => [spec.scaleTargetRef.name, spec.minReplicas ?? 1]),
  );
  return deploymentsIn(manifests).flatMap(({ manifest: { metadata, spec } }) => {
    const { name } = metadata;
    const pods = Number(leastPods.get(name) ?? spec.replicas ?? 1);
    if (pods < 2) return [];
    const labels = spec.template.metadata.labels as Record<string, string>;
    const constraints = (spec.template.spec.topologySpreadConstraints ?? []) as SpreadConstraint[];
    const missing = spreadKeys.filter((key) => !constraints.some((each) => spreads(each, key, labels)));
    return [
      ...budgetProblems(name, budgets.get(name), labels),
      ...missing.map((key) => `Deployment ${name}: no constraint spreads its pods over ${key}`),
    ];
  });
}

function budgetProblems(name: string, budget: Manifest | undefined, labels: Record<string, string>): string[] {
  if (!budget) return [`PodDisruptionBudget ${name} is missing`];
  const { spec } = budget;
  const problems = {
    'must select the pods of the Deployment': !selects(spec.selector, labels),
    'must let a drain take one pod at a time': spec.maxUnavailable !== 1,
    'must have unhealthyPodEvictionPolicy AlwaysAllow': spec.unhealthyPodEvictionPolicy !== 'AlwaysAllow',
  };
  return Object.entries(problems).flatMap(([problem, isThere]) =>
    isThere ? [`PodDisruptionBudget ${name} ${problem}`] : [],
  );
}

const spreads = (constraint: SpreadConstraint, key: string, labels: Record<string, string>) =>
  constraint.topologyKey === key &&
  constraint.maxSkew === 1 &&
  constraint.whenUnsatisfiable === 'ScheduleAnyway' &&
  selects(constraint.labelSelector, labels);

const selects = ({ matchLabels = {} }: { matchLabels?: Record<string, string> }, labels: Record<string, string>) =>
  Object.entries(matchLabels).length > 0 && Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
