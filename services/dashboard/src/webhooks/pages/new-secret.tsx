import { ButtonLink } from '../../app/components/button.tsx';
import { NewSecret } from '../../app/components/new-secret.tsx';
import { Notice } from '../../app/components/page.tsx';

/** The secret of a webhook, shown once. `next`: the page after it. */
export const NewWebhookSecret = ({ url, secret, next }: { url: string; secret: string; next: string }) => (
  <NewSecret
    noun="secret"
    advice="Your receiver needs it to verify messages. Shopscope cannot show it again."
    owner={url}
    secret={secret}
    next={next}
  />
);

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
