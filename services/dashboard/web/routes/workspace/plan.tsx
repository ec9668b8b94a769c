import { Page } from '../../components/page.tsx';
import type { Route } from './+types/plan';

export const meta: Route.MetaFunction = () => [{ title: 'Plan · Shopscope' }];

export const loader = () => null;

export default function PlanPage() {
  return <Page title="Plan">{null}</Page>;
}
