import { Page } from '../../components/page.tsx';
import { membershipContext } from '../../session.ts';
import type { Route } from './+types/overview';

export function loader({ context }: Route.LoaderArgs) {
  const { name } = context.get(membershipContext);
  return { name };
}

export default function Overview({ loaderData: { name } }: Route.ComponentProps) {
  return <Page title="Overview">{name}</Page>;
}
