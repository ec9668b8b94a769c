import type { components } from '@shopscope/client';
import type { Call } from '../command.ts';
import { limitOf, take } from '../signal-rows.ts';
import { table } from '../table.ts';
import { deliveryHeadings, deliveryRow } from './delivery-text.ts';

type Delivery = components['schemas']['Delivery'];

/** Prints the deliveries of a list, as many as --limit says. `read`: asks for pages of this many. */
export async function showDeliveries(
  { options, print, screen }: Call,
  read: (limit: number) => AsyncIterable<Delivery>,
): Promise<undefined> {
  const { rows, limit } = limitOf(options.limit);
  const data = await take(read(limit), rows);
  await print({ data }, () => table(deliveryHeadings, data.map(deliveryRow), screen, 'There is no such delivery.'));
}
