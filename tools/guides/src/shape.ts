/** Members whose values are the same in every run. Other members are compared by type only. */
const stable = new Set('match reason scan_requested code type state input domain kind scheme'.split(' '));
/** Figures that are null while they are not known. */
const figures = new Set(['stores']);

/**
 * Returns how an actual value differs from the value in a guide, as paths with reasons. Returns an empty list if they
 * are equal.
 *
 * - All types are compared. Values are compared only if they are the same in every run.
 * - Each item of an array in a guide is compared with the actual item at the same index.
 * - A figure may be null in the response, because its first count can take longer than the response may wait.
 * - `isShortened`: the actual value may have more members and items.
 */
export function differences(shown: unknown, actual: unknown, isShortened: boolean, path = '$'): string[] {
  if (kindOf(shown) !== kindOf(actual)) return [`${path} is ${kindOf(actual)}, shown as ${kindOf(shown)}`];
  if (Array.isArray(shown) && Array.isArray(actual)) {
    if (actual.length < shown.length || (!isShortened && actual.length !== shown.length)) {
      return [`${path} has ${actual.length} items, shown with ${shown.length}`];
    }
    return shown.flatMap((item, at) => differences(item, actual[at], isShortened, `${path}[${at}]`));
  }
  if (!isObject(shown) || !isObject(actual)) return [];
  const missing = Object.keys(shown).filter((name) => !(name in actual));
  const unknown = isShortened ? [] : Object.keys(actual).filter((name) => !(name in shown));
  return [
    ...missing.map((name) => `${path}.${name} does not exist`),
    ...unknown.map((name) => `${path}.${name} is not shown`),
    ...Object.keys(shown)
      .filter((name) => name in actual)
      .flatMap((name) => {
        const [value, found] = [shown[name], actual[name]];
        if (figures.has(name) && found === null) return [];
        const isOther = stable.has(name) && !isObject(value) && value !== found;
        return isOther
          ? [`${path}.${name} is ${JSON.stringify(found)}, shown as ${JSON.stringify(value)}`]
          : differences(value, found, isShortened, `${path}.${name}`);
      }),
  ];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const kindOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value);
