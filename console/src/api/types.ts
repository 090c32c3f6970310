/** Declares the types of the admin API. Written by console/generate.ts: change the routes, not this file. */

export type Operations = {
  /** Add a passkey. */
  readonly addMyPasskey: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** How you call it, so that you know it in the list. */
      readonly name: string;
      /** What `navigator.credentials.create()` gave, as JSON. */
      readonly credential: {
        /** The credential ID. In base64url. */
        readonly id: string;
        /** What the authenticator has made. */
        readonly response: {
          /** What the browser says of itself. In base64url. */
          readonly clientDataJSON: string;
          /** The new credential. In base64url. */
          readonly attestationObject: string;
          /** How a browser reaches the authenticator. */
          readonly transports?: readonly string[];
        };
      };
    };
    readonly answer: undefined;
  };
  /** Begin to add a passkey. */
  readonly beginMyPasskey: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** The password as it is. */
      readonly password: string;
    };
    readonly answer: {
      /** Random bytes to sign, in base64url. Good once. */
      readonly challenge: string;
      /** The relying party. */
      readonly rp: {
        /** The domain name. */
        readonly id?: string;
        /** What a browser shows. */
        readonly name: string;
      };
      /** The account. */
      readonly user: {
        /** The account, in base64url. */
        readonly id: string;
        /** The name of the account. */
        readonly name: string;
        /** The name of the account. */
        readonly displayName: string;
      };
      /** The algorithms that are accepted. */
      readonly pubKeyCredParams: readonly {
        /** Always `public-key`. */
        readonly type: string;
        /** A COSE algorithm. */
        readonly alg: number;
      }[];
      /** How long it may take, in milliseconds. */
      readonly timeout?: number;
      /** Always `none`. */
      readonly attestation?: string;
      /** Those that the account has. */
      readonly excludeCredentials?: readonly {
        /** The credential ID, in base64url. */
        readonly id: string;
        /** Always `public-key`. */
        readonly type: string;
        /** How a browser reaches the authenticator. */
        readonly transports?: readonly string[];
      }[];
      /** Which authenticators suit. */
      readonly authenticatorSelection?: {
        /** Whether the authenticator keeps the credential. */
        readonly residentKey?: string;
        /** Whether the authenticator asks for a PIN or the like. */
        readonly userVerification?: string;
      };
    };
  };
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
  /** Begin to sign in with a passkey. */
  readonly beginPasskeySignIn: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** Random bytes to sign, in base64url. Good once. */
      readonly challenge: string;
      /** The domain name. */
      readonly rpId?: string;
      /** How long it may take, in milliseconds. */
      readonly timeout?: number;
      /** The passkeys of the account that work here. */
      readonly allowCredentials?: readonly {
        /** The credential ID, in base64url. */
        readonly id: string;
        /** Always `public-key`. */
        readonly type: string;
        /** How a browser reaches the authenticator. */
        readonly transports?: readonly string[];
      }[];
      /** Whether the authenticator asks for a PIN or the like. */
      readonly userVerification?: string;
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
      /** Whether codes of an app are its second factor. */
      readonly totp: boolean;
      /** How many passkeys it has; each is a second factor. */
      readonly passkeys: number;
      /** When it was made. */
      readonly created_at: string;
      /** The last sign-in; null: never. */
      readonly signed_in_at: string | null;
    };
  };
  /** Change a client. */
  readonly changeClient: {
    readonly params: {
      /** The client. */
      readonly client_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** What the client is called. Names need not be unique. */
      readonly name?: string;
      /** `suspended`: all its requests are refused. */
      readonly status?: 'active' | 'suspended';
    };
    readonly answer: {
      /** The client. */
      readonly id: string;
      /** What the client is called. Names need not be unique. */
      readonly name: string;
      /** `suspended`: all its requests are refused. */
      readonly status: 'active' | 'suspended';
      /** What it may spend. */
      readonly available: number;
      /** What is held for its purchases under way. */
      readonly held: number;
      /** When it was made. */
      readonly created_at: string;
      /** Whether it may spend little. */
      readonly low: boolean;
      /** What is set for it. */
      readonly rules: {
        /** The ids of the products that it may buy; null: all. */
        readonly products: readonly number[] | null;
        /** The ids of the operators of which it may buy; null: all. */
        readonly operators: readonly (1 | 2 | 3 | 4 | 5)[] | null;
        /** For how long the same for the same number at the same price is taken for a repeat; null: it never is. */
        readonly repeat_seconds: number | null;
        /** The most that it may spend on a day in UTC; null: no limit. */
        readonly daily_limit: number | null;
        /** The status of a purchase that is not finished. */
        readonly pending_status: 202 | 409;
      };
      /** Send it along with other rules. */
      readonly rules_version: string;
      /** Its day. */
      readonly day: {
        /** What it has spent on this day in UTC. */
        readonly spent: number;
        /** The most that it may; null: no limit. */
        readonly limit: number | null;
      };
      /** All of them, the oldest first. */
      readonly tokens: readonly {
        /** The token; never what is sent. */
        readonly id: string;
        /** What it is for. */
        readonly name: string;
        /** Its last characters, to tell two apart. */
        readonly ending: string;
        /** Whether it lets in. */
        readonly state: 'valid' | 'expired' | 'revoked';
        /** What it may be used for. */
        readonly scopes: readonly ('catalogue' | 'offers' | 'purchase' | 'webhooks')[];
        /** The addresses and networks from which it may be used; none: from anywhere. */
        readonly networks: readonly string[];
        /** When it was made. */
        readonly created_at: string;
        /** When it ends by itself; null: never. */
        readonly expires_at: string | null;
        /** When it was last used, to some seconds; null: never. */
        readonly last_used_at: string | null;
      }[];
    };
  };
  /** Disable an endpoint, or enable it again. */
  readonly changeClientWebhook: {
    readonly params: {
      /** The client. */
      readonly client_id: string;
      /** The endpoint. */
      readonly endpoint_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** What it is to be. */
      readonly status: 'active' | 'disabled';
    };
    readonly answer: {
      /** The endpoint. */
      readonly id: string;
      /** Where messages are sent. Its user and the values of its query are masked for a role that cannot change endpoints. */
      readonly url: string;
      /** The client's own words. */
      readonly description: string;
      /** The events it receives. */
      readonly events: readonly (
        | 'purchase.succeeded'
        | 'purchase.failed'
        | 'purchase.pending'
        | 'purchase.reversed'
        | 'balance.low'
        | 'catalogue.changed'
        | 'operator.status'
      )[];
      /** `disabled`: nothing is sent. */
      readonly status: 'active' | 'disabled';
      /** `client`: by its client. `gone`: it answered 410. `gateway`: in the back office. */
      readonly disabled_by: 'client' | 'gone' | 'gateway' | null;
      /** When it was made. */
      readonly created_at: string;
      /** How many messages wait to be sent; at most 1000 are counted. */
      readonly waiting: number;
      /** How many were given up; at most 1000 are counted. */
      readonly failed: number;
      /** When one last arrived; null: none of the newest 1000 did. */
      readonly delivered_last_at: string | null;
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
  /** Set the faults of a simulated operator. */
  readonly changeOperatorFaults: {
    readonly params: {
      /** The operator. */
      readonly operator_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** The request is read and forgotten: nothing is done, no answer comes. */
      readonly loseRequests?: number;
      /** The work is done, and no answer comes. */
      readonly loseAnswers?: number;
      /** The work is done, and the answer is HTTP 500. */
      readonly errors?: number;
      /** The work is done, and the answer is not JSON, though it says so. */
      readonly nonsense?: number;
      /** Work or answer begins later, by `delayMs`. */
      readonly delays?: number;
      /** Inquiries do not see the order for a while, by `lagMs`. */
      readonly lag?: number;
      /** What was delivered is reversed, after `reversesAfter`. */
      readonly reversals?: number;
      /** How much later, in milliseconds. */
      readonly delayMs?: number;
      /** For how long, in milliseconds. */
      readonly lagMs?: number;
    };
    readonly answer: {
      /** The request is read and forgotten: nothing is done, no answer comes. */
      readonly loseRequests: number;
      /** The work is done, and no answer comes. */
      readonly loseAnswers: number;
      /** The work is done, and the answer is HTTP 500. */
      readonly errors: number;
      /** The work is done, and the answer is not JSON, though it says so. */
      readonly nonsense: number;
      /** Work or answer begins later, by `delayMs`. */
      readonly delays: number;
      /** Inquiries do not see the order for a while, by `lagMs`. */
      readonly lag: number;
      /** What was delivered is reversed, after `reversesAfter`. */
      readonly reversals: number;
      /** How much later, in milliseconds. */
      readonly delayMs: number;
      /** For how long, in milliseconds. */
      readonly lagMs: number;
    };
  };
  /** Change the settings of an operator. */
  readonly changeOperatorSettings: {
    readonly params: {
      /** The operator. */
      readonly operator_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** By their names in `schema`. */
      readonly settings: Readonly<Record<string, unknown>>;
      /** Of the settings that you saw. */
      readonly version: string;
    };
    readonly answer: {
      /** The operator. */
      readonly id: number;
      /** As clients know it. */
      readonly name: string;
      /** The name that people read. */
      readonly names: {
        /** In English. */
        readonly en: string;
        /** In Persian. */
        readonly fa: string;
      };
      /** Which connector talks to it. */
      readonly connector: string;
      /** As the process that answers sees it. */
      readonly health: 'up' | 'degraded' | 'down' | 'suspended';
      /** Whether it gets new work: `open` gives it a rest. */
      readonly breaker: 'closed' | 'trying' | 'open';
      /** Since when it is so; null: since the start. */
      readonly since: string | null;
      /** What is under way with it in this process. */
      readonly under_way: number;
      /** Why nothing new is sold of it; null where it is. */
      readonly suspended: {
        /** Since when. */
        readonly at: string;
        /** By whom; `simgate` where its settings cannot be used. */
        readonly by: string;
        /** Why. */
        readonly reason: string;
      } | null;
      /** What it can do besides selling. */
      readonly can: {
        /** Lists personal offers. */
        readonly offers: boolean;
        /** Tells of subscribers. */
        readonly subscriber: boolean;
        /** Tells of sales that it took back. */
        readonly reports: boolean;
      };
      /** Whose settings are in use. */
      readonly settings_from: 'file' | 'console';
      /** Why what is set of it now cannot be used: then it is reached by nothing, and what is shown was set before; null where it can. */
      readonly settings_problem: string | null;
      /** Whether it is simulated in this process. */
      readonly simulator: boolean;
      /** What can be set, in order. */
      readonly schema: readonly {
        /** The setting. */
        readonly name: string;
        /** `json`: it is typed as it is. */
        readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'enum' | 'object' | 'json';
        /** What it is. */
        readonly description: string;
        /** Whether it has to be given. */
        readonly required: boolean;
        /** Whether it is never shown. */
        readonly secret: boolean;
        /** What it is where it is left out; null: nothing. */
        readonly default: unknown;
        /** The least. */
        readonly minimum: number | null;
        /** The most. */
        readonly maximum: number | null;
        /** Of an enum. */
        readonly values?: readonly unknown[];
        /** Of an object: fields like these. */
        readonly fields?: readonly unknown[];
      }[];
      /** What is in use, or was last; secrets that are set read `***`. */
      readonly settings: Readonly<Record<string, unknown>>;
      /** Send it along when you change the settings. */
      readonly version: string;
      /** What is promised about its orders. */
      readonly promises: {
        /** How long one exchange may take. */
        readonly deadline_ms: number;
        /** How long after that an order may still surface; null: unknown. */
        readonly settles_within_ms: number | null;
        /** Whether a second order is recognised. */
        readonly deduplicates: boolean;
        /** How many exchanges it carries at once; null: any. */
        readonly at_once: number | null;
      };
      /** What goes wrong at it; null where it is not simulated. */
      readonly faults: {
        /** The request is read and forgotten: nothing is done, no answer comes. */
        readonly loseRequests: number;
        /** The work is done, and no answer comes. */
        readonly loseAnswers: number;
        /** The work is done, and the answer is HTTP 500. */
        readonly errors: number;
        /** The work is done, and the answer is not JSON, though it says so. */
        readonly nonsense: number;
        /** Work or answer begins later, by `delayMs`. */
        readonly delays: number;
        /** Inquiries do not see the order for a while, by `lagMs`. */
        readonly lag: number;
        /** What was delivered is reversed, after `reversesAfter`. */
        readonly reversals: number;
        /** How much later, in milliseconds. */
        readonly delayMs: number;
        /** For how long, in milliseconds. */
        readonly lagMs: number;
      } | null;
    };
  };
  /** Change prices. */
  readonly changePrices: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** Which products: by `product_ids`, or by a `filter`. */
      readonly which: {
        /** Products by their ids. */
        readonly product_ids?: readonly number[];
        /** All that fit; without any field all products. */
        readonly filter?: {
          /** Part of a name, an id, or part of the seller's own code. */
          readonly search?: string;
          /** Only of this operator. */
          readonly operator_id?: number;
          /** Only in this category. */
          readonly category_id?: number;
          /** Only of this type. */
          readonly type?: 'cell_internet' | 'cell_direct_charge' | 'td_lte_internet';
          /** Only for these. */
          readonly sim_card_type?: 'credit' | 'permanent';
          /** Whether it is on sale. What is off is listed, and not to be bought. */
          readonly on?: boolean;
        };
      };
      /** Exactly one of `percent`, `amount` and `price`. */
      readonly change: {
        /** So much more of a hundred, as `5.5`; less by `-5.5`. */
        readonly percent?: string;
        /** So much more; less below zero. */
        readonly amount?: number;
        /** This price for all. */
        readonly price?: number;
      };
      /** Which prices; `price` where not said. One that is null stays so. */
      readonly fields?: readonly ('price' | 'second_price' | 'showable_price')[];
      /** Rounded half up to a multiple of it; 1. */
      readonly round_to?: 1 | 10 | 100 | 1000 | 10000;
      /** As the preview gave it. */
      readonly digest: string;
    };
    readonly answer: {
      /** How many products were changed. */
      readonly changed: number;
      /** The version of the catalogue: another one after each change. */
      readonly version: string;
    };
  };
  /** Change settings of the console. */
  readonly changeSettings: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** What pages show above all. */
      readonly company_name?: string;
      /** A client whose available balance is below this is shown as low. */
      readonly low_balance_below?: number;
      /** In which times are shown: a name of the IANA list. */
      readonly time_zone?: string;
    };
    readonly answer: {
      /** What pages show above all. */
      readonly company_name: string;
      /** A client whose available balance is below this is shown as low. */
      readonly low_balance_below: number;
      /** In which times are shown: a name of the IANA list. */
      readonly time_zone: string;
    };
  };
  /** Test the connection to an operator. */
  readonly checkOperator: {
    readonly params: {
      /** The operator. */
      readonly operator_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** Whether it answered as it should. */
      readonly ok: boolean;
      /** What came, in a sentence. */
      readonly words: string;
    };
  };
  /** Confirm the second factor. */
  readonly confirmMyTotp: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** The six digits that the app shows, or a recovery code. */
      readonly code: string;
    };
    readonly answer: undefined;
  };
  /** Correct a client's balance. */
  readonly correctBalance: {
    readonly params: {
      /** The client. */
      readonly client_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** How much is added, or taken away where it is below zero. */
      readonly amount: number;
      /** Why; the client reads it in its statement. */
      readonly reason: string;
      /** A UUID that the page makes for this. Sent again with the same key, it is not done again. */
      readonly key: string;
    };
    readonly answer: {
      /** What was written. */
      readonly posting: {
        /** Its number among those of the client. */
        readonly seq: number;
        /** What it is. */
        readonly kind: 'deposit' | 'correction';
        /** As it was sent. */
        readonly amount: number;
        /** When. */
        readonly at: string;
        /** What the client might spend after it. */
        readonly available_after: number;
      };
      /** What the client may spend now. */
      readonly available: number;
      /** What is held for purchases under way. */
      readonly held: number;
    };
  };
  /** Create an account. */
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
        /** Whether codes of an app are its second factor. */
        readonly totp: boolean;
        /** How many passkeys it has; each is a second factor. */
        readonly passkeys: number;
        /** When it was made. */
        readonly created_at: string;
        /** The last sign-in; null: never. */
        readonly signed_in_at: string | null;
      };
      /** Shown this once: hand it over as `/console/setup#` and this. */
      readonly setup_token: string;
      /** Until when it is good. */
      readonly setup_until: string;
    };
  };
  /** Create a client. */
  readonly createClient: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** What the client is called. Names need not be unique. */
      readonly name: string;
      /** A UUID that the page makes for this. Sent again with the same key, it is not done again. */
      readonly key: string;
    };
    readonly answer: {
      readonly client: {
        /** The client. */
        readonly id: string;
        /** What the client is called. Names need not be unique. */
        readonly name: string;
        /** `suspended`: all its requests are refused. */
        readonly status: 'active' | 'suspended';
        /** What it may spend. */
        readonly available: number;
        /** What is held for its purchases under way. */
        readonly held: number;
        /** When it was made. */
        readonly created_at: string;
        /** Whether it may spend little. */
        readonly low: boolean;
        /** What is set for it. */
        readonly rules: {
          /** The ids of the products that it may buy; null: all. */
          readonly products: readonly number[] | null;
          /** The ids of the operators of which it may buy; null: all. */
          readonly operators: readonly (1 | 2 | 3 | 4 | 5)[] | null;
          /** For how long the same for the same number at the same price is taken for a repeat; null: it never is. */
          readonly repeat_seconds: number | null;
          /** The most that it may spend on a day in UTC; null: no limit. */
          readonly daily_limit: number | null;
          /** The status of a purchase that is not finished. */
          readonly pending_status: 202 | 409;
        };
        /** Send it along with other rules. */
        readonly rules_version: string;
        /** Its day. */
        readonly day: {
          /** What it has spent on this day in UTC. */
          readonly spent: number;
          /** The most that it may; null: no limit. */
          readonly limit: number | null;
        };
        /** All of them, the oldest first. */
        readonly tokens: readonly {
          /** The token; never what is sent. */
          readonly id: string;
          /** What it is for. */
          readonly name: string;
          /** Its last characters, to tell two apart. */
          readonly ending: string;
          /** Whether it lets in. */
          readonly state: 'valid' | 'expired' | 'revoked';
          /** What it may be used for. */
          readonly scopes: readonly ('catalogue' | 'offers' | 'purchase' | 'webhooks')[];
          /** The addresses and networks from which it may be used; none: from anywhere. */
          readonly networks: readonly string[];
          /** When it was made. */
          readonly created_at: string;
          /** When it ends by itself; null: never. */
          readonly expires_at: string | null;
          /** When it was last used, to some seconds; null: never. */
          readonly last_used_at: string | null;
        }[];
      };
      /** Its first token. It is shown this once. */
      readonly token: string;
    };
  };
  /** Create recovery codes. */
  readonly createMyRecoveryCodes: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** To be kept safe. */
      readonly codes: readonly string[];
    };
  };
  /** Create a token. */
  readonly createToken: {
    readonly params: {
      /** The client. */
      readonly client_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** A UUID that the page makes for this. Sent again with the same key, it is not done again. */
      readonly key: string;
      /** What it is for. */
      readonly name: string;
      /** What it may be used for. */
      readonly scopes?: readonly ('catalogue' | 'offers' | 'purchase' | 'webhooks')[];
      /** The addresses and networks from which it may be used; none: from anywhere. */
      readonly networks?: readonly string[];
      /** When it ends by itself; never, where it is left out. As 2027-01-31T00:00:00Z; null: never. */
      readonly expires_at?: string | null;
    };
    readonly answer: {
      /** Which it is. */
      readonly token_id: string;
      /** The token. It is shown this once. */
      readonly token: string;
    };
  };
  /** Add money to a client's balance. */
  readonly depositMoney: {
    readonly params: {
      /** The client. */
      readonly client_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** How much is added. */
      readonly amount: number;
      /** Why; the client reads it in its statement. */
      readonly note?: string;
      /** A UUID that the page makes for this. Sent again with the same key, it is not done again. */
      readonly key: string;
    };
    readonly answer: {
      /** What was written. */
      readonly posting: {
        /** Its number among those of the client. */
        readonly seq: number;
        /** What it is. */
        readonly kind: 'deposit' | 'correction';
        /** As it was sent. */
        readonly amount: number;
        /** When. */
        readonly at: string;
        /** What the client might spend after it. */
        readonly available_after: number;
      };
      /** What the client may spend now. */
      readonly available: number;
      /** What is held for purchases under way. */
      readonly held: number;
    };
  };
  /** End all your other sessions. */
  readonly endMyOtherSessions: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** How many there were. */
      readonly ended: number;
    };
  };
  /** End one of your sessions. */
  readonly endMySession: {
    readonly params: {
      /** The session. */
      readonly session_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
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
  /** Get the catalogue as a file. */
  readonly exportCatalogue: {
    readonly params: undefined;
    readonly query: {
      /** The form of the file. */
      readonly format?: 'csv' | 'json';
    };
    readonly body: undefined;
    readonly answer: string;
  };
  /** Export a client's statement. */
  readonly exportClientStatement: {
    readonly params: {
      /** The client. */
      readonly client_id: string;
    };
    readonly query: {
      /** Only entries from this moment on: a date, which means its beginning in UTC, or a date and time. */
      readonly from?: string;
      /** Only entries before this moment. */
      readonly to?: string;
    };
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** Export purchases. */
  readonly exportPurchases: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** Whatever you have: it is taken for an id, a key, a tracking code and a number in turn, and the first under which there is a purchase counts. */
      readonly q?: string;
      /** Only those for this number: with or without the prefix of the country, in digits of whichever script. */
      readonly number?: string;
      /** Only those with this key. */
      readonly key?: string;
      /** Only those with this tracking code. */
      readonly code?: string;
      /** Only this one. */
      readonly id?: string;
      /** Only those of this client. */
      readonly client_id?: string;
      /** Only those in this state. `open`: in any whose end the gateway still finds out by itself, which are `submitted` and `unknown`. */
      readonly state?:
        | 'refused'
        | 'submitted'
        | 'unknown'
        | 'review'
        | 'succeeded'
        | 'failed'
        | 'reversed'
        | 'open';
      /** `1`: only those that wait for a person. */
      readonly needs_person?: '0' | '1';
      /** Only purchases that began from this moment on: a date, which means its beginning in UTC, or a date and time. */
      readonly from?: string;
      /** Only purchases that began before this moment. */
      readonly to?: string;
    };
    readonly answer: undefined;
  };
  /** Get a client. */
  readonly getClient: {
    readonly params: {
      /** The client. */
      readonly client_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** The client. */
      readonly id: string;
      /** What the client is called. Names need not be unique. */
      readonly name: string;
      /** `suspended`: all its requests are refused. */
      readonly status: 'active' | 'suspended';
      /** What it may spend. */
      readonly available: number;
      /** What is held for its purchases under way. */
      readonly held: number;
      /** When it was made. */
      readonly created_at: string;
      /** Whether it may spend little. */
      readonly low: boolean;
      /** What is set for it. */
      readonly rules: {
        /** The ids of the products that it may buy; null: all. */
        readonly products: readonly number[] | null;
        /** The ids of the operators of which it may buy; null: all. */
        readonly operators: readonly (1 | 2 | 3 | 4 | 5)[] | null;
        /** For how long the same for the same number at the same price is taken for a repeat; null: it never is. */
        readonly repeat_seconds: number | null;
        /** The most that it may spend on a day in UTC; null: no limit. */
        readonly daily_limit: number | null;
        /** The status of a purchase that is not finished. */
        readonly pending_status: 202 | 409;
      };
      /** Send it along with other rules. */
      readonly rules_version: string;
      /** Its day. */
      readonly day: {
        /** What it has spent on this day in UTC. */
        readonly spent: number;
        /** The most that it may; null: no limit. */
        readonly limit: number | null;
      };
      /** All of them, the oldest first. */
      readonly tokens: readonly {
        /** The token; never what is sent. */
        readonly id: string;
        /** What it is for. */
        readonly name: string;
        /** Its last characters, to tell two apart. */
        readonly ending: string;
        /** Whether it lets in. */
        readonly state: 'valid' | 'expired' | 'revoked';
        /** What it may be used for. */
        readonly scopes: readonly ('catalogue' | 'offers' | 'purchase' | 'webhooks')[];
        /** The addresses and networks from which it may be used; none: from anywhere. */
        readonly networks: readonly string[];
        /** When it was made. */
        readonly created_at: string;
        /** When it ends by itself; null: never. */
        readonly expires_at: string | null;
        /** When it was last used, to some seconds; null: never. */
        readonly last_used_at: string | null;
      }[];
    };
  };
  /** Get a client's statement. */
  readonly getClientStatement: {
    readonly params: {
      /** The client. */
      readonly client_id: string;
    };
    readonly query: {
      /** Only entries from this moment on: a date, which means its beginning in UTC, or a date and time. */
      readonly from?: string;
      /** Only entries before this moment. */
      readonly to?: string;
      /** What stood in `next` of the page before. */
      readonly before?: string;
      /** How many, 1 to 100; 50 where it is left out. */
      readonly limit?: string;
    };
    readonly body: undefined;
    readonly answer: {
      /** The entries, the newest first. */
      readonly data: readonly {
        /** Numbered from 1, without a gap. */
        readonly seq: number;
        /** When it was made. */
        readonly at: string;
        /** `deposit`, `hold`, `capture`, `release`, `reverse` or `correction`. */
        readonly kind: string;
        /** How much moved, as in the statement of the client. */
        readonly amount: number;
        /** Where it came from. */
        readonly from: string;
        /** Where it went. */
        readonly to: string;
        /** What the client might spend after it. */
        readonly available_after: number;
        /** What was held after it. */
        readonly held_after: number;
        /** For which purchase. */
        readonly purchase_id: string | null;
        /** Why, in words; with numbers masked for a role that does not see them. */
        readonly note: string | null;
      }[];
      /** To be sent as `before` for those before them; null: there are none. */
      readonly next: string | null;
      /** Before the first entry of the whole span. */
      readonly opening: {
        /** What the client may spend now. */
        readonly available: number;
        /** What is held for purchases under way. */
        readonly held: number;
        /** Both together. */
        readonly balance: number;
      };
      /** After the last entry of the whole span. */
      readonly closing: {
        /** What the client may spend now. */
        readonly available: number;
        /** What is held for purchases under way. */
        readonly held: number;
        /** Both together. */
        readonly balance: number;
      };
    };
  };
  /** Get the second factors of a session. */
  readonly getFactors: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** Whether a code of an authenticator app can be sent. */
      readonly totp: boolean;
      /** Whether a passkey can be used on the host of this request. */
      readonly passkey: boolean;
      /** The hosts on which passkeys of the account work. */
      readonly passkey_hosts: readonly string[];
    };
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
        /** Whether codes of an app are its second factor. */
        readonly totp: boolean;
        /** How many passkeys it has; each is a second factor. */
        readonly passkeys: number;
        /** When it was made. */
        readonly created_at: string;
        /** The last sign-in; null: never. */
        readonly signed_in_at: string | null;
      };
      /** What the role may do. */
      readonly rights: readonly (
        | 'read'
        | 'resolve'
        | 'unmask'
        | 'catalogue'
        | 'clients'
        | 'money'
        | 'audit'
        | 'accounts'
        | 'settings'
      )[];
      /** When the session is over if it is not used. */
      readonly session_ends_at: string;
      /** Whether two-factor authentication has to be set up before anything else. */
      readonly second_factor_required: boolean;
      /** How many recovery codes are left. */
      readonly recovery_codes: number;
    };
  };
  /** Get an operator. */
  readonly getOperator: {
    readonly params: {
      /** The operator. */
      readonly operator_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** The operator. */
      readonly id: number;
      /** As clients know it. */
      readonly name: string;
      /** The name that people read. */
      readonly names: {
        /** In English. */
        readonly en: string;
        /** In Persian. */
        readonly fa: string;
      };
      /** Which connector talks to it. */
      readonly connector: string;
      /** As the process that answers sees it. */
      readonly health: 'up' | 'degraded' | 'down' | 'suspended';
      /** Whether it gets new work: `open` gives it a rest. */
      readonly breaker: 'closed' | 'trying' | 'open';
      /** Since when it is so; null: since the start. */
      readonly since: string | null;
      /** What is under way with it in this process. */
      readonly under_way: number;
      /** Why nothing new is sold of it; null where it is. */
      readonly suspended: {
        /** Since when. */
        readonly at: string;
        /** By whom; `simgate` where its settings cannot be used. */
        readonly by: string;
        /** Why. */
        readonly reason: string;
      } | null;
      /** What it can do besides selling. */
      readonly can: {
        /** Lists personal offers. */
        readonly offers: boolean;
        /** Tells of subscribers. */
        readonly subscriber: boolean;
        /** Tells of sales that it took back. */
        readonly reports: boolean;
      };
      /** Whose settings are in use. */
      readonly settings_from: 'file' | 'console';
      /** Why what is set of it now cannot be used: then it is reached by nothing, and what is shown was set before; null where it can. */
      readonly settings_problem: string | null;
      /** Whether it is simulated in this process. */
      readonly simulator: boolean;
      /** What can be set, in order. */
      readonly schema: readonly {
        /** The setting. */
        readonly name: string;
        /** `json`: it is typed as it is. */
        readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'enum' | 'object' | 'json';
        /** What it is. */
        readonly description: string;
        /** Whether it has to be given. */
        readonly required: boolean;
        /** Whether it is never shown. */
        readonly secret: boolean;
        /** What it is where it is left out; null: nothing. */
        readonly default: unknown;
        /** The least. */
        readonly minimum: number | null;
        /** The most. */
        readonly maximum: number | null;
        /** Of an enum. */
        readonly values?: readonly unknown[];
        /** Of an object: fields like these. */
        readonly fields?: readonly unknown[];
      }[];
      /** What is in use, or was last; secrets that are set read `***`. */
      readonly settings: Readonly<Record<string, unknown>>;
      /** Send it along when you change the settings. */
      readonly version: string;
      /** What is promised about its orders. */
      readonly promises: {
        /** How long one exchange may take. */
        readonly deadline_ms: number;
        /** How long after that an order may still surface; null: unknown. */
        readonly settles_within_ms: number | null;
        /** Whether a second order is recognised. */
        readonly deduplicates: boolean;
        /** How many exchanges it carries at once; null: any. */
        readonly at_once: number | null;
      };
      /** What goes wrong at it; null where it is not simulated. */
      readonly faults: {
        /** The request is read and forgotten: nothing is done, no answer comes. */
        readonly loseRequests: number;
        /** The work is done, and no answer comes. */
        readonly loseAnswers: number;
        /** The work is done, and the answer is HTTP 500. */
        readonly errors: number;
        /** The work is done, and the answer is not JSON, though it says so. */
        readonly nonsense: number;
        /** Work or answer begins later, by `delayMs`. */
        readonly delays: number;
        /** Inquiries do not see the order for a while, by `lagMs`. */
        readonly lag: number;
        /** What was delivered is reversed, after `reversesAfter`. */
        readonly reversals: number;
        /** How much later, in milliseconds. */
        readonly delayMs: number;
        /** For how long, in milliseconds. */
        readonly lagMs: number;
      } | null;
    };
  };
  /** Get the faults of a simulated operator. */
  readonly getOperatorFaults: {
    readonly params: {
      /** The operator. */
      readonly operator_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** The request is read and forgotten: nothing is done, no answer comes. */
      readonly loseRequests: number;
      /** The work is done, and no answer comes. */
      readonly loseAnswers: number;
      /** The work is done, and the answer is HTTP 500. */
      readonly errors: number;
      /** The work is done, and the answer is not JSON, though it says so. */
      readonly nonsense: number;
      /** Work or answer begins later, by `delayMs`. */
      readonly delays: number;
      /** Inquiries do not see the order for a while, by `lagMs`. */
      readonly lag: number;
      /** What was delivered is reversed, after `reversesAfter`. */
      readonly reversals: number;
      /** How much later, in milliseconds. */
      readonly delayMs: number;
      /** For how long, in milliseconds. */
      readonly lagMs: number;
    };
  };
  /** Get the overview. */
  readonly getOverview: {
    readonly params: undefined;
    readonly query: {
      /** The last 60 minutes, as without it, 24 hours or 30 days. */
      readonly span?: 'hour' | 'day' | 'month';
    };
    readonly body: undefined;
    readonly answer: {
      /** When it was read. */
      readonly at: string;
      /** What was asked for. */
      readonly span: 'hour' | 'day' | 'month';
      /** 60 minutes, 24 hours or 30 days (of UTC), the oldest first; the last is not over yet. A purchase counts where its state was committed. */
      readonly points: readonly {
        /** When it begins. */
        readonly at: string;
        /** Begun: the money was held. Those refused are not among them. */
        readonly begun: number;
        /** Delivered. */
        readonly succeeded: number;
        /** Not delivered, and the money back. */
        readonly failed: number;
        /** Refused before anything was held. */
        readonly refused: number;
        /** Delivered, then reversed by the operator. */
        readonly reversed: number;
        /** What those cost that were delivered. */
        readonly amount: number;
        /** Within so many ms operators answered 50 in a hundred orders, off by a twentieth at most; null where there was none. */
        readonly p50: number | null;
        /** Within so many ms operators answered 95 in a hundred orders, off by a twentieth at most; null where there was none. */
        readonly p95: number | null;
        /** Within so many ms operators answered 99 in a hundred orders, off by a twentieth at most; null where there was none. */
        readonly p99: number | null;
      }[];
      /** At this moment. */
      readonly now: {
        /** Begun in the last sixty seconds, as near as minutes tell it. */
        readonly per_minute: number;
        /** Of those that came to an end at their operator in the last five minutes, how many were delivered, from 0 to 1; null where none did. */
        readonly success_rate: number | null;
        /** Ordered, and the outcome is not known yet. */
        readonly pending: number;
        /** Purchases that need review. */
        readonly review: number;
        /** When the oldest pending purchase began. */
        readonly pending_oldest_at: string | null;
        /** When the oldest purchase that needs review began. */
        readonly review_oldest_at: string | null;
      };
      /** All of them. */
      readonly operators: readonly {
        /** The operator. */
        readonly id: number;
        /** Its name. */
        readonly name: string;
        /** The name that people read. */
        readonly names: {
          /** In English. */
          readonly en: string;
          /** In Persian. */
          readonly fa: string;
        };
        /** As this process sees it. `degraded`: it gets a few purchases, to see whether it answers again. `suspended`: new purchases were stopped in the back office. */
        readonly health: 'up' | 'degraded' | 'down' | 'suspended';
        /** Since when; null: since the start. */
        readonly since: string | null;
        /** Begun in the last sixty seconds, as near as minutes tell it. */
        readonly per_minute: number;
        /** Of those that came to an end at their operator within the span, how many were delivered, from 0 to 1; null where none did. */
        readonly success_rate: number | null;
        /** Within so many ms operators answered 50 in a hundred orders, off by a twentieth at most; null where there was none. */
        readonly p50: number | null;
        /** Within so many ms operators answered 95 in a hundred orders, off by a twentieth at most; null where there was none. */
        readonly p95: number | null;
        /** Within so many ms operators answered 99 in a hundred orders, off by a twentieth at most; null where there was none. */
        readonly p99: number | null;
        /** What asks it at this moment, in this process. */
        readonly under_way: number;
        /** As `points` above, and less of each. */
        readonly points: readonly {
          /** When it begins. */
          readonly at: string;
          /** Begun: the money was held. Those refused are not among them. */
          readonly begun: number;
          /** Delivered. */
          readonly succeeded: number;
          /** Not delivered, and the money back. */
          readonly failed: number;
        }[];
      }[];
      /** The ten lowest of those below `low_balance_below`. */
      readonly low_balances: readonly {
        /** The client. */
        readonly id: string;
        /** Its name. */
        readonly name: string;
        /** What it can spend. */
        readonly available: number;
      }[];
      /** All points together. */
      readonly totals: {
        /** Begun: the money was held. Those refused are not among them. */
        readonly begun: number;
        /** Delivered. */
        readonly succeeded: number;
        /** Not delivered, and the money back. */
        readonly failed: number;
        /** Refused before anything was held. */
        readonly refused: number;
        /** Delivered, then reversed by the operator. */
        readonly reversed: number;
        /** What those cost that were delivered. */
        readonly amount: number;
        /** Within so many ms operators answered 50 in a hundred orders, off by a twentieth at most; null where there was none. */
        readonly p50: number | null;
        /** Within so many ms operators answered 95 in a hundred orders, off by a twentieth at most; null where there was none. */
        readonly p95: number | null;
        /** Within so many ms operators answered 99 in a hundred orders, off by a twentieth at most; null where there was none. */
        readonly p99: number | null;
      };
    };
  };
  /** See a product. */
  readonly getProduct: {
    readonly params: {
      /** The product. */
      readonly product_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** Product identifier. */
      readonly id: number;
      /** Product name. */
      readonly name: string;
      /** Product name in Latin script. */
      readonly name_en: string | null;
      /** Description. */
      readonly description: string;
      /** Longer description. */
      readonly description_full: string | null;
      /** The seller's own code for the product. */
      readonly sku: string | null;
      /** Base price in whole currency units. */
      readonly price: number;
      /** Where filled, any whole price from `price` to `second_price` may be sent. */
      readonly second_price: number | null;
      /** A price for display. */
      readonly showable_price: number | null;
      /** `cell_internet` (data package), `cell_direct_charge` (top-up) or `td_lte_internet` (TD-LTE package, operator 2 only). */
      readonly type: 'cell_internet' | 'cell_direct_charge' | 'td_lte_internet';
      /** Smallest sale. */
      readonly minimum_sale: number | null;
      /** Dimension of the product. Null, or any JSON value. */
      readonly dimension: unknown;
      /** Score. */
      readonly score: number;
      /** 1: on sale. 0: switched off; listed, and not to be bought. */
      readonly status: number;
      /** Options of the product. Null, or any JSON value. */
      readonly options: unknown;
      /** 0 or 1. */
      readonly deliverable: number;
      /** Identifier at a third party. Null, or any JSON value. */
      readonly third_party_id: unknown;
      /** Capacity. Null, or any JSON value. */
      readonly capacity: unknown;
      /** Validity in days. */
      readonly period: number | null;
      /** `credit` (prepaid SIM) or `permanent` (postpaid SIM). */
      readonly sim_card_type: 'credit' | 'permanent';
      /** Operator, 1 to 5. */
      readonly operator_id: number;
      /** Present on some products only. It goes to the operator with each purchase of the product. */
      readonly profile_id?: string;
      /** Sort position. */
      readonly order: number;
      /** When the product was made. */
      readonly created_at: string | null;
      /** When it was last changed. */
      readonly updated_at: string | null;
      /** The categories that it stands in. */
      readonly categories: readonly {
        /** Category identifier. */
        readonly id: number;
        /** Category name. */
        readonly name: string;
        /** A JSON-encoded array of sub-categories: objects with `id` (integer), `text` (string) and `parent` (integer, 0 for the top level). */
        readonly data: string;
        /** When the category was made. */
        readonly created_at: string | null;
        /** When it was last changed. */
        readonly updated_at: string | null;
        /** The link between product and category. */
        readonly pivot: {
          /** The kind of thing that is linked, always `Product`. */
          readonly categorizable_type: 'Product';
          /** The product's id. */
          readonly categorizable_id: number;
          /** The category's id. */
          readonly category_id: number;
          /** Where in the tree of sub-categories the product stands. */
          readonly address: string;
        };
      }[];
      /** Whether it is on sale. What is off is listed, and not to be bought. */
      readonly on: boolean;
    };
  };
  /** Get a purchase. */
  readonly getPurchase: {
    readonly params: {
      /** The purchase. */
      readonly purchase_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** The purchase; also its reference towards the operator. */
      readonly id: string;
      /** When it began. */
      readonly began_at: string;
      /** When it became final. */
      readonly settled_at: string | null;
      /** How far it has come. */
      readonly state:
        | 'refused'
        | 'submitted'
        | 'unknown'
        | 'review'
        | 'succeeded'
        | 'failed'
        | 'reversed';
      /** Whose it is. */
      readonly client: {
        readonly id: string;
        readonly name: string;
      };
      /** What was bought. */
      readonly product: {
        readonly id: number;
        /** Null where the catalogue has it no more. */
        readonly name: string | null;
        /** The name in Latin script; null where it has none. */
        readonly name_en: string | null;
      };
      /** Of which operator; null where the product was not known. */
      readonly operator_id: number | null;
      /** For which number, masked. */
      readonly mobile: string;
      /** At what price. */
      readonly amount: number;
      /** The client’s tracking code. */
      readonly webservice_code: string;
      /** The key that it came with. */
      readonly idempotency_key: string;
      /** Why it was refused, failed, or is not known. */
      readonly reason: {
        /** What it is. */
        readonly code:
          | 'text'
          | 'no_answer_within'
          | 'connection_failed'
          | 'answer_unlisted'
          | 'order_pending'
          | 'settings_unusable'
          | 'error'
          | 'attempt'
          | 'answered_delivered'
          | 'answered_reversed'
          | 'answered_refused'
          | 'answered_pending'
          | 'not_found'
          | 'not_found_yet'
          | 'ordered_again'
          | 'operator_unreachable'
          | 'operator_removed'
          | 'reported_delivered'
          | 'reported_reversed'
          | 'late_delivered'
          | 'late_refused'
          | 'reversed'
          | 'said_delivered'
          | 'said_reversed'
          | 'said_refused'
          | 'said_not_found'
          | 'marked_delivered'
          | 'marked_not_delivered'
          | 'now_delivered'
          | 'now_reversed'
          | 'now_refused'
          | 'now_not_found'
          | 'now_not_found_yet'
          | 'now_pending'
          | 'operator_not_configured'
          | 'operator_in_process'
          | 'operator_settings_unreadable'
          | 'unresolved'
          | 'now_no_answer';
        /** What belongs to that code, with numbers of subscribers masked. */
        readonly values: Readonly<Record<string, unknown>>;
      } | null;
      /** What contradicts its recorded end; then it needs review. */
      readonly disputed: {
        /** What it is. */
        readonly code:
          | 'text'
          | 'no_answer_within'
          | 'connection_failed'
          | 'answer_unlisted'
          | 'order_pending'
          | 'settings_unusable'
          | 'error'
          | 'attempt'
          | 'answered_delivered'
          | 'answered_reversed'
          | 'answered_refused'
          | 'answered_pending'
          | 'not_found'
          | 'not_found_yet'
          | 'ordered_again'
          | 'operator_unreachable'
          | 'operator_removed'
          | 'reported_delivered'
          | 'reported_reversed'
          | 'late_delivered'
          | 'late_refused'
          | 'reversed'
          | 'said_delivered'
          | 'said_reversed'
          | 'said_refused'
          | 'said_not_found'
          | 'marked_delivered'
          | 'marked_not_delivered'
          | 'now_delivered'
          | 'now_reversed'
          | 'now_refused'
          | 'now_not_found'
          | 'now_not_found_yet'
          | 'now_pending'
          | 'operator_not_configured'
          | 'operator_in_process'
          | 'operator_settings_unreadable'
          | 'unresolved'
          | 'now_no_answer';
        /** What belongs to that code, with numbers of subscribers masked. */
        readonly values: Readonly<Record<string, unknown>>;
      } | null;
      /** With which status it was answered for good. */
      readonly answer_status: number | null;
      /** Which personal offer. */
      readonly offer_code: string | null;
      /** Which personal offer. */
      readonly offer_type: string | null;
      /** Which profile. */
      readonly profile_id: string | null;
      /** Of the first request. */
      readonly request_id: string;
      /** How often it was ordered. */
      readonly attempts: number;
      /** How often the operator was asked about it. */
      readonly inquiries: number;
      /** When it is driven on next; null where it is not. */
      readonly due_at: string | null;
      /** The operator’s own name for the delivery. */
      readonly operator_ref: string | null;
      /** The answer that is repeated for good, with the number masked. */
      readonly answer: {
        readonly status: number;
        readonly body: string;
      } | null;
      /** What happened, from the first on. */
      readonly timeline: readonly {
        readonly at: string;
        readonly kind:
          | 'held and submitted'
          | 'order'
          | 'inquiry'
          | 'report'
          | 'late answer'
          | 'testimony'
          | 'decision'
          | 'reversal'
          | 'contradiction'
          | 'dispute closed'
          | 'refused'
          | 'succeeded'
          | 'failed';
        /** What was learnt; null where the kind says it all. */
        readonly fact: {
          /** What it is. */
          readonly code:
            | 'text'
            | 'no_answer_within'
            | 'connection_failed'
            | 'answer_unlisted'
            | 'order_pending'
            | 'settings_unusable'
            | 'error'
            | 'attempt'
            | 'answered_delivered'
            | 'answered_reversed'
            | 'answered_refused'
            | 'answered_pending'
            | 'not_found'
            | 'not_found_yet'
            | 'ordered_again'
            | 'operator_unreachable'
            | 'operator_removed'
            | 'reported_delivered'
            | 'reported_reversed'
            | 'late_delivered'
            | 'late_refused'
            | 'reversed'
            | 'said_delivered'
            | 'said_reversed'
            | 'said_refused'
            | 'said_not_found'
            | 'marked_delivered'
            | 'marked_not_delivered'
            | 'now_delivered'
            | 'now_reversed'
            | 'now_refused'
            | 'now_not_found'
            | 'now_not_found_yet'
            | 'now_pending'
            | 'operator_not_configured'
            | 'operator_in_process'
            | 'operator_settings_unreadable'
            | 'unresolved'
            | 'now_no_answer';
          /** What belongs to that code, with numbers of subscribers masked. */
          readonly values: Readonly<Record<string, unknown>>;
        } | null;
      }[];
      /** Its money. */
      readonly postings: readonly {
        readonly seq: number;
        readonly at: string;
        readonly kind: string;
        readonly from: string;
        readonly to: string;
        readonly amount: number;
        readonly available_after: number;
        readonly held_after: number;
      }[];
      /** What the client’s endpoints were told of it, as long as that is kept. */
      readonly messages: readonly {
        readonly id: string;
        readonly type: string;
        readonly endpoint_id: string;
        readonly endpoint_url: string;
        readonly state: 'waiting' | 'delivered' | 'failed';
        readonly attempts: number;
        readonly created_at: string;
        /** When it was delivered, or given up. */
        readonly ended_at: string | null;
      }[];
      /** What people decided about it. */
      readonly decisions: readonly {
        readonly at: string;
        readonly by: string;
        readonly reason: string;
        readonly evidence: readonly {
          /** What it is. */
          readonly code:
            | 'text'
            | 'no_answer_within'
            | 'connection_failed'
            | 'answer_unlisted'
            | 'order_pending'
            | 'settings_unusable'
            | 'error'
            | 'attempt'
            | 'answered_delivered'
            | 'answered_reversed'
            | 'answered_refused'
            | 'answered_pending'
            | 'not_found'
            | 'not_found_yet'
            | 'ordered_again'
            | 'operator_unreachable'
            | 'operator_removed'
            | 'reported_delivered'
            | 'reported_reversed'
            | 'late_delivered'
            | 'late_refused'
            | 'reversed'
            | 'said_delivered'
            | 'said_reversed'
            | 'said_refused'
            | 'said_not_found'
            | 'marked_delivered'
            | 'marked_not_delivered'
            | 'now_delivered'
            | 'now_reversed'
            | 'now_refused'
            | 'now_not_found'
            | 'now_not_found_yet'
            | 'now_pending'
            | 'operator_not_configured'
            | 'operator_in_process'
            | 'operator_settings_unreadable'
            | 'unresolved'
            | 'now_no_answer';
          /** What belongs to that code, with numbers of subscribers masked. */
          readonly values: Readonly<Record<string, unknown>>;
        }[];
        readonly forced: boolean;
        /** What it was before. */
        readonly before: Readonly<Record<string, unknown>>;
        /** What it was after. */
        readonly after: Readonly<Record<string, unknown>>;
      }[];
      /** What you may do with it as it is. */
      readonly may: {
        /** Whether the operator can be asked now. */
        readonly inquire: boolean;
        /** Whether it waits for a decision. */
        readonly resolve: boolean;
      };
    };
  };
  /** Get the settings. */
  readonly getSettings: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** What is set in the console. */
      readonly console: {
        /** What pages show above all. */
        readonly company_name: string;
        /** A client whose available balance is below this is shown as low. */
        readonly low_balance_below: number;
        /** In which times are shown: a name of the IANA list. */
        readonly time_zone: string;
      };
      /** All settings of the configuration. */
      readonly config: readonly {
        /** As in the file; a part of a group behind a dot. */
        readonly name: string;
        /** What is in force; a secret reads `***`. */
        readonly value: unknown;
        /** What would be without it; null: nothing. */
        readonly default: unknown;
        /** Where it was set; `environment` also where the command that started the server said it. */
        readonly from: 'default' | 'file' | 'environment';
        /** What it is for. */
        readonly description: string;
      }[];
      /** Of Simgate. */
      readonly version: string;
      /** Where everything is kept. */
      readonly database: {
        /** Which one it is. */
        readonly engine: 'sqlite' | 'postgres';
        /** Its size in bytes; null if unknown. */
        readonly size_bytes: number | null;
      };
      /** The version of Node.js. */
      readonly node: string;
    };
  };
  /** Import a file. */
  readonly importCatalogue: {
    readonly params: undefined;
    readonly query: {
      /** The form of the file. */
      readonly format?: 'csv' | 'json';
      /** `1`: what is not in the file is removed. */
      readonly remove_missing?: '0' | '1';
      /** As the preview gave it. */
      readonly digest: string;
    };
    readonly body: unknown;
    readonly answer: undefined;
  };
  /** Ask the operator now. */
  readonly inquirePurchase: {
    readonly params: {
      /** The purchase. */
      readonly purchase_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** Why; it is written down. */
      readonly reason: string;
    };
    readonly answer: {
      /** What the operator says. */
      readonly outcome: 'delivered' | 'reversed' | 'refused' | 'pending' | 'not_found' | 'unknown';
      /** The same, and what came of it, in words. */
      readonly words: string;
      /** A purchase with all that is known of it. Its number is masked everywhere. */
      readonly purchase: {
        /** The purchase; also its reference towards the operator. */
        readonly id: string;
        /** When it began. */
        readonly began_at: string;
        /** When it became final. */
        readonly settled_at: string | null;
        /** How far it has come. */
        readonly state:
          | 'refused'
          | 'submitted'
          | 'unknown'
          | 'review'
          | 'succeeded'
          | 'failed'
          | 'reversed';
        /** Whose it is. */
        readonly client: {
          readonly id: string;
          readonly name: string;
        };
        /** What was bought. */
        readonly product: {
          readonly id: number;
          /** Null where the catalogue has it no more. */
          readonly name: string | null;
          /** The name in Latin script; null where it has none. */
          readonly name_en: string | null;
        };
        /** Of which operator; null where the product was not known. */
        readonly operator_id: number | null;
        /** For which number, masked. */
        readonly mobile: string;
        /** At what price. */
        readonly amount: number;
        /** The client’s tracking code. */
        readonly webservice_code: string;
        /** The key that it came with. */
        readonly idempotency_key: string;
        /** Why it was refused, failed, or is not known. */
        readonly reason: {
          /** What it is. */
          readonly code:
            | 'text'
            | 'no_answer_within'
            | 'connection_failed'
            | 'answer_unlisted'
            | 'order_pending'
            | 'settings_unusable'
            | 'error'
            | 'attempt'
            | 'answered_delivered'
            | 'answered_reversed'
            | 'answered_refused'
            | 'answered_pending'
            | 'not_found'
            | 'not_found_yet'
            | 'ordered_again'
            | 'operator_unreachable'
            | 'operator_removed'
            | 'reported_delivered'
            | 'reported_reversed'
            | 'late_delivered'
            | 'late_refused'
            | 'reversed'
            | 'said_delivered'
            | 'said_reversed'
            | 'said_refused'
            | 'said_not_found'
            | 'marked_delivered'
            | 'marked_not_delivered'
            | 'now_delivered'
            | 'now_reversed'
            | 'now_refused'
            | 'now_not_found'
            | 'now_not_found_yet'
            | 'now_pending'
            | 'operator_not_configured'
            | 'operator_in_process'
            | 'operator_settings_unreadable'
            | 'unresolved'
            | 'now_no_answer';
          /** What belongs to that code, with numbers of subscribers masked. */
          readonly values: Readonly<Record<string, unknown>>;
        } | null;
        /** What contradicts its recorded end; then it needs review. */
        readonly disputed: {
          /** What it is. */
          readonly code:
            | 'text'
            | 'no_answer_within'
            | 'connection_failed'
            | 'answer_unlisted'
            | 'order_pending'
            | 'settings_unusable'
            | 'error'
            | 'attempt'
            | 'answered_delivered'
            | 'answered_reversed'
            | 'answered_refused'
            | 'answered_pending'
            | 'not_found'
            | 'not_found_yet'
            | 'ordered_again'
            | 'operator_unreachable'
            | 'operator_removed'
            | 'reported_delivered'
            | 'reported_reversed'
            | 'late_delivered'
            | 'late_refused'
            | 'reversed'
            | 'said_delivered'
            | 'said_reversed'
            | 'said_refused'
            | 'said_not_found'
            | 'marked_delivered'
            | 'marked_not_delivered'
            | 'now_delivered'
            | 'now_reversed'
            | 'now_refused'
            | 'now_not_found'
            | 'now_not_found_yet'
            | 'now_pending'
            | 'operator_not_configured'
            | 'operator_in_process'
            | 'operator_settings_unreadable'
            | 'unresolved'
            | 'now_no_answer';
          /** What belongs to that code, with numbers of subscribers masked. */
          readonly values: Readonly<Record<string, unknown>>;
        } | null;
        /** With which status it was answered for good. */
        readonly answer_status: number | null;
        /** Which personal offer. */
        readonly offer_code: string | null;
        /** Which personal offer. */
        readonly offer_type: string | null;
        /** Which profile. */
        readonly profile_id: string | null;
        /** Of the first request. */
        readonly request_id: string;
        /** How often it was ordered. */
        readonly attempts: number;
        /** How often the operator was asked about it. */
        readonly inquiries: number;
        /** When it is driven on next; null where it is not. */
        readonly due_at: string | null;
        /** The operator’s own name for the delivery. */
        readonly operator_ref: string | null;
        /** The answer that is repeated for good, with the number masked. */
        readonly answer: {
          readonly status: number;
          readonly body: string;
        } | null;
        /** What happened, from the first on. */
        readonly timeline: readonly {
          readonly at: string;
          readonly kind:
            | 'held and submitted'
            | 'order'
            | 'inquiry'
            | 'report'
            | 'late answer'
            | 'testimony'
            | 'decision'
            | 'reversal'
            | 'contradiction'
            | 'dispute closed'
            | 'refused'
            | 'succeeded'
            | 'failed';
          /** What was learnt; null where the kind says it all. */
          readonly fact: {
            /** What it is. */
            readonly code:
              | 'text'
              | 'no_answer_within'
              | 'connection_failed'
              | 'answer_unlisted'
              | 'order_pending'
              | 'settings_unusable'
              | 'error'
              | 'attempt'
              | 'answered_delivered'
              | 'answered_reversed'
              | 'answered_refused'
              | 'answered_pending'
              | 'not_found'
              | 'not_found_yet'
              | 'ordered_again'
              | 'operator_unreachable'
              | 'operator_removed'
              | 'reported_delivered'
              | 'reported_reversed'
              | 'late_delivered'
              | 'late_refused'
              | 'reversed'
              | 'said_delivered'
              | 'said_reversed'
              | 'said_refused'
              | 'said_not_found'
              | 'marked_delivered'
              | 'marked_not_delivered'
              | 'now_delivered'
              | 'now_reversed'
              | 'now_refused'
              | 'now_not_found'
              | 'now_not_found_yet'
              | 'now_pending'
              | 'operator_not_configured'
              | 'operator_in_process'
              | 'operator_settings_unreadable'
              | 'unresolved'
              | 'now_no_answer';
            /** What belongs to that code, with numbers of subscribers masked. */
            readonly values: Readonly<Record<string, unknown>>;
          } | null;
        }[];
        /** Its money. */
        readonly postings: readonly {
          readonly seq: number;
          readonly at: string;
          readonly kind: string;
          readonly from: string;
          readonly to: string;
          readonly amount: number;
          readonly available_after: number;
          readonly held_after: number;
        }[];
        /** What the client’s endpoints were told of it, as long as that is kept. */
        readonly messages: readonly {
          readonly id: string;
          readonly type: string;
          readonly endpoint_id: string;
          readonly endpoint_url: string;
          readonly state: 'waiting' | 'delivered' | 'failed';
          readonly attempts: number;
          readonly created_at: string;
          /** When it was delivered, or given up. */
          readonly ended_at: string | null;
        }[];
        /** What people decided about it. */
        readonly decisions: readonly {
          readonly at: string;
          readonly by: string;
          readonly reason: string;
          readonly evidence: readonly {
            /** What it is. */
            readonly code:
              | 'text'
              | 'no_answer_within'
              | 'connection_failed'
              | 'answer_unlisted'
              | 'order_pending'
              | 'settings_unusable'
              | 'error'
              | 'attempt'
              | 'answered_delivered'
              | 'answered_reversed'
              | 'answered_refused'
              | 'answered_pending'
              | 'not_found'
              | 'not_found_yet'
              | 'ordered_again'
              | 'operator_unreachable'
              | 'operator_removed'
              | 'reported_delivered'
              | 'reported_reversed'
              | 'late_delivered'
              | 'late_refused'
              | 'reversed'
              | 'said_delivered'
              | 'said_reversed'
              | 'said_refused'
              | 'said_not_found'
              | 'marked_delivered'
              | 'marked_not_delivered'
              | 'now_delivered'
              | 'now_reversed'
              | 'now_refused'
              | 'now_not_found'
              | 'now_not_found_yet'
              | 'now_pending'
              | 'operator_not_configured'
              | 'operator_in_process'
              | 'operator_settings_unreadable'
              | 'unresolved'
              | 'now_no_answer';
            /** What belongs to that code, with numbers of subscribers masked. */
            readonly values: Readonly<Record<string, unknown>>;
          }[];
          readonly forced: boolean;
          /** What it was before. */
          readonly before: Readonly<Record<string, unknown>>;
          /** What it was after. */
          readonly after: Readonly<Record<string, unknown>>;
        }[];
        /** What you may do with it as it is. */
        readonly may: {
          /** Whether the operator can be asked now. */
          readonly inquire: boolean;
          /** Whether it waits for a decision. */
          readonly resolve: boolean;
        };
      };
    };
  };
  /** Create a new setup link. */
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
        /** Whether codes of an app are its second factor. */
        readonly totp: boolean;
        /** How many passkeys it has; each is a second factor. */
        readonly passkeys: number;
        /** When it was made. */
        readonly created_at: string;
        /** The last sign-in; null: never. */
        readonly signed_in_at: string | null;
      };
      /** Shown this once: hand it over as `/console/setup#` and this. */
      readonly setup_token: string;
      /** Until when it is good. */
      readonly setup_until: string;
    };
  };
  /** List accounts. */
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
        /** Whether codes of an app are its second factor. */
        readonly totp: boolean;
        /** How many passkeys it has; each is a second factor. */
        readonly passkeys: number;
        /** When it was made. */
        readonly created_at: string;
        /** The last sign-in; null: never. */
        readonly signed_in_at: string | null;
      }[];
      /** Roles that require two-factor authentication. */
      readonly second_factor_roles: readonly ('viewer' | 'support' | 'manager' | 'owner')[];
    };
  };
  /** List audit log entries. */
  readonly listAudit: {
    readonly params: undefined;
    readonly query: {
      /** Entries older than this one. */
      readonly before?: string;
      /** Only entries about this subject, such as an account or a client. */
      readonly subject?: string;
      /** Only entries by the account of this name. */
      readonly actor?: string;
      /** Only entries of this kind. */
      readonly action?: string;
      /** Only entries from this moment on: a date, which means its beginning in UTC, or a date and time. */
      readonly from?: string;
      /** Only entries before this moment. */
      readonly to?: string;
    };
    readonly body: undefined;
    readonly answer: {
      /** Up to 100. */
      readonly data: readonly {
        /** The entry; `before` goes on from it. */
        readonly id: string;
        /** When. */
        readonly at: string;
        /** Whose account; null: a command or an anonymous caller. */
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
  /** See categories. */
  readonly listCategories: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** All of them. */
      readonly data: readonly {
        /** The category. */
        readonly id: number;
        /** Its name. */
        readonly name: string;
        /** How many products stand in it. */
        readonly products: number;
      }[];
    };
  };
  /** List the messages of an endpoint. */
  readonly listClientMessages: {
    readonly params: {
      /** The client. */
      readonly client_id: string;
      /** The endpoint. */
      readonly endpoint_id: string;
    };
    readonly query: {
      /** Only those in this state. */
      readonly state?: 'waiting' | 'delivered' | 'failed';
      /** What stood in `next` of the page before. */
      readonly before?: string;
      /** How many, 1 to 100; 50 where it is left out. */
      readonly limit?: string;
    };
    readonly body: undefined;
    readonly answer: {
      /** The messages of the page. */
      readonly data: readonly {
        /** As its receiver knows it. */
        readonly id: string;
        /** What happened. */
        readonly type: string;
        /** `failed`: it was given up. */
        readonly state: 'waiting' | 'delivered' | 'failed';
        /** How often it was taken to be sent. */
        readonly attempts: number;
        /** When it happened. */
        readonly created_at: string;
        /** When it arrived or was given up. */
        readonly ended_at: string | null;
        /** When it is sent next, at the latest. */
        readonly due_at: string | null;
        /** What was answered last; null: nothing. */
        readonly last_status: number | null;
      }[];
      /** To be sent as `before` for the next page; null: it is the last. */
      readonly next: string | null;
    };
  };
  /** List a client's webhook endpoints. */
  readonly listClientWebhooks: {
    readonly params: {
      /** The client. */
      readonly client_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** All of them. */
      readonly data: readonly {
        /** The endpoint. */
        readonly id: string;
        /** Where messages are sent. Its user and the values of its query are masked for a role that cannot change endpoints. */
        readonly url: string;
        /** The client's own words. */
        readonly description: string;
        /** The events it receives. */
        readonly events: readonly (
          | 'purchase.succeeded'
          | 'purchase.failed'
          | 'purchase.pending'
          | 'purchase.reversed'
          | 'balance.low'
          | 'catalogue.changed'
          | 'operator.status'
        )[];
        /** `disabled`: nothing is sent. */
        readonly status: 'active' | 'disabled';
        /** `client`: by its client. `gone`: it answered 410. `gateway`: in the back office. */
        readonly disabled_by: 'client' | 'gone' | 'gateway' | null;
        /** When it was made. */
        readonly created_at: string;
        /** How many messages wait to be sent; at most 1000 are counted. */
        readonly waiting: number;
        /** How many were given up; at most 1000 are counted. */
        readonly failed: number;
        /** When one last arrived; null: none of the newest 1000 did. */
        readonly delivered_last_at: string | null;
      }[];
    };
  };
  /** List clients. */
  readonly listClients: {
    readonly params: undefined;
    readonly query: {
      /** Stands in the name, or is the id. */
      readonly search?: string;
      /** `suspended`: all its requests are refused. */
      readonly status?: 'active' | 'suspended';
      /** What stood in `next` of the page before. */
      readonly before?: string;
      /** How many, 1 to 100; 50 where it is left out. */
      readonly limit?: string;
    };
    readonly body: undefined;
    readonly answer: {
      /** The clients of the page. */
      readonly data: readonly {
        /** The client. */
        readonly id: string;
        /** What the client is called. Names need not be unique. */
        readonly name: string;
        /** `suspended`: all its requests are refused. */
        readonly status: 'active' | 'suspended';
        /** What it may spend. */
        readonly available: number;
        /** What is held for its purchases under way. */
        readonly held: number;
        /** When it was made. */
        readonly created_at: string;
        /** Whether it may spend little. */
        readonly low: boolean;
      }[];
      /** To be sent as `before` for the next page; null: it is the last. */
      readonly next: string | null;
    };
  };
  /** List changes of your credentials. */
  readonly listMyNotices: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** The newest first. */
      readonly data: readonly {
        /** The notice; the entry of the audit has the same id. */
        readonly id: string;
        /** When. */
        readonly at: string;
        /** What was changed or used. */
        readonly action:
          | 'password change'
          | 'password set'
          | 'account password'
          | 'account setup'
          | 'totp on'
          | 'totp off'
          | 'account totp reset'
          | 'passkey add'
          | 'passkey remove'
          | 'account passkeys reset'
          | 'recovery codes create'
          | 'recovery code use';
        /** By whom. */
        readonly actor: string;
        /** From which address; null: by a command. */
        readonly address: string | null;
        /** Whether you have confirmed it. */
        readonly seen: boolean;
      }[];
    };
  };
  /** List your passkeys. */
  readonly listMyPasskeys: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** The oldest first. */
      readonly data: readonly {
        /** The passkey. */
        readonly id: string;
        /** As its owner calls it. */
        readonly name: string;
        /** The host on which it works. */
        readonly host: string;
        /** Whether it works on the host of this request. */
        readonly usable: boolean;
        /** When it was added. */
        readonly created_at: string;
        /** When it was last used; null: never. */
        readonly used_at: string | null;
      }[];
      /** Whether passkeys can be used on the host of this request: over https on a domain name, or on localhost. */
      readonly available: boolean;
    };
  };
  /** List your sessions. */
  readonly listMySessions: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** All of them. */
      readonly data: readonly {
        /** The session. */
        readonly id: string;
        /** Whether it is the one that asks. */
        readonly current: boolean;
        /** Whether it still waits for its code. */
        readonly code_needed: boolean;
        /** From which address it was begun. */
        readonly address: string;
        /** By which browser. */
        readonly agent: string;
        /** When it began. */
        readonly created_at: string;
        /** When it was last used, to about a minute. */
        readonly seen_at: string;
      }[];
    };
  };
  /** List operators. */
  readonly listOperators: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** All of them. */
      readonly data: readonly {
        /** The operator. */
        readonly id: number;
        /** As clients know it. */
        readonly name: string;
        /** The name that people read. */
        readonly names: {
          /** In English. */
          readonly en: string;
          /** In Persian. */
          readonly fa: string;
        };
        /** Which connector talks to it. */
        readonly connector: string;
        /** As the process that answers sees it. */
        readonly health: 'up' | 'degraded' | 'down' | 'suspended';
        /** Whether it gets new work: `open` gives it a rest. */
        readonly breaker: 'closed' | 'trying' | 'open';
        /** Since when it is so; null: since the start. */
        readonly since: string | null;
        /** What is under way with it in this process. */
        readonly under_way: number;
        /** Why nothing new is sold of it; null where it is. */
        readonly suspended: {
          /** Since when. */
          readonly at: string;
          /** By whom; `simgate` where its settings cannot be used. */
          readonly by: string;
          /** Why. */
          readonly reason: string;
        } | null;
        /** What it can do besides selling. */
        readonly can: {
          /** Lists personal offers. */
          readonly offers: boolean;
          /** Tells of subscribers. */
          readonly subscriber: boolean;
          /** Tells of sales that it took back. */
          readonly reports: boolean;
        };
        /** Whose settings are in use. */
        readonly settings_from: 'file' | 'console';
        /** Why what is set of it now cannot be used: then it is reached by nothing, and what is shown was set before; null where it can. */
        readonly settings_problem: string | null;
        /** Whether it is simulated in this process. */
        readonly simulator: boolean;
      }[];
    };
  };
  /** See products. */
  readonly listProducts: {
    readonly params: undefined;
    readonly query: {
      /** Part of a name, an id, or part of the seller's own code. */
      readonly search?: string;
      /** Only of this operator. */
      readonly operator_id?: string;
      /** Only in this category. */
      readonly category_id?: string;
      /** Only of this type. */
      readonly type?: 'cell_internet' | 'cell_direct_charge' | 'td_lte_internet';
      /** Only for these. */
      readonly sim_card_type?: 'credit' | 'permanent';
      /** `1`: on sale. `0`: switched off. */
      readonly on?: '1' | '0';
      /** By what; by id where not said. */
      readonly sort?: 'id' | 'name' | 'price' | 'updated_at';
      /** `asc` where not said. */
      readonly order?: 'asc' | 'desc';
      /** Which page, from 1. */
      readonly page?: string;
      /** How many a page: 1 to 100, 50 where not said. */
      readonly limit?: string;
    };
    readonly body: undefined;
    readonly answer: {
      /** The products of the page. */
      readonly data: readonly {
        /** Product identifier. */
        readonly id: number;
        /** Product name. */
        readonly name: string;
        /** Product name in Latin script. */
        readonly name_en: string | null;
        /** Operator, 1 to 5. */
        readonly operator_id: number;
        /** `cell_internet` (data package), `cell_direct_charge` (top-up) or `td_lte_internet` (TD-LTE package, operator 2 only). */
        readonly type: 'cell_internet' | 'cell_direct_charge' | 'td_lte_internet';
        /** `credit` (prepaid SIM) or `permanent` (postpaid SIM). */
        readonly sim_card_type: 'credit' | 'permanent';
        /** Base price in whole currency units. */
        readonly price: number;
        /** Where filled, any whole price from `price` to `second_price` may be sent. */
        readonly second_price: number | null;
        /** A price for display. */
        readonly showable_price: number | null;
        /** 1: on sale. 0: switched off; listed, and not to be bought. */
        readonly status: number;
        /** Whether it is on sale. What is off is listed, and not to be bought. */
        readonly on: boolean;
        /** Capacity. Null, or any JSON value. */
        readonly capacity: unknown;
        /** Validity in days. */
        readonly period: number | null;
        /** The categories that it stands in. */
        readonly categories: readonly {
          /** The category. */
          readonly id: number;
          /** Its name. */
          readonly name: string;
        }[];
        /** When it was last changed. */
        readonly updated_at: string | null;
      }[];
      /** How many there are on all pages. */
      readonly total: number;
      /** The version of the catalogue: another one after each change. */
      readonly version: string;
    };
  };
  /** See what an import would do. */
  readonly previewImport: {
    readonly params: undefined;
    readonly query: {
      /** The form of the file. */
      readonly format?: 'csv' | 'json';
      /** `1`: what is not in the file is removed. */
      readonly remove_missing?: '0' | '1';
    };
    readonly body: unknown;
    readonly answer: undefined;
  };
  /** See what a change of prices would do. */
  readonly previewPrices: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** Which products: by `product_ids`, or by a `filter`. */
      readonly which: {
        /** Products by their ids. */
        readonly product_ids?: readonly number[];
        /** All that fit; without any field all products. */
        readonly filter?: {
          /** Part of a name, an id, or part of the seller's own code. */
          readonly search?: string;
          /** Only of this operator. */
          readonly operator_id?: number;
          /** Only in this category. */
          readonly category_id?: number;
          /** Only of this type. */
          readonly type?: 'cell_internet' | 'cell_direct_charge' | 'td_lte_internet';
          /** Only for these. */
          readonly sim_card_type?: 'credit' | 'permanent';
          /** Whether it is on sale. What is off is listed, and not to be bought. */
          readonly on?: boolean;
        };
      };
      /** Exactly one of `percent`, `amount` and `price`. */
      readonly change: {
        /** So much more of a hundred, as `5.5`; less by `-5.5`. */
        readonly percent?: string;
        /** So much more; less below zero. */
        readonly amount?: number;
        /** This price for all. */
        readonly price?: number;
      };
      /** Which prices; `price` where not said. One that is null stays so. */
      readonly fields?: readonly ('price' | 'second_price' | 'showable_price')[];
      /** Rounded half up to a multiple of it; 1. */
      readonly round_to?: 1 | 10 | 100 | 1000 | 10000;
    };
    readonly answer: {
      /** The first 500 prices that would change. */
      readonly data: readonly {
        /** Product identifier. */
        readonly id: number;
        /** Product name. */
        readonly name: string;
        /** Which price. */
        readonly field: 'price' | 'second_price' | 'showable_price';
        /** As it is. */
        readonly before: number;
        /** As it would be. */
        readonly after: number;
      }[];
      /** How many products would change. */
      readonly changed: number;
      /** How many would stay as they are. */
      readonly unchanged: number;
      /** The first 500 that cannot be changed so, and will not be. */
      readonly refused: readonly {
        /** The product. */
        readonly id: number;
        /** Why it would not be changed, in a sentence. */
        readonly why: string;
      }[];
      /** How many there are of them. */
      readonly refused_count: number;
      /** The version of the catalogue: another one after each change. */
      readonly version: string;
      /** As the preview gave it. */
      readonly digest: string;
    };
  };
  /** Preview a decision. */
  readonly previewResolution: {
    readonly params: {
      /** The purchase. */
      readonly purchase_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** `succeeded`: it was delivered. `failed`: it was not. */
      readonly verdict: 'succeeded' | 'failed';
    };
    readonly answer: {
      /** What speaks for it and against it. */
      readonly evidence: readonly {
        readonly says: 'delivered' | 'taken_back' | 'not_delivered' | 'nothing';
        /** A fact: a code and its values. */
        readonly fact: {
          /** What it is. */
          readonly code:
            | 'text'
            | 'no_answer_within'
            | 'connection_failed'
            | 'answer_unlisted'
            | 'order_pending'
            | 'settings_unusable'
            | 'error'
            | 'attempt'
            | 'answered_delivered'
            | 'answered_reversed'
            | 'answered_refused'
            | 'answered_pending'
            | 'not_found'
            | 'not_found_yet'
            | 'ordered_again'
            | 'operator_unreachable'
            | 'operator_removed'
            | 'reported_delivered'
            | 'reported_reversed'
            | 'late_delivered'
            | 'late_refused'
            | 'reversed'
            | 'said_delivered'
            | 'said_reversed'
            | 'said_refused'
            | 'said_not_found'
            | 'marked_delivered'
            | 'marked_not_delivered'
            | 'now_delivered'
            | 'now_reversed'
            | 'now_refused'
            | 'now_not_found'
            | 'now_not_found_yet'
            | 'now_pending'
            | 'operator_not_configured'
            | 'operator_in_process'
            | 'operator_settings_unreadable'
            | 'unresolved'
            | 'now_no_answer';
          /** What belongs to that code, with numbers of subscribers masked. */
          readonly values: Readonly<Record<string, unknown>>;
        };
      }[];
      /** Whether it can only be forced. */
      readonly contradicted: boolean;
      /** What becomes of the money. */
      readonly money: {
        /** What becomes of it. */
        readonly code: 'unchanged' | 'released' | 'charged' | 'charged_and_refunded';
        /** What is held. */
        readonly amount: number;
      };
      /** Send it along with the decision. */
      readonly version: string;
    };
  };
  /** Prove that it is you. */
  readonly proveMe: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** The password as it is. */
      readonly password?: string;
      /** The six digits that the app shows, or a recovery code. */
      readonly code?: string;
    };
    readonly answer: undefined;
  };
  /** Remove a passkey. */
  readonly removeMyPasskey: {
    readonly params: {
      /** The passkey. */
      readonly passkey_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** The password as it is. */
      readonly password: string;
    };
    readonly answer: undefined;
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
  /** Reset the settings of an operator to the file. */
  readonly removeOperatorSettings: {
    readonly params: {
      /** The operator. */
      readonly operator_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** The operator. */
      readonly id: number;
      /** As clients know it. */
      readonly name: string;
      /** The name that people read. */
      readonly names: {
        /** In English. */
        readonly en: string;
        /** In Persian. */
        readonly fa: string;
      };
      /** Which connector talks to it. */
      readonly connector: string;
      /** As the process that answers sees it. */
      readonly health: 'up' | 'degraded' | 'down' | 'suspended';
      /** Whether it gets new work: `open` gives it a rest. */
      readonly breaker: 'closed' | 'trying' | 'open';
      /** Since when it is so; null: since the start. */
      readonly since: string | null;
      /** What is under way with it in this process. */
      readonly under_way: number;
      /** Why nothing new is sold of it; null where it is. */
      readonly suspended: {
        /** Since when. */
        readonly at: string;
        /** By whom; `simgate` where its settings cannot be used. */
        readonly by: string;
        /** Why. */
        readonly reason: string;
      } | null;
      /** What it can do besides selling. */
      readonly can: {
        /** Lists personal offers. */
        readonly offers: boolean;
        /** Tells of subscribers. */
        readonly subscriber: boolean;
        /** Tells of sales that it took back. */
        readonly reports: boolean;
      };
      /** Whose settings are in use. */
      readonly settings_from: 'file' | 'console';
      /** Why what is set of it now cannot be used: then it is reached by nothing, and what is shown was set before; null where it can. */
      readonly settings_problem: string | null;
      /** Whether it is simulated in this process. */
      readonly simulator: boolean;
      /** What can be set, in order. */
      readonly schema: readonly {
        /** The setting. */
        readonly name: string;
        /** `json`: it is typed as it is. */
        readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'enum' | 'object' | 'json';
        /** What it is. */
        readonly description: string;
        /** Whether it has to be given. */
        readonly required: boolean;
        /** Whether it is never shown. */
        readonly secret: boolean;
        /** What it is where it is left out; null: nothing. */
        readonly default: unknown;
        /** The least. */
        readonly minimum: number | null;
        /** The most. */
        readonly maximum: number | null;
        /** Of an enum. */
        readonly values?: readonly unknown[];
        /** Of an object: fields like these. */
        readonly fields?: readonly unknown[];
      }[];
      /** What is in use, or was last; secrets that are set read `***`. */
      readonly settings: Readonly<Record<string, unknown>>;
      /** Send it along when you change the settings. */
      readonly version: string;
      /** What is promised about its orders. */
      readonly promises: {
        /** How long one exchange may take. */
        readonly deadline_ms: number;
        /** How long after that an order may still surface; null: unknown. */
        readonly settles_within_ms: number | null;
        /** Whether a second order is recognised. */
        readonly deduplicates: boolean;
        /** How many exchanges it carries at once; null: any. */
        readonly at_once: number | null;
      };
      /** What goes wrong at it; null where it is not simulated. */
      readonly faults: {
        /** The request is read and forgotten: nothing is done, no answer comes. */
        readonly loseRequests: number;
        /** The work is done, and no answer comes. */
        readonly loseAnswers: number;
        /** The work is done, and the answer is HTTP 500. */
        readonly errors: number;
        /** The work is done, and the answer is not JSON, though it says so. */
        readonly nonsense: number;
        /** Work or answer begins later, by `delayMs`. */
        readonly delays: number;
        /** Inquiries do not see the order for a while, by `lagMs`. */
        readonly lag: number;
        /** What was delivered is reversed, after `reversesAfter`. */
        readonly reversals: number;
        /** How much later, in milliseconds. */
        readonly delayMs: number;
        /** For how long, in milliseconds. */
        readonly lagMs: number;
      } | null;
    };
  };
  /** Send a message again. */
  readonly replayClientMessage: {
    readonly params: {
      /** The client. */
      readonly client_id: string;
      /** The endpoint. */
      readonly endpoint_id: string;
      /** The message. */
      readonly message_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** As its receiver knows it. */
      readonly id: string;
      /** What happened. */
      readonly type: string;
      /** `failed`: it was given up. */
      readonly state: 'waiting' | 'delivered' | 'failed';
      /** How often it was taken to be sent. */
      readonly attempts: number;
      /** When it happened. */
      readonly created_at: string;
      /** When it arrived or was given up. */
      readonly ended_at: string | null;
      /** When it is sent next, at the latest. */
      readonly due_at: string | null;
      /** What was answered last; null: nothing. */
      readonly last_status: number | null;
    };
  };
  /** Remove all passkeys of an account. */
  readonly resetPasskeys: {
    readonly params: {
      /** The account. */
      readonly account_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** Reset two-factor authentication. */
  readonly resetTotp: {
    readonly params: {
      /** The account. */
      readonly account_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** Decide about a purchase. */
  readonly resolvePurchase: {
    readonly params: {
      /** The purchase. */
      readonly purchase_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** `succeeded`: it was delivered. `failed`: it was not. */
      readonly verdict: 'succeeded' | 'failed';
      /** Why; it is written down. */
      readonly reason: string;
      /** Also against the evidence. */
      readonly force?: boolean;
      /** Of the preview. */
      readonly version: string;
    };
    readonly answer: {
      /** What becomes of the money. */
      readonly money: {
        /** What becomes of it. */
        readonly code: 'unchanged' | 'released' | 'charged' | 'charged_and_refunded';
        /** What is held. */
        readonly amount: number;
      };
      /** Whether it was done against the evidence. */
      readonly forced: boolean;
      /** A purchase with all that is known of it. Its number is masked everywhere. */
      readonly purchase: {
        /** The purchase; also its reference towards the operator. */
        readonly id: string;
        /** When it began. */
        readonly began_at: string;
        /** When it became final. */
        readonly settled_at: string | null;
        /** How far it has come. */
        readonly state:
          | 'refused'
          | 'submitted'
          | 'unknown'
          | 'review'
          | 'succeeded'
          | 'failed'
          | 'reversed';
        /** Whose it is. */
        readonly client: {
          readonly id: string;
          readonly name: string;
        };
        /** What was bought. */
        readonly product: {
          readonly id: number;
          /** Null where the catalogue has it no more. */
          readonly name: string | null;
          /** The name in Latin script; null where it has none. */
          readonly name_en: string | null;
        };
        /** Of which operator; null where the product was not known. */
        readonly operator_id: number | null;
        /** For which number, masked. */
        readonly mobile: string;
        /** At what price. */
        readonly amount: number;
        /** The client’s tracking code. */
        readonly webservice_code: string;
        /** The key that it came with. */
        readonly idempotency_key: string;
        /** Why it was refused, failed, or is not known. */
        readonly reason: {
          /** What it is. */
          readonly code:
            | 'text'
            | 'no_answer_within'
            | 'connection_failed'
            | 'answer_unlisted'
            | 'order_pending'
            | 'settings_unusable'
            | 'error'
            | 'attempt'
            | 'answered_delivered'
            | 'answered_reversed'
            | 'answered_refused'
            | 'answered_pending'
            | 'not_found'
            | 'not_found_yet'
            | 'ordered_again'
            | 'operator_unreachable'
            | 'operator_removed'
            | 'reported_delivered'
            | 'reported_reversed'
            | 'late_delivered'
            | 'late_refused'
            | 'reversed'
            | 'said_delivered'
            | 'said_reversed'
            | 'said_refused'
            | 'said_not_found'
            | 'marked_delivered'
            | 'marked_not_delivered'
            | 'now_delivered'
            | 'now_reversed'
            | 'now_refused'
            | 'now_not_found'
            | 'now_not_found_yet'
            | 'now_pending'
            | 'operator_not_configured'
            | 'operator_in_process'
            | 'operator_settings_unreadable'
            | 'unresolved'
            | 'now_no_answer';
          /** What belongs to that code, with numbers of subscribers masked. */
          readonly values: Readonly<Record<string, unknown>>;
        } | null;
        /** What contradicts its recorded end; then it needs review. */
        readonly disputed: {
          /** What it is. */
          readonly code:
            | 'text'
            | 'no_answer_within'
            | 'connection_failed'
            | 'answer_unlisted'
            | 'order_pending'
            | 'settings_unusable'
            | 'error'
            | 'attempt'
            | 'answered_delivered'
            | 'answered_reversed'
            | 'answered_refused'
            | 'answered_pending'
            | 'not_found'
            | 'not_found_yet'
            | 'ordered_again'
            | 'operator_unreachable'
            | 'operator_removed'
            | 'reported_delivered'
            | 'reported_reversed'
            | 'late_delivered'
            | 'late_refused'
            | 'reversed'
            | 'said_delivered'
            | 'said_reversed'
            | 'said_refused'
            | 'said_not_found'
            | 'marked_delivered'
            | 'marked_not_delivered'
            | 'now_delivered'
            | 'now_reversed'
            | 'now_refused'
            | 'now_not_found'
            | 'now_not_found_yet'
            | 'now_pending'
            | 'operator_not_configured'
            | 'operator_in_process'
            | 'operator_settings_unreadable'
            | 'unresolved'
            | 'now_no_answer';
          /** What belongs to that code, with numbers of subscribers masked. */
          readonly values: Readonly<Record<string, unknown>>;
        } | null;
        /** With which status it was answered for good. */
        readonly answer_status: number | null;
        /** Which personal offer. */
        readonly offer_code: string | null;
        /** Which personal offer. */
        readonly offer_type: string | null;
        /** Which profile. */
        readonly profile_id: string | null;
        /** Of the first request. */
        readonly request_id: string;
        /** How often it was ordered. */
        readonly attempts: number;
        /** How often the operator was asked about it. */
        readonly inquiries: number;
        /** When it is driven on next; null where it is not. */
        readonly due_at: string | null;
        /** The operator’s own name for the delivery. */
        readonly operator_ref: string | null;
        /** The answer that is repeated for good, with the number masked. */
        readonly answer: {
          readonly status: number;
          readonly body: string;
        } | null;
        /** What happened, from the first on. */
        readonly timeline: readonly {
          readonly at: string;
          readonly kind:
            | 'held and submitted'
            | 'order'
            | 'inquiry'
            | 'report'
            | 'late answer'
            | 'testimony'
            | 'decision'
            | 'reversal'
            | 'contradiction'
            | 'dispute closed'
            | 'refused'
            | 'succeeded'
            | 'failed';
          /** What was learnt; null where the kind says it all. */
          readonly fact: {
            /** What it is. */
            readonly code:
              | 'text'
              | 'no_answer_within'
              | 'connection_failed'
              | 'answer_unlisted'
              | 'order_pending'
              | 'settings_unusable'
              | 'error'
              | 'attempt'
              | 'answered_delivered'
              | 'answered_reversed'
              | 'answered_refused'
              | 'answered_pending'
              | 'not_found'
              | 'not_found_yet'
              | 'ordered_again'
              | 'operator_unreachable'
              | 'operator_removed'
              | 'reported_delivered'
              | 'reported_reversed'
              | 'late_delivered'
              | 'late_refused'
              | 'reversed'
              | 'said_delivered'
              | 'said_reversed'
              | 'said_refused'
              | 'said_not_found'
              | 'marked_delivered'
              | 'marked_not_delivered'
              | 'now_delivered'
              | 'now_reversed'
              | 'now_refused'
              | 'now_not_found'
              | 'now_not_found_yet'
              | 'now_pending'
              | 'operator_not_configured'
              | 'operator_in_process'
              | 'operator_settings_unreadable'
              | 'unresolved'
              | 'now_no_answer';
            /** What belongs to that code, with numbers of subscribers masked. */
            readonly values: Readonly<Record<string, unknown>>;
          } | null;
        }[];
        /** Its money. */
        readonly postings: readonly {
          readonly seq: number;
          readonly at: string;
          readonly kind: string;
          readonly from: string;
          readonly to: string;
          readonly amount: number;
          readonly available_after: number;
          readonly held_after: number;
        }[];
        /** What the client’s endpoints were told of it, as long as that is kept. */
        readonly messages: readonly {
          readonly id: string;
          readonly type: string;
          readonly endpoint_id: string;
          readonly endpoint_url: string;
          readonly state: 'waiting' | 'delivered' | 'failed';
          readonly attempts: number;
          readonly created_at: string;
          /** When it was delivered, or given up. */
          readonly ended_at: string | null;
        }[];
        /** What people decided about it. */
        readonly decisions: readonly {
          readonly at: string;
          readonly by: string;
          readonly reason: string;
          readonly evidence: readonly {
            /** What it is. */
            readonly code:
              | 'text'
              | 'no_answer_within'
              | 'connection_failed'
              | 'answer_unlisted'
              | 'order_pending'
              | 'settings_unusable'
              | 'error'
              | 'attempt'
              | 'answered_delivered'
              | 'answered_reversed'
              | 'answered_refused'
              | 'answered_pending'
              | 'not_found'
              | 'not_found_yet'
              | 'ordered_again'
              | 'operator_unreachable'
              | 'operator_removed'
              | 'reported_delivered'
              | 'reported_reversed'
              | 'late_delivered'
              | 'late_refused'
              | 'reversed'
              | 'said_delivered'
              | 'said_reversed'
              | 'said_refused'
              | 'said_not_found'
              | 'marked_delivered'
              | 'marked_not_delivered'
              | 'now_delivered'
              | 'now_reversed'
              | 'now_refused'
              | 'now_not_found'
              | 'now_not_found_yet'
              | 'now_pending'
              | 'operator_not_configured'
              | 'operator_in_process'
              | 'operator_settings_unreadable'
              | 'unresolved'
              | 'now_no_answer';
            /** What belongs to that code, with numbers of subscribers masked. */
            readonly values: Readonly<Record<string, unknown>>;
          }[];
          readonly forced: boolean;
          /** What it was before. */
          readonly before: Readonly<Record<string, unknown>>;
          /** What it was after. */
          readonly after: Readonly<Record<string, unknown>>;
        }[];
        /** What you may do with it as it is. */
        readonly may: {
          /** Whether the operator can be asked now. */
          readonly inquire: boolean;
          /** Whether it waits for a decision. */
          readonly resolve: boolean;
        };
      };
    };
  };
  /** Resume an operator. */
  readonly resumeOperator: {
    readonly params: {
      /** The operator. */
      readonly operator_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** The operator. */
      readonly id: number;
      /** As clients know it. */
      readonly name: string;
      /** The name that people read. */
      readonly names: {
        /** In English. */
        readonly en: string;
        /** In Persian. */
        readonly fa: string;
      };
      /** Which connector talks to it. */
      readonly connector: string;
      /** As the process that answers sees it. */
      readonly health: 'up' | 'degraded' | 'down' | 'suspended';
      /** Whether it gets new work: `open` gives it a rest. */
      readonly breaker: 'closed' | 'trying' | 'open';
      /** Since when it is so; null: since the start. */
      readonly since: string | null;
      /** What is under way with it in this process. */
      readonly under_way: number;
      /** Why nothing new is sold of it; null where it is. */
      readonly suspended: {
        /** Since when. */
        readonly at: string;
        /** By whom; `simgate` where its settings cannot be used. */
        readonly by: string;
        /** Why. */
        readonly reason: string;
      } | null;
      /** What it can do besides selling. */
      readonly can: {
        /** Lists personal offers. */
        readonly offers: boolean;
        /** Tells of subscribers. */
        readonly subscriber: boolean;
        /** Tells of sales that it took back. */
        readonly reports: boolean;
      };
      /** Whose settings are in use. */
      readonly settings_from: 'file' | 'console';
      /** Why what is set of it now cannot be used: then it is reached by nothing, and what is shown was set before; null where it can. */
      readonly settings_problem: string | null;
      /** Whether it is simulated in this process. */
      readonly simulator: boolean;
    };
  };
  /** Revoke a token. */
  readonly revokeToken: {
    readonly params: {
      /** The client. */
      readonly client_id: string;
      /** The token. */
      readonly token_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** The token; never what is sent. */
      readonly id: string;
      /** What it is for. */
      readonly name: string;
      /** Its last characters, to tell two apart. */
      readonly ending: string;
      /** Whether it lets in. */
      readonly state: 'valid' | 'expired' | 'revoked';
      /** What it may be used for. */
      readonly scopes: readonly ('catalogue' | 'offers' | 'purchase' | 'webhooks')[];
      /** The addresses and networks from which it may be used; none: from anywhere. */
      readonly networks: readonly string[];
      /** When it was made. */
      readonly created_at: string;
      /** When it ends by itself; null: never. */
      readonly expires_at: string | null;
      /** When it was last used, to some seconds; null: never. */
      readonly last_used_at: string | null;
    };
  };
  /** Rotate a token. */
  readonly rotateToken: {
    readonly params: {
      /** The client. */
      readonly client_id: string;
      /** The token. */
      readonly token_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** A UUID that the page makes for this. Sent again with the same key, it is not done again. */
      readonly key: string;
      /** For how long both are good. */
      readonly overlap_hours: number;
      /** When the new one ends by itself; with the old one, where it is left out. As 2027-01-31T00:00:00Z; null: never. */
      readonly expires_at?: string | null;
    };
    readonly answer: {
      /** Which it is. */
      readonly token_id: string;
      /** The token. It is shown this once. */
      readonly token: string;
      /** When the old one ends. */
      readonly old_expires_at: string;
    };
  };
  /** Search purchases. */
  readonly searchPurchases: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** Whatever you have: it is taken for an id, a key, a tracking code and a number in turn, and the first under which there is a purchase counts. */
      readonly q?: string;
      /** Only those for this number: with or without the prefix of the country, in digits of whichever script. */
      readonly number?: string;
      /** Only those with this key. */
      readonly key?: string;
      /** Only those with this tracking code. */
      readonly code?: string;
      /** Only this one. */
      readonly id?: string;
      /** Only those of this client. */
      readonly client_id?: string;
      /** Only those in this state. `open`: in any whose end the gateway still finds out by itself, which are `submitted` and `unknown`. */
      readonly state?:
        | 'refused'
        | 'submitted'
        | 'unknown'
        | 'review'
        | 'succeeded'
        | 'failed'
        | 'reversed'
        | 'open';
      /** `1`: only those that wait for a person. */
      readonly needs_person?: '0' | '1';
      /** Only purchases that began from this moment on: a date, which means its beginning in UTC, or a date and time. */
      readonly from?: string;
      /** Only purchases that began before this moment. */
      readonly to?: string;
      /** What the last page gave as `next`. */
      readonly before?: string;
      /** How many, 1 to 100; 50 if you do not say. */
      readonly limit?: string;
    };
    readonly answer: {
      /** The purchases of the page. */
      readonly data: readonly {
        /** The purchase; also its reference towards the operator. */
        readonly id: string;
        /** When it began. */
        readonly began_at: string;
        /** When it became final. */
        readonly settled_at: string | null;
        /** How far it has come. */
        readonly state:
          | 'refused'
          | 'submitted'
          | 'unknown'
          | 'review'
          | 'succeeded'
          | 'failed'
          | 'reversed';
        /** Whose it is. */
        readonly client: {
          readonly id: string;
          readonly name: string;
        };
        /** What was bought. */
        readonly product: {
          readonly id: number;
          /** Null where the catalogue has it no more. */
          readonly name: string | null;
          /** The name in Latin script; null where it has none. */
          readonly name_en: string | null;
        };
        /** Of which operator; null where the product was not known. */
        readonly operator_id: number | null;
        /** For which number, masked. */
        readonly mobile: string;
        /** At what price. */
        readonly amount: number;
        /** The client’s tracking code. */
        readonly webservice_code: string;
        /** The key that it came with. */
        readonly idempotency_key: string;
        /** Why it was refused, failed, or is not known. */
        readonly reason: {
          /** What it is. */
          readonly code:
            | 'text'
            | 'no_answer_within'
            | 'connection_failed'
            | 'answer_unlisted'
            | 'order_pending'
            | 'settings_unusable'
            | 'error'
            | 'attempt'
            | 'answered_delivered'
            | 'answered_reversed'
            | 'answered_refused'
            | 'answered_pending'
            | 'not_found'
            | 'not_found_yet'
            | 'ordered_again'
            | 'operator_unreachable'
            | 'operator_removed'
            | 'reported_delivered'
            | 'reported_reversed'
            | 'late_delivered'
            | 'late_refused'
            | 'reversed'
            | 'said_delivered'
            | 'said_reversed'
            | 'said_refused'
            | 'said_not_found'
            | 'marked_delivered'
            | 'marked_not_delivered'
            | 'now_delivered'
            | 'now_reversed'
            | 'now_refused'
            | 'now_not_found'
            | 'now_not_found_yet'
            | 'now_pending'
            | 'operator_not_configured'
            | 'operator_in_process'
            | 'operator_settings_unreadable'
            | 'unresolved'
            | 'now_no_answer';
          /** What belongs to that code, with numbers of subscribers masked. */
          readonly values: Readonly<Record<string, unknown>>;
        } | null;
        /** What contradicts its recorded end; then it needs review. */
        readonly disputed: {
          /** What it is. */
          readonly code:
            | 'text'
            | 'no_answer_within'
            | 'connection_failed'
            | 'answer_unlisted'
            | 'order_pending'
            | 'settings_unusable'
            | 'error'
            | 'attempt'
            | 'answered_delivered'
            | 'answered_reversed'
            | 'answered_refused'
            | 'answered_pending'
            | 'not_found'
            | 'not_found_yet'
            | 'ordered_again'
            | 'operator_unreachable'
            | 'operator_removed'
            | 'reported_delivered'
            | 'reported_reversed'
            | 'late_delivered'
            | 'late_refused'
            | 'reversed'
            | 'said_delivered'
            | 'said_reversed'
            | 'said_refused'
            | 'said_not_found'
            | 'marked_delivered'
            | 'marked_not_delivered'
            | 'now_delivered'
            | 'now_reversed'
            | 'now_refused'
            | 'now_not_found'
            | 'now_not_found_yet'
            | 'now_pending'
            | 'operator_not_configured'
            | 'operator_in_process'
            | 'operator_settings_unreadable'
            | 'unresolved'
            | 'now_no_answer';
          /** What belongs to that code, with numbers of subscribers masked. */
          readonly values: Readonly<Record<string, unknown>>;
        } | null;
        /** With which status it was answered for good. */
        readonly answer_status: number | null;
      }[];
      /** Send it as `before` for the next page; null: there is none. */
      readonly next: string | null;
    };
  };
  /** Confirm that you have seen changes. */
  readonly seeMyNotices: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** The newest that you have seen. */
      readonly id: string;
    };
    readonly answer: undefined;
  };
  /** Send the code of the second factor. */
  readonly sendCode: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** The six digits that the app shows, or a recovery code. */
      readonly code: string;
    };
    readonly answer: {
      /** Whether a second factor is to be sent before anything else: a code or a passkey. */
      readonly code_needed: boolean;
    };
  };
  /** Sign in with a passkey. */
  readonly sendPasskey: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** What `navigator.credentials.get()` gave, as JSON. */
      readonly credential: {
        /** The credential ID. In base64url. */
        readonly id: string;
        /** What the authenticator has signed. */
        readonly response: {
          /** What the browser says of itself. In base64url. */
          readonly clientDataJSON: string;
          /** What the authenticator says of itself. In base64url. */
          readonly authenticatorData: string;
          /** Its signature. In base64url. */
          readonly signature: string;
        };
      };
    };
    readonly answer: {
      /** Whether a second factor is to be sent before anything else: a code or a passkey. */
      readonly code_needed: boolean;
    };
  };
  /** Set a client's rules. */
  readonly setClientRules: {
    readonly params: {
      /** The client. */
      readonly client_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** The ids of the products that it may buy; null: all. */
      readonly products: readonly number[] | null;
      /** The ids of the operators of which it may buy; null: all. */
      readonly operators: readonly (1 | 2 | 3 | 4 | 5)[] | null;
      /** For how long the same for the same number at the same price is taken for a repeat; null: it never is. */
      readonly repeat_seconds: number | null;
      /** The most that it may spend on a day in UTC; null: no limit. */
      readonly daily_limit: number | null;
      /** The status of a purchase that is not finished. */
      readonly pending_status: 202 | 409;
      /** Of the rules that you saw: `rules_version`. */
      readonly version: string;
    };
    readonly answer: {
      /** The client. */
      readonly id: string;
      /** What the client is called. Names need not be unique. */
      readonly name: string;
      /** `suspended`: all its requests are refused. */
      readonly status: 'active' | 'suspended';
      /** What it may spend. */
      readonly available: number;
      /** What is held for its purchases under way. */
      readonly held: number;
      /** When it was made. */
      readonly created_at: string;
      /** Whether it may spend little. */
      readonly low: boolean;
      /** What is set for it. */
      readonly rules: {
        /** The ids of the products that it may buy; null: all. */
        readonly products: readonly number[] | null;
        /** The ids of the operators of which it may buy; null: all. */
        readonly operators: readonly (1 | 2 | 3 | 4 | 5)[] | null;
        /** For how long the same for the same number at the same price is taken for a repeat; null: it never is. */
        readonly repeat_seconds: number | null;
        /** The most that it may spend on a day in UTC; null: no limit. */
        readonly daily_limit: number | null;
        /** The status of a purchase that is not finished. */
        readonly pending_status: 202 | 409;
      };
      /** Send it along with other rules. */
      readonly rules_version: string;
      /** Its day. */
      readonly day: {
        /** What it has spent on this day in UTC. */
        readonly spent: number;
        /** The most that it may; null: no limit. */
        readonly limit: number | null;
      };
      /** All of them, the oldest first. */
      readonly tokens: readonly {
        /** The token; never what is sent. */
        readonly id: string;
        /** What it is for. */
        readonly name: string;
        /** Its last characters, to tell two apart. */
        readonly ending: string;
        /** Whether it lets in. */
        readonly state: 'valid' | 'expired' | 'revoked';
        /** What it may be used for. */
        readonly scopes: readonly ('catalogue' | 'offers' | 'purchase' | 'webhooks')[];
        /** The addresses and networks from which it may be used; none: from anywhere. */
        readonly networks: readonly string[];
        /** When it was made. */
        readonly created_at: string;
        /** When it ends by itself; null: never. */
        readonly expires_at: string | null;
        /** When it was last used, to some seconds; null: never. */
        readonly last_used_at: string | null;
      }[];
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
      /** Whether a second factor is to be sent before anything else: a code or a passkey. */
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
      /** Whether a second factor is to be sent before anything else: a code or a passkey. */
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
  /** Suspend an operator. */
  readonly suspendOperator: {
    readonly params: {
      /** The operator. */
      readonly operator_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** Why. */
      readonly reason: string;
    };
    readonly answer: {
      /** The operator. */
      readonly id: number;
      /** As clients know it. */
      readonly name: string;
      /** The name that people read. */
      readonly names: {
        /** In English. */
        readonly en: string;
        /** In Persian. */
        readonly fa: string;
      };
      /** Which connector talks to it. */
      readonly connector: string;
      /** As the process that answers sees it. */
      readonly health: 'up' | 'degraded' | 'down' | 'suspended';
      /** Whether it gets new work: `open` gives it a rest. */
      readonly breaker: 'closed' | 'trying' | 'open';
      /** Since when it is so; null: since the start. */
      readonly since: string | null;
      /** What is under way with it in this process. */
      readonly under_way: number;
      /** Why nothing new is sold of it; null where it is. */
      readonly suspended: {
        /** Since when. */
        readonly at: string;
        /** By whom; `simgate` where its settings cannot be used. */
        readonly by: string;
        /** Why. */
        readonly reason: string;
      } | null;
      /** What it can do besides selling. */
      readonly can: {
        /** Lists personal offers. */
        readonly offers: boolean;
        /** Tells of subscribers. */
        readonly subscriber: boolean;
        /** Tells of sales that it took back. */
        readonly reports: boolean;
      };
      /** Whose settings are in use. */
      readonly settings_from: 'file' | 'console';
      /** Why what is set of it now cannot be used: then it is reached by nothing, and what is shown was set before; null where it can. */
      readonly settings_problem: string | null;
      /** Whether it is simulated in this process. */
      readonly simulator: boolean;
    };
  };
  /** Switch products on or off. */
  readonly switchProducts: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** Products by their ids. */
      readonly product_ids: readonly number[];
      /** Whether it is on sale. What is off is listed, and not to be bought. */
      readonly on: boolean;
    };
    readonly answer: {
      /** How many products were changed. */
      readonly changed: number;
      /** The version of the catalogue: another one after each change. */
      readonly version: string;
    };
  };
  /** Show the mobile number. */
  readonly unmaskPurchase: {
    readonly params: {
      /** The purchase. */
      readonly purchase_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** Why; it is written down. */
      readonly reason: string;
    };
    readonly answer: {
      /** The number as it is. */
      readonly mobile: string;
    };
  };
  /** Stream the overview. */
  readonly watchOverview: {
    readonly params: undefined;
    readonly query: {
      /** The last 60 minutes, as without it, 24 hours or 30 days. */
      readonly span?: 'hour' | 'day' | 'month';
    };
    readonly body: undefined;
    readonly answer: undefined;
  };
};

/** Where each is found. */
export const places = {
  addMyPasskey: { method: 'POST', path: '/admin/api/me/passkeys' },
  beginMyPasskey: { method: 'POST', path: '/admin/api/me/passkeys/options' },
  beginMyTotp: { method: 'POST', path: '/admin/api/me/totp' },
  beginPasskeySignIn: { method: 'POST', path: '/admin/api/login/passkey/options' },
  changeAccount: { method: 'PATCH', path: '/admin/api/accounts/{account_id}' },
  changeClient: { method: 'PATCH', path: '/admin/api/clients/{client_id}' },
  changeClientWebhook: {
    method: 'PATCH',
    path: '/admin/api/clients/{client_id}/webhooks/{endpoint_id}',
  },
  changeMyPassword: { method: 'POST', path: '/admin/api/me/password' },
  changeOperatorFaults: { method: 'PUT', path: '/admin/api/operators/{operator_id}/faults' },
  changeOperatorSettings: { method: 'PUT', path: '/admin/api/operators/{operator_id}/settings' },
  changePrices: { method: 'POST', path: '/admin/api/catalogue/prices' },
  changeSettings: { method: 'PATCH', path: '/admin/api/settings' },
  checkOperator: { method: 'POST', path: '/admin/api/operators/{operator_id}/check' },
  confirmMyTotp: { method: 'POST', path: '/admin/api/me/totp/confirm' },
  correctBalance: { method: 'POST', path: '/admin/api/clients/{client_id}/corrections' },
  createAccount: { method: 'POST', path: '/admin/api/accounts' },
  createClient: { method: 'POST', path: '/admin/api/clients' },
  createMyRecoveryCodes: { method: 'POST', path: '/admin/api/me/recovery-codes' },
  createToken: { method: 'POST', path: '/admin/api/clients/{client_id}/tokens' },
  depositMoney: { method: 'POST', path: '/admin/api/clients/{client_id}/deposits' },
  endMyOtherSessions: { method: 'DELETE', path: '/admin/api/me/sessions' },
  endMySession: { method: 'DELETE', path: '/admin/api/me/sessions/{session_id}' },
  endSessions: { method: 'DELETE', path: '/admin/api/accounts/{account_id}/sessions' },
  exportCatalogue: { method: 'GET', path: '/admin/api/catalogue/export' },
  exportClientStatement: { method: 'GET', path: '/admin/api/clients/{client_id}/statement.csv' },
  exportPurchases: { method: 'POST', path: '/admin/api/purchases/export' },
  getClient: { method: 'GET', path: '/admin/api/clients/{client_id}' },
  getClientStatement: { method: 'GET', path: '/admin/api/clients/{client_id}/statement' },
  getFactors: { method: 'GET', path: '/admin/api/login/factors' },
  getMe: { method: 'GET', path: '/admin/api/me' },
  getOperator: { method: 'GET', path: '/admin/api/operators/{operator_id}' },
  getOperatorFaults: { method: 'GET', path: '/admin/api/operators/{operator_id}/faults' },
  getOverview: { method: 'GET', path: '/admin/api/overview' },
  getProduct: { method: 'GET', path: '/admin/api/catalogue/products/{product_id}' },
  getPurchase: { method: 'GET', path: '/admin/api/purchases/{purchase_id}' },
  getSettings: { method: 'GET', path: '/admin/api/settings' },
  importCatalogue: { method: 'POST', path: '/admin/api/catalogue/import' },
  inquirePurchase: { method: 'POST', path: '/admin/api/purchases/{purchase_id}/inquire' },
  issueSetup: { method: 'POST', path: '/admin/api/accounts/{account_id}/setup' },
  listAccounts: { method: 'GET', path: '/admin/api/accounts' },
  listAudit: { method: 'GET', path: '/admin/api/audit' },
  listCategories: { method: 'GET', path: '/admin/api/catalogue/categories' },
  listClientMessages: {
    method: 'GET',
    path: '/admin/api/clients/{client_id}/webhooks/{endpoint_id}/messages',
  },
  listClientWebhooks: { method: 'GET', path: '/admin/api/clients/{client_id}/webhooks' },
  listClients: { method: 'GET', path: '/admin/api/clients' },
  listMyNotices: { method: 'GET', path: '/admin/api/me/notices' },
  listMyPasskeys: { method: 'GET', path: '/admin/api/me/passkeys' },
  listMySessions: { method: 'GET', path: '/admin/api/me/sessions' },
  listOperators: { method: 'GET', path: '/admin/api/operators' },
  listProducts: { method: 'GET', path: '/admin/api/catalogue/products' },
  previewImport: { method: 'POST', path: '/admin/api/catalogue/import/preview' },
  previewPrices: { method: 'POST', path: '/admin/api/catalogue/prices/preview' },
  previewResolution: {
    method: 'POST',
    path: '/admin/api/purchases/{purchase_id}/resolution/preview',
  },
  proveMe: { method: 'POST', path: '/admin/api/me/proof' },
  removeMyPasskey: { method: 'DELETE', path: '/admin/api/me/passkeys/{passkey_id}' },
  removeMyTotp: { method: 'DELETE', path: '/admin/api/me/totp' },
  removeOperatorSettings: { method: 'DELETE', path: '/admin/api/operators/{operator_id}/settings' },
  replayClientMessage: {
    method: 'POST',
    path: '/admin/api/clients/{client_id}/webhooks/{endpoint_id}/messages/{message_id}/replay',
  },
  resetPasskeys: { method: 'DELETE', path: '/admin/api/accounts/{account_id}/passkeys' },
  resetTotp: { method: 'DELETE', path: '/admin/api/accounts/{account_id}/totp' },
  resolvePurchase: { method: 'POST', path: '/admin/api/purchases/{purchase_id}/resolution' },
  resumeOperator: { method: 'DELETE', path: '/admin/api/operators/{operator_id}/suspension' },
  revokeToken: { method: 'DELETE', path: '/admin/api/clients/{client_id}/tokens/{token_id}' },
  rotateToken: {
    method: 'POST',
    path: '/admin/api/clients/{client_id}/tokens/{token_id}/rotation',
  },
  searchPurchases: { method: 'POST', path: '/admin/api/purchases/search' },
  seeMyNotices: { method: 'POST', path: '/admin/api/me/notices/seen' },
  sendCode: { method: 'POST', path: '/admin/api/login/code' },
  sendPasskey: { method: 'POST', path: '/admin/api/login/passkey' },
  setClientRules: { method: 'PUT', path: '/admin/api/clients/{client_id}/rules' },
  setUp: { method: 'POST', path: '/admin/api/setup' },
  signIn: { method: 'POST', path: '/admin/api/login' },
  signOut: { method: 'POST', path: '/admin/api/logout' },
  suspendOperator: { method: 'POST', path: '/admin/api/operators/{operator_id}/suspension' },
  switchProducts: { method: 'POST', path: '/admin/api/catalogue/switch' },
  unmaskPurchase: { method: 'POST', path: '/admin/api/purchases/{purchase_id}/number' },
  watchOverview: { method: 'GET', path: '/admin/api/overview/live' },
} as const;
