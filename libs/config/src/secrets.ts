import { z } from 'zod';
import { isRepetitive } from './repetitive.ts';
import { isProduction, type Rule } from './rules.ts';

/**
 * Secrets that others can know or guess. Production refuses them; a problem has the name of the setting and never the value.
 *
 * - Public: it has the word {@link publicWord}. Every secret in the repository has it, or is refused otherwise. A check searches the
 *   repository for others (tools/checks/src/secrets).
 * - Too short, or repetitive.
 * - Not covered: words that a person chose. No text tells that it was chosen at random.
 */
export interface SecretOptions {
  /** The secrets of the setting. By default its whole text. */
  secretsOf?(text: string): readonly string[];
  /** Whether a secret is known to everybody for another reason. */
  isPublic?(secret: string): boolean;
  lengthMin?: number;
}

export const publicWord = 'development';
export const secretLengthMin = 32;

/** A setting that is one secret. In production {@link secretRule} also applies. */
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
