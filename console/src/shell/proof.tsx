/** Opens the re-authentication dialog when a call needs it; the call then continues. */
import { lazy, Suspense, useEffect, useState } from 'react';
import { onProofNeeded } from '../api/proof.ts';

const ProofDialog = lazy(() => import('./proof-dialog.tsx'));

type Asking = { readonly answer: (given: boolean) => void };

export const Proof = () => {
  const [asking, setAsking] = useState<Asking | undefined>(undefined);
  useEffect(() => {
    const ask = (): Promise<boolean> => new Promise((resolve) => setAsking({ answer: resolve }));
    return onProofNeeded(ask);
  }, []);
  if (asking === undefined) return null;
  const end = (given: boolean): void => {
    setAsking(undefined);
    asking.answer(given);
  };
  return (
    <Suspense fallback={null}>
      <ProofDialog onEnd={end} />
    </Suspense>
  );
};
