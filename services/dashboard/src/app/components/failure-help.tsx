/**
 * What a failure on the server has left behind, what to do, and the request id.
 *
 * - `page`: loaders only read, so nothing was changed.
 * - `form`: the change may have been stored before the failure.
 * - `unknown`: the failure does not tell which of both it was, for example a lost connection.
 */
export function FailureHelp({ of, requestId }: { of: 'page' | 'form' | 'unknown'; requestId: string | undefined }) {
  return (
    <p className="text-sm text-quiet">
      {texts[of]}
      {requestId && (
        <>
          {' '}
          Request id: <span className="code">{requestId}</span>
        </>
      )}
    </p>
  );
}

const texts = {
  page: 'Opening this page changed nothing. Try again in a few seconds. If it fails again, send Shopscope support the request id.',
  form: 'Your last change may or may not have been saved. Reload the page to see, then try again.',
  unknown: 'If you were saving a change, it may or may not have been saved. Reload the page to see, then try again.',
};
