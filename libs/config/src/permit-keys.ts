import {
  type PermitPublicKey,
  type PermitSigningKey,
  parsePublicKeys,
  parseSigningKey,
  publicKeySecrets,
  signingKeySecrets,
} from '@shopscope/ids';
import { z } from 'zod';
import type { Rule } from './rules.ts';
import { secretRule } from './secrets.ts';

// The keys of permits for observations (decision 41).

/** A signing key, as `id:key`. In production {@link signingKeyRule} applies, too. */
export const signingKey = () =>
  z.string().transform((text, context): PermitSigningKey => {
    const parsed = parseSigningKey(text);
    if ('key' in parsed) return parsed.key;
    context.addIssue({ code: 'custom', message: parsed.problem });
    return z.NEVER;
  });

/** Verification keys, as `principal:id:key` entries. In production {@link publicKeysRule} applies, too. */
export const publicKeys = () =>
  z.string().transform((text, context): PermitPublicKey[] => {
    const { keys, problems } = parsePublicKeys(text);
    for (const message of problems) context.addIssue({ code: 'custom', message });
    return keys;
  });

export const signingKeyRule = (name: string): Rule => secretRule(name, signingKeySecrets);

/** A public key is not a secret. The public key of a publicly known private key is refused, as that private key is. */
export const publicKeysRule = (name: string): Rule => secretRule(name, publicKeySecrets);
