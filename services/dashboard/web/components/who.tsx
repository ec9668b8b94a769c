import type { Who } from '../../src/domain/who.ts';

/** A person of the workspace by name, another person by id, or Shopscope's operators. */
export function WhoName({ who }: { who: Who }) {
  if (who.kind === 'member') return <span className="break-words">{who.name}</span>;
  if (who.kind === 'operator') return <span className="text-quiet">operator</span>;
  return (
    <span className="code text-quiet" title="No longer a member of this workspace">
      {who.id}
    </span>
  );
}
