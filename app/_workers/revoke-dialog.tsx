import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';

interface Props {
  /** Name of the worker or token; null keeps the dialog closed. */
  name: string | null;
  pending: boolean;
  onClose: () => void;
  onRevoke: () => void;
}

/** Asks before a token ends. */
export function RevokeDialog({ name, pending, onClose, onRevoke }: Props) {
  return (
    <Dialog
      open={name !== null}
      onOpenChange={(open) => open || onClose()}
      title={`Revoke ${name ?? ''}?`}
      description="Its token ends now, also for other agents that use it. A block that it runs is lost and run again elsewhere."
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button tone="danger" disabled={pending} onClick={onRevoke}>
            Revoke
          </Button>
        </>
      }
    />
  );
}
