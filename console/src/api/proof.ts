/** Pauses a call that needs re-authentication until the user has confirmed who they are. */

/** Asks for the proof; returns whether it was given. */
export type AskProof = () => Promise<boolean>;

let asker: AskProof | undefined;
let asked: Promise<boolean> | undefined;

/** Registers who asks; returns how to unregister. */
export const onProofNeeded = (ask: AskProof): (() => void) => {
  asker = ask;
  return () => {
    if (asker === ask) asker = undefined;
  };
};

/** Asks once, however many calls wait for it. */
export const proofGiven = async (): Promise<boolean> => {
  if (asker === undefined) return false;
  asked ??= asker();
  try {
    return await asked;
  } finally {
    asked = undefined;
  }
};
