import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { publicKeyEntry } from '@shopscope/ids';
import { type Container, type Manifest, ofKind } from './manifests.ts';

const random = () => randomBytes(32).toString('hex');
const signingKey = { id: '1', privateKey: generateKeyPairSync('ed25519').privateKey };
const privateBytes = signingKey.privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32).toString('base64');

/** Sample values that every service accepts, also in production: secrets are random. */
const sample = (secret: string, key: string): string | undefined =>
  ({
    CURSOR_SECRET: random(),
    REDIS_URL: `rediss://${secret}:sample@redis.data.example:6379`,
    MONGODB_URL: `mongodb://${secret}:sample@mongodb.data.example:27017/?replicaSet=rs0&tls=true`,
    OPENSEARCH_URL: `https://${secret}:sample@opensearch.data.example:9200`,
    KEY_PEPPER: random(),
    KEY_PEPPERS: `2:${random()},1:${random()}`,
    PERMIT_SIGNING_KEY: `1:${privateBytes}`,
    PERMIT_PUBLIC_KEYS: publicKeyEntry('scan-scheduler', signingKey),
    KAFKA_SASL_PASSWORD: 'sample',
    SESSION_SECRET: random(),
    WEBHOOK_STORAGE_SECRETS: `1:${random()}`,
    MAIL_URL: 'smtps://shopscope:sample@smtp.mail.example:465',
  })[key];

/**
 * The environment of a container, and its references without an object in the manifests. Secrets come from the manifests, or are samples if
 * an ExternalSecret creates them. With `allowAbsent` missing Secrets are samples too, because the base leaves Secrets to its overlays.
 */
export function environmentOf(container: Container, manifests: readonly Manifest[], { allowAbsent = false } = {}) {
  const variables: Record<string, string> = {};
  const missing: string[] = [];
  for (const { configMapRef } of container.envFrom ?? []) {
    if (!configMapRef) continue;
    const found = ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name === configMapRef.name);
    if (!found && !configMapRef.optional) missing.push(`ConfigMap ${configMapRef.name}`);
    Object.assign(variables, found?.data);
  }
  for (const { name, value, valueFrom } of container.env ?? []) {
    if (value !== undefined) variables[name] = value;
    else if (valueFrom?.fieldRef) variables[name] = 'pod-1';
    else if (valueFrom?.secretKeyRef) {
      const { name: secret, key, optional = false } = valueFrom.secretKeyRef;
      const found = secretValue(manifests, secret, key) ?? externalValue(manifests, secret, key);
      // One of the two is enough: KEY_PEPPERS replaces KEY_PEPPER.
      const isAssumed = allowAbsent && !hasSecret(manifests, secret) && key !== 'KEY_PEPPERS';
      const known = found ?? (isAssumed ? sample(secret, key) : undefined);
      if (known !== undefined) variables[name] = known;
      else if (!optional) missing.push(`key ${key} of Secret ${secret}`);
    }
  }
  return { variables, missing };
}

function secretValue(manifests: readonly Manifest[], name: string, key: string): string | undefined {
  const found = ofKind(manifests, 'Secret').find(({ metadata }) => metadata.name === name);
  const encoded = found?.data?.[key];
  return found?.stringData?.[key] ?? (encoded && Buffer.from(encoded, 'base64').toString());
}

function externalValue(manifests: readonly Manifest[], name: string, key: string) {
  const found = externalSecret(manifests, name);
  const isThere = found?.spec.data.some(({ secretKey }: { secretKey: string }) => secretKey === key);
  return isThere ? sample(name, key) : undefined;
}

const externalSecret = (manifests: readonly Manifest[], name: string) =>
  ofKind(manifests, 'ExternalSecret').find(({ spec }) => spec.target.name === name);

const hasSecret = (manifests: readonly Manifest[], name: string) =>
  externalSecret(manifests, name) !== undefined ||
  ofKind(manifests, 'Secret').some(({ metadata }) => metadata.name === name);
