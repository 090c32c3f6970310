/** Owns the types of the back office's API. Written by console/generate.ts: change the routes, not this file. */

export type Operations = {
  /** Begin with a second factor. */
  readonly beginMyTotp: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** The password as it is. */
      readonly password: string;
    };
    readonly answer: {
      /** To be typed, in base32. */
      readonly secret: string;
      /** To be shown as a picture. */
      readonly uri: string;
    };
  };
  /** Change an account. */
  readonly changeAccount: {
    readonly params: {
      /** The account. */
      readonly account_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** What it may do. */
      readonly role?: 'viewer' | 'support' | 'manager' | 'owner';
      /** `disabled`: it is let in no more. */
      readonly status?: 'active' | 'disabled';
    };
    readonly answer: {
      /** The account. */
      readonly id: string;
      /** By which it signs in. */
      readonly name: string;
      /** What it may do. */
      readonly role: 'viewer' | 'support' | 'manager' | 'owner';
      /** `disabled`: it is let in no more. */
      readonly status: 'active' | 'disabled';
      /** Whether it has a password yet. */
      readonly password: boolean;
      /** Whether it has a second factor. */
      readonly totp: boolean;
      /** When it was made. */
      readonly created_at: string;
      /** When somebody last signed in to it; null: never. */
      readonly signed_in_at: string | null;
    };
  };
  /** Change your password. */
  readonly changeMyPassword: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** The password as it is. */
      readonly current: string;
      /** A new password of 12 to 256 characters. */
      readonly password: string;
    };
    readonly answer: undefined;
  };
  /** Confirm the second factor. */
  readonly confirmMyTotp: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** The six digits that the app shows. */
      readonly code: string;
    };
    readonly answer: undefined;
  };
  /** Make an account. */
  readonly createAccount: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** By which it signs in. */
      readonly name: string;
      /** What it may do. */
      readonly role: 'viewer' | 'support' | 'manager' | 'owner';
    };
    readonly answer: {
      readonly account: {
        /** The account. */
        readonly id: string;
        /** By which it signs in. */
        readonly name: string;
        /** What it may do. */
        readonly role: 'viewer' | 'support' | 'manager' | 'owner';
        /** `disabled`: it is let in no more. */
        readonly status: 'active' | 'disabled';
        /** Whether it has a password yet. */
        readonly password: boolean;
        /** Whether it has a second factor. */
        readonly totp: boolean;
        /** When it was made. */
        readonly created_at: string;
        /** When somebody last signed in to it; null: never. */
        readonly signed_in_at: string | null;
      };
      /** Shown this once: hand it over as `/console/setup#` and this. */
      readonly setup_token: string;
      /** Until when it is good. */
      readonly setup_until: string;
    };
  };
  /** End all sessions of an account. */
  readonly endSessions: {
    readonly params: {
      /** The account. */
      readonly account_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** See who you are. */
  readonly getMe: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      readonly account: {
        /** The account. */
        readonly id: string;
        /** By which it signs in. */
        readonly name: string;
        /** What it may do. */
        readonly role: 'viewer' | 'support' | 'manager' | 'owner';
        /** `disabled`: it is let in no more. */
        readonly status: 'active' | 'disabled';
        /** Whether it has a password yet. */
        readonly password: boolean;
        /** Whether it has a second factor. */
        readonly totp: boolean;
        /** When it was made. */
        readonly created_at: string;
        /** When somebody last signed in to it; null: never. */
        readonly signed_in_at: string | null;
      };
      /** What the role may do. */
      readonly rights: readonly (
        | 'read'
        | 'resolve'
        | 'catalogue'
        | 'clients'
        | 'money'
        | 'audit'
        | 'accounts'
        | 'settings'
      )[];
      /** When the session is over if it is not used. */
      readonly session_ends_at: string;
    };
  };
  /** Give a new link. */
  readonly issueSetup: {
    readonly params: {
      /** The account. */
      readonly account_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      readonly account: {
        /** The account. */
        readonly id: string;
        /** By which it signs in. */
        readonly name: string;
        /** What it may do. */
        readonly role: 'viewer' | 'support' | 'manager' | 'owner';
        /** `disabled`: it is let in no more. */
        readonly status: 'active' | 'disabled';
        /** Whether it has a password yet. */
        readonly password: boolean;
        /** Whether it has a second factor. */
        readonly totp: boolean;
        /** When it was made. */
        readonly created_at: string;
        /** When somebody last signed in to it; null: never. */
        readonly signed_in_at: string | null;
      };
      /** Shown this once: hand it over as `/console/setup#` and this. */
      readonly setup_token: string;
      /** Until when it is good. */
      readonly setup_until: string;
    };
  };
  /** See all accounts. */
  readonly listAccounts: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** All of them. */
      readonly data: readonly {
        /** The account. */
        readonly id: string;
        /** By which it signs in. */
        readonly name: string;
        /** What it may do. */
        readonly role: 'viewer' | 'support' | 'manager' | 'owner';
        /** `disabled`: it is let in no more. */
        readonly status: 'active' | 'disabled';
        /** Whether it has a password yet. */
        readonly password: boolean;
        /** Whether it has a second factor. */
        readonly totp: boolean;
        /** When it was made. */
        readonly created_at: string;
        /** When somebody last signed in to it; null: never. */
        readonly signed_in_at: string | null;
      }[];
    };
  };
  /** See who changed what. */
  readonly listAudit: {
    readonly params: undefined;
    readonly query: {
      /** Entries older than this one. */
      readonly before?: string;
      /** Of one account only. */
      readonly subject?: string;
    };
    readonly body: undefined;
    readonly answer: {
      /** Up to 100. */
      readonly data: readonly {
        /** The entry; `before` goes on from it. */
        readonly id: string;
        /** When. */
        readonly at: string;
        /** Whose account; null: it was a command. */
        readonly account_id: string | null;
        /** Who. */
        readonly actor: string;
        /** What. */
        readonly action: string;
        /** The id of what it was about. */
        readonly subject: string;
        /** What was before. */
        readonly before: Readonly<Record<string, unknown>>;
        /** What was after. */
        readonly after: Readonly<Record<string, unknown>>;
        /** From which address; null: it was a command. */
        readonly address: string | null;
      }[];
      /** Where the next page begins; null: there is none. */
      readonly next: string | null;
    };
  };
  /** Remove the second factor. */
  readonly removeMyTotp: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** The password as it is. */
      readonly password: string;
    };
    readonly answer: undefined;
  };
  /** Take a second factor away. */
  readonly resetTotp: {
    readonly params: {
      /** The account. */
      readonly account_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** Send the code of the second factor. */
  readonly sendCode: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** The six digits that the app shows. */
      readonly code: string;
    };
    readonly answer: {
      /** Whether the code of the second factor is to be sent before anything else. */
      readonly code_needed: boolean;
    };
  };
  /** Set a password by a link. */
  readonly setUp: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** What stands behind the mark #. */
      readonly token: string;
      /** A new password of 12 to 256 characters. */
      readonly password: string;
    };
    readonly answer: {
      /** Whether the code of the second factor is to be sent before anything else. */
      readonly code_needed: boolean;
    };
  };
  /** Sign in. */
  readonly signIn: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** Of the account, in whatever case. */
      readonly name: string;
      /** The password as it is. */
      readonly password: string;
    };
    readonly answer: {
      /** Whether the code of the second factor is to be sent before anything else. */
      readonly code_needed: boolean;
    };
  };
  /** Sign out. */
  readonly signOut: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
};

/** Where each is found. */
export const places = {
  beginMyTotp: { method: 'POST', path: '/admin/api/me/totp' },
  changeAccount: { method: 'PATCH', path: '/admin/api/accounts/{account_id}' },
  changeMyPassword: { method: 'POST', path: '/admin/api/me/password' },
  confirmMyTotp: { method: 'POST', path: '/admin/api/me/totp/confirm' },
  createAccount: { method: 'POST', path: '/admin/api/accounts' },
  endSessions: { method: 'DELETE', path: '/admin/api/accounts/{account_id}/sessions' },
  getMe: { method: 'GET', path: '/admin/api/me' },
  issueSetup: { method: 'POST', path: '/admin/api/accounts/{account_id}/setup' },
  listAccounts: { method: 'GET', path: '/admin/api/accounts' },
  listAudit: { method: 'GET', path: '/admin/api/audit' },
  removeMyTotp: { method: 'DELETE', path: '/admin/api/me/totp' },
  resetTotp: { method: 'DELETE', path: '/admin/api/accounts/{account_id}/totp' },
  sendCode: { method: 'POST', path: '/admin/api/login/code' },
  setUp: { method: 'POST', path: '/admin/api/setup' },
  signIn: { method: 'POST', path: '/admin/api/login' },
  signOut: { method: 'POST', path: '/admin/api/logout' },
} as const;
