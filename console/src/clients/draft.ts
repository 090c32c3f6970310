/** Owns what somebody is about to do with a client's money, also after the dialog was closed without an answer. */
import { useState } from 'react';
import { newKey } from '../api/key.ts';

export type Draft = {
  /** Made when the dialog opens: whatever is sent under it is done once. */
  readonly key: string;
  readonly amount: string;
  /** The note or the reason. */
  readonly words: string;
  readonly down: boolean;
  /** Sent, and it is not known what became of it. Then it is only sent again as it was. */
  readonly unsure: boolean;
};

const fresh = (): Draft => ({ key: newKey(), amount: '', words: '', down: false, unsure: false });

export type Drafting = {
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
  /** Begins anew, with another key. */
  readonly renew: () => void;
};

export const useDraft = (): Drafting => {
  const [draft, setDraft] = useState(fresh);
  return {
    draft,
    change: (part) => setDraft((before) => ({ ...before, ...part })),
    renew: () => setDraft(fresh()),
  };
};
