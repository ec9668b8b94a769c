import { useEffect, useState } from 'react';
import { ButtonLink } from '../../app/components/button.tsx';
import { CopyField } from '../../app/components/copy-field.tsx';
import { Card, Notice } from '../../app/components/page.tsx';

/** A secret that is shown once. `next`: the page after it. */
export function NewSecret({ url, secret, next }: { url: string; secret: string; next: string }) {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (isDone) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isDone]);
  return (
    <div className="grid max-w-[640px] gap-6">
      <Notice kind="warning" title="This secret is shown only now">
        Your receiver needs it to verify messages. Shopscope cannot show it again.
      </Notice>
      <Card className="grid gap-2">
        <p className="text-sm text-quiet [overflow-wrap:anywhere]">{url}</p>
        <CopyField label="the secret" value={secret} />
      </Card>
      <div>
        <ButtonLink kind="primary" to={next} onClick={() => setDone(true)}>
          I have stored it
        </ButtonLink>
      </div>
    </div>
  );
}

/** After a form that was sent twice. */
export function SecretShownBefore({ next, children }: { next: string; children: string }) {
  return (
    <div className="grid max-w-[640px] gap-4">
      <Notice title="The form was sent before">{children}</Notice>
      <p>If the secret was not stored, rotate it.</p>
      <div>
        <ButtonLink kind="primary" to={next}>
          Go on with this webhook
        </ButtonLink>
      </div>
    </div>
  );
}
