import { setImmediate } from 'node:timers/promises';
import type { Deadline } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { bounds } from './bounds.ts';
import { refusedAt } from './document-error.ts';
import { project } from './project.ts';
import type { SelectedField } from './select-fields.ts';

/**
 * Encodes the values of fields as JSON.
 *
 * - The work is done in slices, so that other requests wait at most about {@link sliceMs} for it, and the time of one store.
 * - The deadline passes or the caller disconnects -> no further slice begins.
 * - The answer is too large -> 400, before anything is billed.
 */
const sliceMs = 4;

export async function encodeData(
  fields: readonly { selected: SelectedField; value: unknown }[],
  { clock, deadline }: { clock: Pick<Clock, 'monotonicMs'>; deadline: Pick<Deadline, 'timeoutMs'> },
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  let startMs = clock.monotonicMs();
  const add = async (text: string, at?: SelectedField) => {
    const part = Buffer.from(text);
    parts.push(part);
    bytes += part.length;
    if (bytes > bounds.responseBytes) {
      throw refusedAt(at?.node, 'The document selects more than 16 MiB; select fewer members or stores');
    }
    if (clock.monotonicMs() - startMs < sliceMs) return;
    await setImmediate();
    deadline.timeoutMs();
    startMs = clock.monotonicMs();
  };

  for (const [index, { selected, value }] of fields.entries()) {
    const start = `${index === 0 ? '{' : ','}${JSON.stringify(selected.key)}:`;
    const inner = selected.fields;
    if (!Array.isArray(value) || !inner) {
      await add(start + JSON.stringify(inner && value !== null ? project(inner, value as object) : value), selected);
      continue;
    }
    await add(`${start}[`);
    for (const [at, each] of value.entries())
      await add((at === 0 ? '' : ',') + JSON.stringify(project(inner, each)), selected);
    await add(']');
  }
  await add(fields.length === 0 ? '{}' : '}');
  return Buffer.concat(parts);
}
