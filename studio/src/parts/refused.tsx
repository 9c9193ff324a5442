// Why something was not done; nothing while there is no reason.
export function Refused({ reason }: { reason: string }) {
  if (reason === '') return null;
  return (
    <p class="refused" role="alert">
      {reason}
    </p>
  );
}
