/** Keeps the draft of a deposit or correction until its outcome is known, even after the dialog closes. */
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
  /** Is sent now. Who leaves before the answer comes finds it without one. */
  readonly sending: () => void;
  /** Was answered with an error, or not at all. */
  readonly failed: (unsure: boolean) => void;
  /** Begins anew, with another key. */
  readonly renew: () => void;
};

/** What got no answer, until it gets one or is given up; also while another page is shown. */
const kept = new Map<string, Draft>();

/** A draft of one person about one thing, which `name` tells from all others. */
export const useDraft = (name: string): Drafting => {
  const [draft, setDraft] = useState(() => kept.get(name) ?? fresh());
  return {
    draft,
    change: (part) => setDraft({ ...draft, ...part }),
    sending: () => kept.set(name, { ...draft, unsure: true }),
    failed: (unsure) => {
      // Once it is not known what became of it, no refusal tells.
      if (unsure) setDraft({ ...draft, unsure });
      else if (!draft.unsure) kept.delete(name);
    },
    renew: () => {
      kept.delete(name);
      setDraft(fresh());
    },
  };
};
