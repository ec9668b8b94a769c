import { ButtonLink } from '../../app/components/button.tsx';
import { CopyButton } from '../../app/components/copy-field.tsx';
import { Notice } from '../../app/components/page.tsx';

/** Shows backup codes. They are shown only once. `next` is the page after them. */
export function BackupCodes({ codes, next }: { codes: readonly string[]; next: string }) {
  return (
    <>
      <Notice kind="warning" title="These codes are shown only now">
        Store them where you find them without your phone, for example in a password manager or on paper. Each code
        works once.
      </Notice>
      <ul className="grid grid-cols-2 gap-x-6 gap-y-1 rounded border bg-raised p-4 font-mono sm:w-fit">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div>
        <CopyButton value={codes.join('\n')} label="all backup codes" />
      </div>
      <p>
        <ButtonLink to={next} kind="primary" replace>
          I have stored them
        </ButtonLink>
      </p>
    </>
  );
}
