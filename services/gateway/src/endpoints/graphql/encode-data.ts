import { setImmediate } from 'node:timers/promises';
import type { Clock } from '@shopscope/clock';
import { invalidField } from '@shopscope/errors';
import { bounds } from './bounds.ts';
import { project } from './project.ts';
import type { SelectedField } from './select-fields.ts';

/**
 * Encodes the values of fields as JSON.
 *
 * - The work is done in slices, so that other requests wait at most about {@link sliceMs} for it, and the time of one store.
 * - The answer is too large -> 400, before anything is billed.
 */
const sliceMs = 4;

export async function encodeData(
  fields: readonly { selected: SelectedField; value: unknown }[],
  clock: Pick<Clock, 'monotonicMs'>,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  let startMs = clock.monotonicMs();
  const add = async (text: string) => {
    const part = Buffer.from(text);
    parts.push(part);
    bytes += part.length;
    if (bytes > bounds.responseBytes) {
      throw invalidField('query', 'selects more than 16 MiB; select fewer members or stores');
    }
    if (clock.monotonicMs() - startMs < sliceMs) return;
    await setImmediate();
    startMs = clock.monotonicMs();
  };

  for (const [index, { selected, value }] of fields.entries()) {
    const start = `${index === 0 ? '{' : ','}${JSON.stringify(selected.key)}:`;
    const inner = selected.fields;
    if (!Array.isArray(value) || !inner) {
      await add(start + JSON.stringify(inner && value !== null ? project(inner, value as object) : value));
      continue;
    }
    await add(`${start}[`);
    for (const [at, each] of value.entries()) await add((at === 0 ? '' : ',') + JSON.stringify(project(inner, each)));
    await add(']');
  }
  await add(fields.length === 0 ? '{}' : '}');
  return Buffer.concat(parts);
}
