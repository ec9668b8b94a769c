import { load } from '../../app/pages/server.ts';
import type { Route } from './+types/delivery-status';
import { readDelivery } from './load-delivery.ts';

/** The delivery as JSON. */
export const loader = async ({ params, context }: Route.LoaderArgs) =>
  Response.json(await load(context, () => readDelivery(context, params.deliveryId)));
