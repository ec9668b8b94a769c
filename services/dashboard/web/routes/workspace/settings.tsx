import { Page } from '../../components/page.tsx';
import type { Route } from './+types/settings';

export const meta: Route.MetaFunction = () => [{ title: 'Workspace · Shopscope' }];

export const loader = () => null;

export default function WorkspacePage() {
  return <Page title="Workspace">{null}</Page>;
}
