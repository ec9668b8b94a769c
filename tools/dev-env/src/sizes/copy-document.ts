import { randomBytes, randomInt } from 'node:crypto';
import { dayMs } from '@shopscope/clock';
import { Binary, type Document, ObjectId } from 'mongodb';

/**
 * A further document like a given one: same members, same lengths, other identifiers. So indexes grow as with real documents, and
 * compression finds no equal identifiers.
 *
 * - Ids, hashes and tokens: other letters, digits and bytes in the same places. Equal texts of one document stay equal.
 * - Domains of test stores: another name of the same length.
 * - Instants: some hours earlier. Everything else stays as it is.
 */
export function copyDocument<D extends Document>(document: D): D {
  const shiftMs = randomInt(dayMs);
  const known = new Map<string, string>();
  const copyText = (text: string): string => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = text.replace(identifier, scrambled);
    known.set(text, made);
    return made;
  };
  const copy = (value: unknown): unknown => {
    if (typeof value === 'string') return copyText(value);
    if (value instanceof Date) return new Date(value.getTime() - shiftMs);
    if (value instanceof ObjectId) return new ObjectId(randomBytes(12));
    if (value instanceof Binary && value.length() <= hashMaxBytes) return new Binary(randomBytes(value.length()));
    if (Array.isArray(value)) return value.map(copy);
    if (value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype) {
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [copyText(name), copy(member)]));
    }
    return value;
  };
  return copy(document) as D;
}

/** Longer bytes are contents. */
const hashMaxBytes = 64;

/** Text that names one thing: at least 16 letters and digits with both, after an optional prefix, or the name of a test store. */
const identifier =
  /(?<=^|[^A-Za-z0-9])(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{16,}|[a-z0-9-]+(?=\.example|\.myshopify\.com)/g;

const scrambled = (text: string): string =>
  text.replace(/[a-z0-9]/gi, (character) => {
    if (/\d/.test(character)) return String(randomInt(10));
    const first = character <= 'Z' ? 65 : 97;
    return String.fromCharCode(first + randomInt(26));
  });
