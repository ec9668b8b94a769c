import type { SelectedField } from './select-fields.ts';

/**
 * Returns the selected members of a value. The value is JSON of REST, so each selected member keeps its JSON.
 *
 * - A member is missing or null although the schema requires it -> throws, and the request fails unbilled.
 */
export function project(fields: readonly SelectedField[], source: object): object {
  const projected: Record<string, unknown> = {};
  for (const { key, field, parent, isRequired, fields: inner } of fields) {
    const value = field.name === '__typename' ? parent.name : (source as Record<string, unknown>)[field.name];
    if (isRequired && (value === null || value === undefined))
      throw new Error(`${parent.name}.${field.name} is missing`);
    const shown = inner === undefined ? (value ?? null) : projectInner(inner, value);
    if (key === '__proto__') Object.defineProperty(projected, key, { value: shown, enumerable: true });
    else projected[key] = shown;
  }
  return projected;
}

function projectInner(fields: readonly SelectedField[], value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map((each) => projectInner(fields, each));
  return project(fields, value as object);
}
