import type { ShownActor } from '../domain/actor.ts';
import { Badge } from './badge.tsx';

/** Shows a person, or the mark of Shopscope's operators, which no name can have. `withId`: the id is always shown. */
export function ActorName({ who, withId = false }: { who: ShownActor; withId?: boolean }) {
  if (who.kind === 'operator') return <Badge tone="neutral">operator</Badge>;
  return <PersonLines {...who} withId={withId} />;
}

/** The name, address and id of a person, one below the other. */
export function PersonLines({
  id,
  name,
  email,
  withId = false,
}: Omit<ShownActor & { kind: 'person' }, 'kind'> & { withId?: boolean }) {
  return (
    <span className="grid min-w-0 leading-5 [overflow-wrap:anywhere]">
      {name !== '' && <bdi>{name}</bdi>}
      {email !== '' && <span className="text-sm text-quiet">{email}</span>}
      {(withId || email === '') && (
        <span className="code text-quiet" {...(!withId && { title: 'No longer a member of this workspace' })}>
          {id}
        </span>
      )}
    </span>
  );
}
