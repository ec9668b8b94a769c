import { z } from 'zod';
import { isRepetitive } from './repetitive.ts';
import { isProduction, type Rule } from './rules.ts';

/**
 * Finds secrets that others can know or guess. Production refuses them. A problem contains the name of the setting and never the value.
 *
 * - Public secrets contain the word {@link publicWord}. Every secret in the repository contains it, or is refused for another reason. A
 *   check searches the repository for exceptions (tools/checks/src/secrets).
 * - Secrets that are too short or repetitive are refused, too.
 * - Not covered: words that a person chose. No text shows whether it was chosen at random.
 */
export interface SecretOptions {
  /** Returns the secrets of the setting. Default: its whole text. */
  secretsOf?(text: string): readonly string[];
  /** Whether a secret is publicly known for another reason. */
  isPublic?(secret: string): boolean;
  lengthMin?: number;
}

export const publicWord = 'development';
export const secretLengthMin = 32;

/** A setting that holds one secret. In production {@link secretRule} applies, too. */
export const secret = () => z.string().min(secretLengthMin, `must have at least ${secretLengthMin} characters`);

export function secretRule(name: string, options: SecretOptions = {}): Rule {
  const { secretsOf = (text) => [text], isPublic = () => false, lengthMin = secretLengthMin } = options;
  return (given) => {
    const text = given[name];
    if (!text || !isProduction(given)) return [];
    const secrets = secretsOf(text);
    return secrets.flatMap((secret, index) => {
      const at = secrets.length > 1 ? `entry ${index + 1} ` : '';
      const problem = problemOf(secret, isPublic(secret), lengthMin);
      return problem ? [`${name}: ${at}${problem}`] : [];
    });
  };
}

function problemOf(secret: string, isPublic: boolean, lengthMin: number): string | undefined {
  if (isPublic || secret.toLowerCase().includes(publicWord)) return 'is public, so production refuses it';
  if (secret.length < lengthMin) return `must have at least ${lengthMin} characters in production`;
  return isRepetitive(secret) ? 'repeats itself or counts, so production refuses it' : undefined;
}
