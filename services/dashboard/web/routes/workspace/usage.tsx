import { Page } from '../../components/page.tsx';
import type { Route } from './+types/usage';

export const meta: Route.MetaFunction = () => [{ title: 'Usage · Shopscope' }];

export const loader = () => null;

export default function UsagePage() {
  return <Page title="Usage">{null}</Page>;
}
