/** What happens when a workspace is deleted. */
export const DeletionConsequences = () => (
  <ul className="grid list-disc gap-1 pl-5">
    <li>Every key of the workspace is revoked. API servers refuse them within 60 seconds.</li>
    <li>All members lose access at once, and open invitations end.</li>
    <li>It cannot be undone. Usage stays billed, and the audit log is kept.</li>
  </ul>
);
