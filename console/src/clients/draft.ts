/** Keeps the draft of a deposit or correction until its outcome is known, even after the dialog closes. */
import { useState } from 'react';
import { useReread } from '../api/hooks.ts';
import { newKey } from '../api/key.ts';
import { useMe } from '../session.tsx';

export type Draft = {
  /** Created when the dialog opens: requests under it take effect once. */
  readonly key: string;
  readonly amount: string;
  /** The note or the reason. */
  readonly words: string;
  /** Of a transfer to a supplier. */
  readonly reference: string;
  readonly down: boolean;
  /** Sent, with an unknown outcome. Then it can only be sent again unchanged. */
  readonly unsure: boolean;
};

const fresh = (): Draft => ({
  key: newKey(),
  amount: '',
  words: '',
  reference: '',
  down: false,
  unsure: false,
});

export type Drafting = {
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
  /** Is being sent. After leaving the page, its outcome counts as unknown. */
  readonly sending: () => void;
  /** Failed with an error, or got no answer. */
  readonly failed: (unsure: boolean) => void;
  /** Starts over, with another key. */
  readonly renew: () => void;
};

/** Drafts without an answer, until they get one or are discarded; also while another page is shown. */
const kept = new Map<string, Draft>();

/** One user's draft about one subject, identified by `name`. */
export const useDraft = (name: string): Drafting => {
  const [draft, setDraft] = useState(() => kept.get(name) ?? fresh());
  return {
    draft,
    change: (part) => setDraft({ ...draft, ...part }),
    sending: () => kept.set(name, { ...draft, unsure: true }),
    failed: (unsure) => {
      // Once the outcome is unknown, a later refusal does not settle it.
      if (unsure) setDraft({ ...draft, unsure });
      else if (!draft.unsure) kept.delete(name);
    },
    renew: () => {
      kept.delete(name);
      setDraft(fresh());
    },
  };
};

/** The dialog of a deposit or a correction, with its draft. */
export const useMoneyDialog = (clientId: string, action: 'deposit' | 'correct') => {
  const { account } = useMe();
  const reread = useReread();
  const drafting = useDraft(`${account.id} ${clientId} ${action}`);
  const [isOpen, setOpen] = useState(false);
  return {
    drafting,
    isOpen,
    open: (): void => {
      // An unanswered draft continues under its key instead of starting over.
      if (!drafting.draft.unsure) drafting.renew();
      void reread(['getClient']);
      setOpen(true);
    },
    close: (): void => setOpen(false),
  };
};
