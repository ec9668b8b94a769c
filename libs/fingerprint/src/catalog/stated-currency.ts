import { decodeHTML } from 'entities';
import countries from '../data/countries.rules.json' with { type: 'json' };
import data from '../data/currencies.rules.json' with { type: 'json' };
import { once } from '../once.ts';
import { signs, tomans } from './currencies.ts';

/**
 * Reads the currency that a page states where the standard asks for a code. Accepted are a code, a common substitute for a code, a name, or
 * a sign. Codes outside of ISO 4217 are never returned.
 */
const active: ReadonlySet<string> = new Set(data.active);
const otherCodes: Readonly<Record<string, string>> = data.otherCodes;
const maxChars = 60;
const maxParts = 6;

function namesToCodes(): Map<string, string> {
  const names = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const language of countries.nameLanguages) {
    const display = new Intl.DisplayNames([language], { type: 'currency', fallback: 'none' });
    for (const code of active) {
      const name = display.of(code)?.toLowerCase();
      if (!name) continue;
      if ((names.get(name) ?? code) !== code) ambiguous.add(name);
      names.set(name, code);
    }
  }
  for (const name of ambiguous) names.delete(name);
  for (const { sign, currency } of data.visibleSigns) names.set(sign.toLowerCase(), currency);
  for (const [code, others] of Object.entries(data.names)) for (const name of others) names.set(name, code);
  return names;
}

/** Computed on first use, because it takes some milliseconds. */
const byName = once(namesToCodes);

const isoCode = (text: string): string | undefined => {
  const code = text.toUpperCase();
  return /^[A-Z]{3}$/.test(code) ? (otherCodes[code] ?? (active.has(code) ? code : undefined)) : undefined;
};

function currenciesOf(text: string): readonly string[] {
  const code = isoCode(text);
  if (code) return [code];
  const named = byName().get(text.toLowerCase());
  if (named) return [named];
  const sign = text.replace(/\.$/, '');
  return signs.find(({ form }) => form.exec(sign)?.[0].length === sign.length)?.currencies ?? [];
}

/** Returns the currencies that a statement allows: one, those of a sign that several currencies share, or none. */
export function statedCurrencies(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.length === 1 && typeof value[0] === 'string' ? statedCurrencies(value[0]) : [];
  if (typeof value !== 'string' || value.length > maxChars) return [];
  const text = (value.includes('&') ? decodeHTML(value) : value).replaceAll(/[\s\u00a0\u202f]+/g, ' ').trim();
  if (text === '' || tomans.test(text)) return [];
  const whole = currenciesOf(text);
  if (whole.length > 0) return whole;
  // "EUR (€)" and "USD - US Dollar" state one currency. Two codes are a list of currencies.
  const parts = text.split(/[\s()[\],;:|-]+/).filter((part) => part !== '');
  if (parts.length < 2 || parts.length > maxParts) return [];
  const written = new Set(
    parts.map((part) => (/^[A-Z]{3}$/.test(part) ? isoCode(part) : undefined)).filter((code) => code !== undefined),
  );
  if (written.size > 0) return written.size === 1 ? [...written] : [];
  const allowed = parts.map(currenciesOf);
  return (allowed[0] ?? []).filter((currency) => allowed.every((others) => others.includes(currency)));
}

/** Returns the one ISO 4217 code that a statement allows. Undefined if it allows none or several. */
export function currencyCode(value: unknown): string | undefined {
  const stated = statedCurrencies(value);
  return stated.length === 1 ? stated[0] : undefined;
}
