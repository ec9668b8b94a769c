import { parseAllDocuments } from 'yaml';

/** The checked members of a Kubernetes object. kubeconform has validated its schema. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: objects of every kind
  [member: string]: any;
}

export interface EnvironmentVariable {
  name: string;
  value?: string;
  valueFrom?: {
    secretKeyRef?: { name: string; key: string; optional?: boolean };
    fieldRef?: { fieldPath: string };
  };
}

export interface Container {
  name: string;
  image: string;
  env?: EnvironmentVariable[];
  volumeMounts?: { name: string; mountPath: string }[];
  resources?: { requests?: { memory?: string }; limits?: { memory?: string } };
  envFrom?: { configMapRef?: { name: string; optional?: boolean } }[];
}

export function readManifests(text: string): Manifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    const value = document.toJS() as Manifest | null;
    return value ? [value] : [];
  });
}

export const ofKind = (manifests: readonly Manifest[], kind: string): Manifest[] =>
  manifests.filter((manifest) => manifest.kind === kind);

/** Deployments of the services, each with one container. */
export function deploymentsIn(manifests: readonly Manifest[]): { manifest: Manifest; container: Container }[] {
  return ofKind(manifests, 'Deployment').map((manifest) => ({
    manifest,
    container: manifest.spec.template.spec.containers[0] as Container,
  }));
}
