import type { PageEvidence } from './evidence.ts';

/** Reads something of a page once, for all who need it. */
export function perPage<Value extends object>(read: (page: PageEvidence) => Value): (page: PageEvidence) => Value {
  const known = new WeakMap<PageEvidence, Value>();
  return (page) => {
    const value = known.get(page) ?? read(page);
    known.set(page, value);
    return value;
  };
}
