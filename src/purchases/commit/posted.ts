/** Describes an acknowledged posting, from which a process knows what the database must hold. */
import type { Posting } from '../../ledger/posting.ts';
import type { Purchase } from '../purchase.ts';

export type Posted = {
  readonly clientId: string;
  readonly seq: number;
  readonly kind: string;
  readonly purchaseId: string | null;
};

export const postedBy = ({ clientId, id }: Purchase, { kind }: Posting, seq: number): Posted => ({
  clientId,
  seq,
  kind,
  purchaseId: id,
});
