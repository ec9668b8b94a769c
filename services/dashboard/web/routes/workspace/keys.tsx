import { Page } from '../../components/page.tsx';
import type { Route } from './+types/keys';

export const meta: Route.MetaFunction = () => [{ title: 'API keys · Shopscope' }];

export const loader = () => null;

export default function ApiKeysPage() {
  return <Page title="API keys">{null}</Page>;
}
