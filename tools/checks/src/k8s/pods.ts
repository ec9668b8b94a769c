import { type Manifest, ofKind } from './manifests.ts';

interface Pod {
  owner: string;
  spec: {
    automountServiceAccountToken?: boolean;
    securityContext?: { runAsNonRoot?: boolean; seccompProfile?: { type: string } };
    containers: { securityContext?: Record<string, unknown> }[];
  };
}

/** Own pods: of the services, and of jobs. The data servers of the overlay `local` have namespaces of their own. */
const podsIn = (manifests: readonly Manifest[]): Pod[] => [
  ...ofKind(manifests, 'Deployment').map(({ metadata, spec }) => ({
    owner: `Deployment ${metadata.name}`,
    spec: spec.template.spec,
  })),
  ...ofKind(manifests, 'CronJob').map(({ metadata, spec }) => ({
    owner: `CronJob ${metadata.name}`,
    spec: spec.jobTemplate.spec.template.spec,
  })),
];

/** Each pod meets the Pod Security Standard `restricted`, has a read-only root file system and no token of the cluster's API. */
export const podProblems = (manifests: readonly Manifest[]): string[] =>
  podsIn(manifests).flatMap(({ owner, spec }) => {
    const { runAsNonRoot, seccompProfile } = spec.securityContext ?? {};
    const isRestricted =
      spec.automountServiceAccountToken === false &&
      runAsNonRoot === true &&
      seccompProfile?.type === 'RuntimeDefault' &&
      spec.containers.every(({ securityContext = {} }) => isLocked(securityContext));
    return isRestricted ? [] : [`${owner}: the pod must be restricted, read-only and without a token`];
  });

const isLocked = (context: Record<string, unknown>): boolean =>
  context.allowPrivilegeEscalation === false &&
  context.readOnlyRootFilesystem === true &&
  (context.capabilities as { drop?: string[] } | undefined)?.drop?.join() === 'ALL';
