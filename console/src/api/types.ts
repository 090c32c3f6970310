/** Declares the types of the admin API. Written by console/generate.ts: change the routes, not this file. */

/** An account of the back office. */
export type Account = {
  /** The ID of the account. */
  readonly id: string;
  /** The sign-in name. */
  readonly name: string;
  readonly role: Role;
  /** `disabled`: it cannot sign in. */
  readonly status: 'active' | 'disabled';
  /** Whether a password is set. */
  readonly password: boolean;
  /** Whether an authenticator app is set up. */
  readonly totp: boolean;
  /** How many passkeys it has. */
  readonly passkeys: number;
  /** When it was created. */
  readonly created_at: string;
  /** The last sign-in; null if never. */
  readonly signed_in_at: string | null;
};

/** An account with its setup link. */
export type AccountSetup = {
  readonly account: Account;
  /** The token of the setup link, `/console/setup#` plus the token. It is shown only in this response. */
  readonly setup_token: string;
  /** When the link expires. */
  readonly setup_until: string;
};

/** A new UUID for this action. A retry with the same key does not repeat it. */
export type ActionKey = string;

/** An alarm was raised or resolved. */
export type Alarm = {
  /** The kind. */
  readonly kind:
    | 'operator_down'
    | 'failures'
    | 'review'
    | 'low_balance'
    | 'credit_used_up'
    | 'float_approaching'
    | 'float_low'
    | 'float_empty'
    | 'margin_below_zero';
  /** The ID of the operator, supplier or client; null if there is only one. */
  readonly subject: string | null;
  /** Its name. */
  readonly name: {
    /** In English. */
    readonly en: string;
    /** In Persian. */
    readonly fa: string;
  } | null;
  /** How many purchases. */
  readonly count: number | null;
  /** What a client can spend. */
  readonly available: number | null;
  /** The threshold of that. */
  readonly below: number | null;
  /** What happened. */
  readonly state: 'raised' | 'resolved';
  /** When. */
  readonly at: string;
};

/** A channel, and whether it works. */
export type AlarmChannel = {
  /** The channel. */
  readonly channel: 'webhook' | 'mail';
  /** Whether messages are sent to it. */
  readonly configured: boolean;
  /** By its real attempts; test messages do not count. */
  readonly health: 'working' | 'failing' | 'untried';
  /** Since when it is failing; null unless it is. */
  readonly failing_since: string | null;
  /** When a message was last sent; null if never. */
  readonly last_attempt_at: string | null;
  /** What was answered then: a status of HTTP or of SMTP. Null if nothing was. */
  readonly last_status: number | null;
  /** Why there was no answer then. */
  readonly last_failure:
    | 'address_not_public'
    | 'name_unknown'
    | 'answer_too_long'
    | 'connect_timeout'
    | 'connection_refused'
    | 'connection_broken'
    | 'not_secure'
    | 'secret_unreadable'
    | 'gateway_stopped'
    | 'request_failed'
    | 'no_answer_within'
    | null;
  /** Whether a message waits to be sent. */
  readonly waiting: boolean;
};

/** A new signing secret. */
export type AlarmSecret = {
  /** It is shown only in this response. */
  readonly webhook_secret: string;
};

/** The settings of alarms. */
export type AlarmSettings = {
  /** Which alarms are sent. `operator_down`: an operator or supplier is down. `failures`: many purchases fail. `review`: purchases need review. `low_balance`: a client has less than `low_balance_below` of the settings. */
  readonly kinds: readonly (
    | 'operator_down'
    | 'failures'
    | 'review'
    | 'low_balance'
    | 'credit_used_up'
    | 'float_approaching'
    | 'float_low'
    | 'float_empty'
    | 'margin_below_zero'
  )[];
  /** From how many purchases in review an alarm is raised. */
  readonly review_at_least: number;
  /** The least time between two messages. Changes in between share the next message. */
  readonly pause_minutes: number;
  /** Where alarms are sent by webhook; null: nowhere. */
  readonly webhook_url: string | null;
  /** The mail server; null: no mails are sent. */
  readonly mail: {
    /** The host name or address of the mail server. */
    readonly host: string;
    /** Its port: 465, 587 or 25. */
    readonly port: number;
    /** `tls`: encrypted from the first byte. `starttls`: encrypted before anything is sent. `none`: only within `alarms.allowedNetworks`. */
    readonly security: 'tls' | 'starttls' | 'none';
    /** The user name; empty if the server requires none. */
    readonly user: string;
    /** The sender. */
    readonly from: string;
    /** The recipients. */
    readonly to: readonly string[];
    /** The language of the mails. */
    readonly language: 'en' | 'fa';
    /** Whether there is one. */
    readonly has_password: boolean;
  } | null;
};

/** What came of a test message. */
export type AlarmTest = {
  /** The channel. */
  readonly channel: 'webhook' | 'mail';
  /** Whether it was accepted. */
  readonly delivered: boolean;
  /** What was answered: a status of HTTP or of SMTP. Null if nothing was. */
  readonly status: number | null;
  /** Why there was no answer. */
  readonly failure:
    | 'address_not_public'
    | 'name_unknown'
    | 'answer_too_long'
    | 'connect_timeout'
    | 'connection_refused'
    | 'connection_broken'
    | 'not_secure'
    | 'secret_unreadable'
    | 'gateway_stopped'
    | 'request_failed'
    | 'no_answer_within'
    | null;
};

/** What came of the test messages. */
export type AlarmTests = {
  /** One for each configured channel. */
  readonly data: readonly AlarmTest[];
};

/** Alarms, and the channels that tell people. */
export type Alarms = {
  /** When they were read. */
  readonly at: string;
  /** The raised alarms, the oldest first. */
  readonly data: readonly Alarm[];
  /** The last 50 changes, the newest first. Older than 90 days are deleted. */
  readonly changes: readonly Alarm[];
  /** The channels. */
  readonly channels: readonly AlarmChannel[];
};

/** Something to act on. */
export type Alert = {
  /** What the alert is about: the same until it ends. */
  readonly id: string;
  /** `review`: purchases need review. `operator_down` and `operator_suspended`: an operator gets no new orders. `failures`: many purchases of an operator fail. `float_approaching`, `float_low` and `float_empty`: what lies at a supplier lasts less than 24 or 6 hours, or is used up. `margin_below_zero`: deliveries of this hour and the last cost more than was charged. These four need the right `cost`. `credit_used_up` and `credit_nearly_used_up`: clients use all of their credit limit, or at least 90 percent. `low_balances`: clients can spend less than `low_balance_below`. */
  readonly kind:
    | 'operator_down'
    | 'float_empty'
    | 'failures'
    | 'float_low'
    | 'margin_below_zero'
    | 'review'
    | 'operator_suspended'
    | 'float_approaching'
    | 'credit_used_up'
    | 'credit_nearly_used_up'
    | 'low_balances';
  /** How many purchases or clients, or for how many hours a float lasts; otherwise null. */
  readonly count: number | null;
  /** Since when; for `review`, when the newest of them began. Null if that is not known. */
  readonly since: string | null;
  /** The operator; null for other kinds. */
  readonly operator: {
    /** The ID of the operator. */
    readonly id: number;
    /** The name that people read. */
    readonly names: {
      /** In English. */
      readonly en: string;
      /** In Persian. */
      readonly fa: string;
    };
  } | null;
  /** The client with the least to spend; null for other kinds. */
  readonly client: {
    /** The ID of the client. */
    readonly id: string;
    /** The name of the client. */
    readonly name: string;
  } | null;
};

/** What someone should act on now. */
export type Alerts = {
  /** When they were read. */
  readonly at: string;
  /** The alerts, the most urgent first. */
  readonly data: readonly Alert[];
};

/** The price list of a client. */
export type AssignedPriceList = {
  /** The ID of the list. */
  readonly price_list_id: number;
  /** Its name. */
  readonly price_list: string;
};

/** An entry of the audit log. */
export type AuditEntry = {
  /** The ID of the entry. */
  readonly id: string;
  /** When it happened. */
  readonly at: string;
  /** The ID of the account; null for a command or an anonymous caller. */
  readonly account_id: string | null;
  /** The name of the account, or the command. */
  readonly actor: string;
  /** The action. */
  readonly action: string;
  /** The ID of the object that was changed. */
  readonly subject: string;
  /** The current name of that client or account; null for others. */
  readonly subject_name: string | null;
  /** The values before. */
  readonly before: Readonly<Record<string, unknown>>;
  /** The values after. */
  readonly after: Readonly<Record<string, unknown>>;
  /** The IP address; null for a command. */
  readonly address: string | null;
};

/** The balance at the start of the period. */
export type Balance = {
  /** Its own money; below zero on credit. */
  readonly available: number;
  /** What is held for purchases in progress. */
  readonly held: number;
  /** `available` plus `held`. */
  readonly balance: number;
};

/** An entry and the balance after it. */
export type BalanceChange = {
  /** The entry. */
  readonly posting: {
    /** The number of the entry. */
    readonly seq: number;
    /** The kind of entry. */
    readonly kind: 'deposit' | 'correction';
    /** The amount. */
    readonly amount: number;
    /** When it was posted. */
    readonly at: string;
    /** Its own money after it; below zero on credit. */
    readonly available_after: number;
  };
  /** What the client can spend, with its credit. */
  readonly available: number;
  /** What is held for purchases in progress. */
  readonly held: number;
};

/** A month that has ended. */
export type BilledMonth = {
  /** The month, such as `2026-01` or `1404-11`. */
  readonly month: string;
  /** The calendar of the month. */
  readonly calendar: 'gregorian' | 'persian';
  /** When the month begins. */
  readonly begins_at: string;
  /** When the next month begins. */
  readonly ends_at: string;
};

/** The result of a change. */
export type CatalogueChange = {
  /** How many products were changed. */
  readonly changed: number;
  /** The version of the catalogue, which changes with every update. */
  readonly version: string;
};

/** A category of a product. */
export type Category = {
  /** Category identifier. */
  readonly id: number;
  /** Category name. */
  readonly name: string;
  /** A JSON-encoded array of sub-categories: objects with `id` (integer), `text` (string) and `parent` (integer, 0 for the top level). */
  readonly data: string;
  /** When the category was created. */
  readonly created_at: string | null;
  /** When it was last updated. */
  readonly updated_at: string | null;
  /** The link between product and category. */
  readonly pivot: {
    /** Always `Product`. */
    readonly categorizable_type: 'Product';
    /** The ID of the product. */
    readonly categorizable_id: number;
    /** The ID of the category. */
    readonly category_id: number;
    /** The sub-category of the product. */
    readonly address: string;
  };
};

/** A category by ID and name. */
export type CategoryName = {
  /** The ID of the category. */
  readonly id: number;
  /** The name of the category. */
  readonly name: string;
};

/** The settings, and a new secret if there is one. */
export type ChangedAlarmSettings = {
  readonly settings: AlarmSettings;
  /** A new signing secret of the webhook. It is shown only in this response; null if it is not new. */
  readonly webhook_secret: string | null;
};

/** A client and its balance. */
export type Client = {
  /** The ID of the client. */
  readonly id: string;
  /** The name of the client. It need not be unique. */
  readonly name: string;
  /** `suspended`: all its requests are refused. */
  readonly status: 'active' | 'suspended';
  /** What it can spend, with its credit. */
  readonly available: number;
  /** What is held for purchases in progress. */
  readonly held: number;
  /** How far beyond its own money it can buy. */
  readonly credit_limit: number;
  /** How much credit it uses: more than a lowered limit. */
  readonly credit_used: number;
  /** When it was created. */
  readonly created_at: string;
  /** Whether its balance is low. */
  readonly low: boolean;
  /** Whether it is a test client. */
  readonly test: boolean;
};

/** Whom to contact at a client, and who is billed. */
export type ClientContact = {
  /** Whom to ask for. Empty if it is not known. */
  readonly name: string;
  /** The e-mail address. Empty if it is not known. */
  readonly email: string;
  /** The phone number, as people write it. Empty if it is not known. */
  readonly phone: string;
  /** Anything else, such as the contract. Empty if it is not known. */
  readonly about: string;
  /** The name on invoices, if it is not that of the client. Empty if it is not known. */
  readonly legal_name: string;
  /** The number for taxes, on invoices. Empty if it is not known. */
  readonly tax_number: string;
  /** The address on invoices. Empty if it is not known. */
  readonly address: string;
};

/** A client with its rules and tokens. */
export type ClientDetail = {
  /** The ID of the client. */
  readonly id: string;
  /** The name of the client. It need not be unique. */
  readonly name: string;
  /** `suspended`: all its requests are refused. */
  readonly status: 'active' | 'suspended';
  /** What it can spend, with its credit. */
  readonly available: number;
  /** What is held for purchases in progress. */
  readonly held: number;
  /** How far beyond its own money it can buy. */
  readonly credit_limit: number;
  /** How much credit it uses: more than a lowered limit. */
  readonly credit_used: number;
  /** When it was created. */
  readonly created_at: string;
  /** Whether its balance is low. */
  readonly low: boolean;
  /** Whether it is a test client. */
  readonly test: boolean;
  readonly rules: ClientRules;
  /** The version of the rules. Send it when you change them. */
  readonly rules_version: string;
  /** Its spending today. */
  readonly day: {
    /** What it has spent this business day. */
    readonly spent: number;
    /** The daily limit; null for none. */
    readonly limit: number | null;
  };
  /** Its tokens, oldest first. */
  readonly tokens: readonly Token[];
};

/** A note about a client. Notes are never changed. */
export type ClientNote = {
  /** The ID of the note. */
  readonly id: string;
  /** When it was written. */
  readonly at: string;
  /** The name of the account that wrote it. */
  readonly author: string;
  /** The note. */
  readonly note: string;
};

/** Its limits and purchase rules. */
export type ClientRules = {
  /** The IDs of the products it can buy; null for all. */
  readonly products: readonly number[] | null;
  /** The IDs of the operators whose products it can buy; null for all. */
  readonly operators: readonly number[] | null;
  /** For how many seconds an equal purchase for the same number is refused as a likely duplicate; null for never. */
  readonly repeat_seconds: number | null;
  /** The limit per business day; null for none. */
  readonly daily_limit: number | null;
  /** The HTTP status of a pending purchase. */
  readonly pending_status: 202 | 409;
};

/** What every page shows. */
export type Company = {
  /** The name at the top of every page. */
  readonly name: string;
  /** The currency of all amounts; null if none is set. */
  readonly currency: Currency | null;
  /** The business time zone, as an IANA name: of displayed times, of daily limits and of days in charts. */
  readonly time_zone: string;
};

/** A connector that the operator can have. */
export type Connector = {
  /** The name of the connector. */
  readonly name: string;
  /** Its settings, in order. */
  readonly schema: readonly SettingField[];
  /** Whether it delivers nothing. */
  readonly simulator: boolean;
};

/** Settings of the console. */
export type ConsoleSettings = {
  /** The name at the top of every page. */
  readonly company_name: string;
  /** A client that can spend less than this is shown as low. */
  readonly low_balance_below: number;
  /** The currency of all amounts; null if none is set. */
  readonly currency: Currency | null;
  /** The business time zone, as an IANA name: of displayed times, of daily limits and of days in charts. */
  readonly time_zone: string;
  readonly invoices: InvoiceSettings;
  /** When the time zone was last changed; null if never. */
  readonly time_zone_since: string | null;
};

/** A change or use of your credentials. */
export type CredentialNotice = {
  /** The ID, which is also the ID of the audit log entry. */
  readonly id: string;
  /** When it happened. */
  readonly at: string;
  /** The action. */
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
  /** Who did it. */
  readonly actor: string;
  /** The IP address; null for a command. */
  readonly address: string | null;
  /** Whether you have confirmed it. */
  readonly seen: boolean;
};

/** The credit of a client. */
export type Credit = {
  /** What the client can spend, with its credit. */
  readonly available: number;
  /** How far beyond its own money it can buy. */
  readonly credit_limit: number;
  /** How much credit it uses: more than a lowered limit. */
  readonly credit_used: number;
};

/** Corrects an invoice. */
export type CreditNote = {
  /** The number: all credit notes are numbered from 1 without gaps. */
  readonly number: number;
  /** What it gives back. */
  readonly amount: number;
  /** The tax that the amount includes. */
  readonly tax: number;
  /** Why. */
  readonly reason: string;
  /** When it was made. */
  readonly created_at: string;
  /** The number of its entry in the statement. */
  readonly seq: number;
};

/** A currency. Amounts are whole units of it. */
export type Currency = {
  /** The code: as in ISO 4217, or a company’s own such as `IRT` for toman. */
  readonly code: string;
  /** The name in each language. */
  readonly names: {
    /** In English. */
    readonly en: string;
    /** In Persian. */
    readonly fa: string;
  };
  /** How each language writes it. */
  readonly written: {
    /** In English. */
    readonly en: {
      /** What is written beside an amount: a symbol, the code or the name. */
      readonly symbol: string;
      /** Before or after the amount. */
      readonly position: 'before' | 'after';
    };
    /** In Persian. */
    readonly fa: {
      /** What is written beside an amount: a symbol, the code or the name. */
      readonly symbol: string;
      /** Before or after the amount. */
      readonly position: 'before' | 'after';
    };
  };
};

/** The body of every error. */
export type Error = {
  /** What happened and what to do, for a person to read. */
  readonly message: string;
  /** The error code. Base your program on it, not on `message`. */
  readonly code: string;
  /** The invalid fields, each with a list of messages. */
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  /** The ID of the request, as in the log. */
  readonly request_id: string;
};

/** What a client pays, and why. */
export type ExplainedPrice = {
  /** The price. */
  readonly price: number;
  /** The cost of the route that is taken; null if not known. */
  readonly cost: number | null;
  /** What the client gets of the price. */
  readonly commission: number;
  /** What the client pays. */
  readonly charged_amount: number;
  /** The lists of the client, its own first, with what fits. */
  readonly steps: readonly {
    /** The list that is looked at. */
    readonly price_list_id: number;
    /** Its name. */
    readonly price_list: string;
    /** Its version in force; null before the first. */
    readonly version: number | null;
    /** An entry that fits; null if none does. */
    readonly entry: PriceEntry | null;
    /** `decides`; `less_specific`: a narrower entry of the list decides; `parent`: a list before it decides; `nothing` fits. */
    readonly code: 'decides' | 'less_specific' | 'parent' | 'nothing';
  }[];
};

/** A route that fits, and what becomes of it. */
export type ExplainedRoute = {
  readonly route: Route;
  /** 1 for the one that is taken; null if it is passed over. */
  readonly place: number | null;
  /** Why it is passed over; null if it is not. */
  readonly code:
    | 'off'
    | 'not_valid_now'
    | 'out_of_hours'
    | 'tried_before'
    | 'same_group'
    | 'unknown_here'
    | 'suspended'
    | 'breaker_open'
    | 'no_float'
    | 'full'
    | 'dearer'
    | 'route_closed'
    | 'same_supplier'
    | null;
  /** The part of such purchases that takes it, from 0 to 1; null unless it has the best priority. */
  readonly share: number | null;
  /** What it costs at this price; null if not known. */
  readonly cost: number | null;
};

/** A recorded fact: a code and its values. */
export type Fact = {
  /** The code of the fact. */
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
    | 'sent_again'
    | 'refused_again'
    | 'resend_over'
    | 'operator_unreachable'
    | 'operator_removed'
    | 'moved_on'
    | 'left_delivered'
    | 'left_reversed'
    | 'may_be_elsewhere'
    | 'reported_delivered'
    | 'reported_reversed'
    | 'called_back'
    | 'called_back_delivered'
    | 'called_back_reversed'
    | 'called_back_refused'
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
    | 'no_inquiries'
    | 'operator_in_process'
    | 'operator_settings_unreadable'
    | 'unresolved'
    | 'now_no_answer';
  /** The values of the code, with mobile numbers masked. */
  readonly values: Readonly<Record<string, unknown>>;
};

/** The simulated faults. */
export type Faults = {
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

/** What lies at a supplier. */
export type Float = {
  /** The ID of the operator or supplier. */
  readonly supplier_id: number;
  /** The name that people read. */
  readonly names: {
    /** In English. */
    readonly en: string;
    /** In Persian. */
    readonly fa: string;
  };
  /** How long it lasts: `approaching` below 24 hours, `low` below 6, `empty` if nothing is free. Null without any entry: then it is not watched. */
  readonly level: 'enough' | 'approaching' | 'low' | 'empty' | null;
  /** What lies there by our books: entries less what its deliveries cost. */
  readonly held: number;
  /** What orders without an end would cost. */
  readonly in_flight: number;
  /** What lies there less what is in flight. */
  readonly free: number;
  /** What an hour costs, by the last six. */
  readonly per_hour: number;
  /** For how many hours it lasts; null while nothing is sold. */
  readonly cover_hours: number | null;
  /** What the supplier said of its own book; null if it says nothing. */
  readonly balance: number | null;
  /** When it said so. */
  readonly balance_at: string | null;
  /** How far that is from our books; 0 within what was in flight. */
  readonly drift: number | null;
};

/** A top-up at a supplier, or a correction of its float. */
export type FloatEntry = {
  /** Its number among those of the supplier, without gaps. */
  readonly number: number;
  /** When it was recorded. */
  readonly at: string;
  /** Money that was sent, or a correction. */
  readonly kind: 'top_up' | 'correction';
  /** What was added; negative if it was subtracted. */
  readonly amount: number;
  /** The reference of the transfer; empty if there is none. */
  readonly reference: string;
  /** The reason. */
  readonly reason: string;
  /** Who recorded it. */
  readonly by: string;
};

/** A float, and a page of its entries. */
export type FloatPage = {
  readonly float: Float;
  /** Whether the balances that it says after deliveries follow our costs: `none` if it says none, `broken` if they did not within the last day. */
  readonly chain: 'none' | 'followed' | 'broken';
  /** What is missing in our books, the smallest first. */
  readonly gaps: readonly Gap[];
  /** What people recorded, newest first. */
  readonly data: readonly FloatEntry[];
  /** Send it as `before` for the next page; null on the last one. */
  readonly next: string | null;
};

/** Two deliveries between which a booking is missing. */
export type Gap = {
  /** Negative if money left the supplier. */
  readonly missing: number;
  /** The purchase before the gap. */
  readonly after: string;
  /** When its delivery was booked. */
  readonly at: string;
  /** The purchase after the gap. */
  readonly before: string;
};

/** What a client bought in a month. */
export type Invoice = {
  /** The number: all invoices are numbered from 1 without gaps. */
  readonly number: number;
  /** The client. */
  readonly client: {
    /** The ID of the client. */
    readonly id: string;
    /** Its name as it was then. */
    readonly name: string;
  };
  /** The month, such as `2026-01` or `1404-11`. */
  readonly month: string;
  /** The calendar of the month. */
  readonly calendar: 'gregorian' | 'persian';
  /** When the month begins. */
  readonly begins_at: string;
  /** When the next month begins. */
  readonly ends_at: string;
  /** When it was made. */
  readonly created_at: string;
  /** How many purchases succeeded. */
  readonly sold: number;
  /** Their prices, added up. */
  readonly price: number;
  /** What the client got of these. */
  readonly commission: number;
  /** What they charged. */
  readonly charged: number;
  /** How many purchases were reversed. */
  readonly reversed: number;
  /** What these gave back. */
  readonly reversed_amount: number;
  /** `charged` less `reversed_amount`; below zero if more was reversed than sold. */
  readonly total: number;
  /** The tax in percent; `0` for none. */
  readonly tax_percent: string;
  /** The tax that `total` includes. */
  readonly tax: number;
  /** What credit notes have given back. */
  readonly credited: number;
  /** The currency of all amounts; null if none is set. */
  readonly currency: Currency | null;
};

/** What was bought of a product. */
export type InvoiceLine = {
  /** The product. */
  readonly product: {
    /** The ID of the product; 0 if it is not known. */
    readonly id: number;
    /** Its name as it was then; null if it is not known. */
    readonly name: string | null;
    /** The name in Latin script; null if there is none. */
    readonly name_en: string | null;
  };
  /** How many purchases succeeded. */
  readonly sold: number;
  /** Their prices, added up. */
  readonly price: number;
  /** What the client got of these. */
  readonly commission: number;
  /** What they charged. */
  readonly charged: number;
  /** How many purchases were reversed. */
  readonly reversed: number;
  /** What these gave back. */
  readonly reversed_amount: number;
  /** `charged` less `reversed_amount`; below zero if more was reversed than sold. */
  readonly total: number;
};

/** What invoices say. */
export type InvoiceSettings = {
  /** The seller as it is registered; empty for the name of the company. */
  readonly seller_name: string;
  /** Its number for taxes. */
  readonly seller_number: string;
  /** Its address. */
  readonly seller_address: string;
  /** The tax that charged amounts include, in percent; `0` for none. */
  readonly tax_percent: string;
  /** Whose months are billed. */
  readonly calendar: 'gregorian' | 'persian';
};

/** An invoice with its lines and credit notes. */
export type InvoiceWithLines = {
  /** The number: all invoices are numbered from 1 without gaps. */
  readonly number: number;
  /** The client. */
  readonly client: {
    /** The ID of the client. */
    readonly id: string;
    /** Its name as it was then. */
    readonly name: string;
  };
  /** The month, such as `2026-01` or `1404-11`. */
  readonly month: string;
  /** The calendar of the month. */
  readonly calendar: 'gregorian' | 'persian';
  /** When the month begins. */
  readonly begins_at: string;
  /** When the next month begins. */
  readonly ends_at: string;
  /** When it was made. */
  readonly created_at: string;
  /** How many purchases succeeded. */
  readonly sold: number;
  /** Their prices, added up. */
  readonly price: number;
  /** What the client got of these. */
  readonly commission: number;
  /** What they charged. */
  readonly charged: number;
  /** How many purchases were reversed. */
  readonly reversed: number;
  /** What these gave back. */
  readonly reversed_amount: number;
  /** `charged` less `reversed_amount`; below zero if more was reversed than sold. */
  readonly total: number;
  /** The tax in percent; `0` for none. */
  readonly tax_percent: string;
  /** The tax that `total` includes. */
  readonly tax: number;
  /** What credit notes have given back. */
  readonly credited: number;
  /** The currency of all amounts; null if none is set. */
  readonly currency: Currency | null;
  /** The number of the last entry before it. */
  readonly after_seq: number;
  /** The number of its last entry. */
  readonly through_seq: number;
  /** The time zone of the month. */
  readonly time_zone: string;
  /** Who sold, as it was then. */
  readonly seller: {
    /** The name. */
    readonly name: string;
    /** The number for taxes. */
    readonly number: string;
    /** The address. */
    readonly address: string;
  };
  /** Who bought, as it was then. Number and address may be empty, and mobile numbers are masked for roles that cannot see them. */
  readonly buyer: {
    /** The name. */
    readonly name: string;
    /** The number for taxes. */
    readonly number: string;
    /** The address. */
    readonly address: string;
  };
  /** By product. */
  readonly lines: readonly InvoiceLine[];
  /** Its credit notes. */
  readonly credit_notes: readonly CreditNote[];
  /** What credit notes can still give back. */
  readonly creditable: number;
};

/** A price that is not reverted. */
export type KeptPrice = {
  /** The ID of the product. */
  readonly product_id: number;
  /** The price field. */
  readonly field: 'price' | 'second_price' | 'showable_price';
  /** The price before the change. Null for none. */
  readonly before: number | null;
  /** The price after the change. Null for none. */
  readonly after: number | null;
  /** Why it stays as it is. */
  readonly code: 'changed_since' | 'removed' | 'wrong_range';
};

/** Your account and session. */
export type Me = {
  readonly account: Account;
  /** The rights of your role. */
  readonly rights: readonly (
    | 'read'
    | 'resolve'
    | 'unmask'
    | 'routes_read'
    | 'prices_read'
    | 'cost'
    | 'catalogue'
    | 'routes'
    | 'prices'
    | 'clients'
    | 'money'
    | 'credit'
    | 'float'
    | 'audit'
    | 'accounts'
    | 'settings'
  )[];
  /** When the session ends if it is not used. */
  readonly session_ends_at: string;
  /** Whether you must set up two-factor authentication first. */
  readonly second_factor_required: boolean;
  /** How many recovery codes are left. */
  readonly recovery_codes: number;
};

/** What the decision does to the money. */
export type MoneyEffect = {
  /** What happens to the held amount. */
  readonly code: 'unchanged' | 'released' | 'charged' | 'charged_and_refunded';
  /** The held amount. */
  readonly amount: number;
};

/** An operator and its status. */
export type Operator = {
  /** The ID of the operator or supplier. */
  readonly id: number;
  /** Clients do not see suppliers. */
  readonly kind: 'operator' | 'supplier';
  /** Where it is defined: in the configuration file, or as a supplier in the console. */
  readonly defined_in: 'file' | 'console';
  /** The name in paths. */
  readonly name: string;
  /** The name that people read. */
  readonly names: {
    /** In English. */
    readonly en: string;
    /** In Persian. */
    readonly fa: string;
  };
  /** Its group: a purchase is ordered from one of a group only. */
  readonly group: string | null;
  /** The connector; empty if it has none, and is not for sale. */
  readonly connector: string;
  /** The health that this process sees. `unconnected`: it has no connector. */
  readonly health: 'up' | 'degraded' | 'down' | 'suspended' | 'unconnected';
  /** The circuit breaker. `open`: it gets no new orders. `trying`: it gets a few. */
  readonly breaker: 'closed' | 'trying' | 'open';
  /** Since when; null if since the start. */
  readonly since: string | null;
  /** Requests in flight in this process. */
  readonly under_way: number;
  /** The suspension; null if it is not suspended. */
  readonly suspended: {
    /** When it was suspended. */
    readonly at: string;
    /** `simgate` if its settings are unusable. */
    readonly by: string;
    /** The reason. */
    readonly reason: string;
  } | null;
  /** What the operator supports. */
  readonly can: {
    /** Whether it lists personal offers. */
    readonly offers: boolean;
    /** Whether it looks up subscribers. */
    readonly subscriber: boolean;
    /** Whether it reports purchases that it reversed. */
    readonly reports: boolean;
  };
  /** Where the settings in use come from. */
  readonly settings_from: 'file' | 'console';
  /** Why the current settings are unusable; then the operator is unavailable and the last working settings are shown. Otherwise null. */
  readonly settings_problem: string | null;
  /** Whether it is simulated in this process. */
  readonly simulator: boolean;
  /** How many routes lead to it, besides the implicit one. */
  readonly routes: number;
  /** How many routes to it are closed in this process because their orders failed. */
  readonly routes_closed: number;
  /** How often it delivered what it had denied, or twice. If any, no purchase moves on from it. */
  readonly broken_promises: number;
};

/** An operator with its settings. */
export type OperatorDetail = {
  /** The ID of the operator or supplier. */
  readonly id: number;
  /** Clients do not see suppliers. */
  readonly kind: 'operator' | 'supplier';
  /** Where it is defined: in the configuration file, or as a supplier in the console. */
  readonly defined_in: 'file' | 'console';
  /** The name in paths. */
  readonly name: string;
  /** The name that people read. */
  readonly names: {
    /** In English. */
    readonly en: string;
    /** In Persian. */
    readonly fa: string;
  };
  /** Its group: a purchase is ordered from one of a group only. */
  readonly group: string | null;
  /** The connector; empty if it has none, and is not for sale. */
  readonly connector: string;
  /** The health that this process sees. `unconnected`: it has no connector. */
  readonly health: 'up' | 'degraded' | 'down' | 'suspended' | 'unconnected';
  /** The circuit breaker. `open`: it gets no new orders. `trying`: it gets a few. */
  readonly breaker: 'closed' | 'trying' | 'open';
  /** Since when; null if since the start. */
  readonly since: string | null;
  /** Requests in flight in this process. */
  readonly under_way: number;
  /** The suspension; null if it is not suspended. */
  readonly suspended: {
    /** When it was suspended. */
    readonly at: string;
    /** `simgate` if its settings are unusable. */
    readonly by: string;
    /** The reason. */
    readonly reason: string;
  } | null;
  /** What the operator supports. */
  readonly can: {
    /** Whether it lists personal offers. */
    readonly offers: boolean;
    /** Whether it looks up subscribers. */
    readonly subscriber: boolean;
    /** Whether it reports purchases that it reversed. */
    readonly reports: boolean;
  };
  /** Where the settings in use come from. */
  readonly settings_from: 'file' | 'console';
  /** Why the current settings are unusable; then the operator is unavailable and the last working settings are shown. Otherwise null. */
  readonly settings_problem: string | null;
  /** Whether it is simulated in this process. */
  readonly simulator: boolean;
  /** How many routes lead to it, besides the implicit one. */
  readonly routes: number;
  /** How many routes to it are closed in this process because their orders failed. */
  readonly routes_closed: number;
  /** How often it delivered what it had denied, or twice. If any, no purchase moves on from it. */
  readonly broken_promises: number;
  /** The settings of the connector, in order. */
  readonly schema: readonly SettingField[];
  /** The values in use; secrets are `***`. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The version of the settings. Send it when you change them. */
  readonly version: string;
  /** What the connector guarantees. */
  readonly promises: {
    /** The timeout of a request. */
    readonly deadline_ms: number;
    /** How long an order can still appear after the timeout, in milliseconds; null if unknown. */
    readonly settles_within_ms: number | null;
    /** Whether it recognises a repeated order by its reference. */
    readonly deduplicates: boolean;
    /** The maximum number of concurrent requests; null if unlimited. */
    readonly at_once: number | null;
  };
  /** The simulated faults; null if the operator is not simulated. */
  readonly faults: Faults | null;
};

/** An operator with its status and figures. */
export type OperatorFigures = {
  /** The ID of the operator. */
  readonly id: number;
  /** The name of the operator. */
  readonly name: string;
  /** The name that people read. */
  readonly names: {
    /** In English. */
    readonly en: string;
    /** In Persian. */
    readonly fa: string;
  };
  /** The health that this process sees. `degraded`: it is recovering and gets a few purchases. `suspended`: new purchases were stopped in the back office. */
  readonly health: 'up' | 'degraded' | 'down' | 'suspended';
  /** Since when; null if since the start. */
  readonly since: string | null;
  /** Purchases begun in the last 60 seconds, approximately. */
  readonly per_minute: number;
  /** Share of orders that succeeded in the period, from 0 to 1; null if there were none. */
  readonly success_rate: number | null;
  /** Operator response time in milliseconds, p50, accurate to 5 %; null if there were no orders. */
  readonly p50: number | null;
  /** Operator response time in milliseconds, p95, accurate to 5 %; null if there were no orders. */
  readonly p95: number | null;
  /** Operator response time in milliseconds, p99, accurate to 5 %; null if there were no orders. */
  readonly p99: number | null;
  /** Requests in flight in this process. */
  readonly under_way: number;
  /** Purchases by interval, oldest first. */
  readonly points: readonly OperatorPoint[];
};

/** Purchases of an operator in one interval. */
export type OperatorPoint = {
  /** When the interval begins. */
  readonly at: string;
  /** Purchases begun, without refused ones. */
  readonly begun: number;
  /** Purchases that succeeded. */
  readonly succeeded: number;
  /** Purchases that failed. */
  readonly failed: number;
};

/** Figures of the gateway. */
export type Overview = {
  /** When the figures were read. */
  readonly at: string;
  /** The period. */
  readonly span: 'today' | 'yesterday' | 'last_7_days' | 'last_30_days';
  /** The hours of one business day, or business days, oldest first. The present interval is not over yet. */
  readonly points: readonly OverviewPoint[];
  /** Current figures; they do not depend on the period. */
  readonly now: {
    /** Purchases begun in the last 60 seconds, approximately. */
    readonly per_minute: number;
    /** Share of orders that succeeded in the last five minutes, from 0 to 1; null if there were none. */
    readonly success_rate: number | null;
    /** Operator response time in milliseconds, p50, accurate to 5 %; null if there were no orders. */
    readonly p50: number | null;
    /** Operator response time in milliseconds, p95, accurate to 5 %; null if there were no orders. */
    readonly p95: number | null;
    /** Operator response time in milliseconds, p99, accurate to 5 %; null if there were no orders. */
    readonly p99: number | null;
    /** Purchases whose outcome is pending. */
    readonly pending: number;
    /** Purchases that need review. */
    readonly review: number;
    /** When the oldest pending purchase began; null if there is none. */
    readonly pending_oldest_at: string | null;
    /** When the oldest purchase that needs review began; null if there is none. */
    readonly review_oldest_at: string | null;
  };
  /** All operators. */
  readonly operators: readonly OperatorFigures[];
  /** The ten lowest balances below `low_balance_below`. */
  readonly low_balances: readonly {
    /** The ID of the client. */
    readonly id: string;
    /** The name of the client. */
    readonly name: string;
    /** What it can spend, with its credit. */
    readonly available: number;
  }[];
  /** The sum of all intervals. */
  readonly totals: {
    /** Purchases begun, without refused ones. */
    readonly begun: number;
    /** Purchases that succeeded. */
    readonly succeeded: number;
    /** Purchases that failed. */
    readonly failed: number;
    /** Purchases that were refused. */
    readonly refused: number;
    /** Purchases that the operator reversed. */
    readonly reversed: number;
    /** Total that purchases charged which succeeded. */
    readonly amount: number;
    /** Operator response time in milliseconds, p50, accurate to 5 %; null if there were no orders. */
    readonly p50: number | null;
    /** Operator response time in milliseconds, p95, accurate to 5 %; null if there were no orders. */
    readonly p95: number | null;
    /** Operator response time in milliseconds, p99, accurate to 5 %; null if there were no orders. */
    readonly p99: number | null;
  };
};

/** Purchases in one interval. */
export type OverviewPoint = {
  /** When the interval begins. */
  readonly at: string;
  /** Purchases begun, without refused ones. */
  readonly begun: number;
  /** Purchases that succeeded. */
  readonly succeeded: number;
  /** Purchases that failed. */
  readonly failed: number;
  /** Purchases that were refused. */
  readonly refused: number;
  /** Purchases that the operator reversed. */
  readonly reversed: number;
  /** Total that purchases charged which succeeded. */
  readonly amount: number;
  /** Operator response time in milliseconds, p50, accurate to 5 %; null if there were no orders. */
  readonly p50: number | null;
  /** Operator response time in milliseconds, p95, accurate to 5 %; null if there were no orders. */
  readonly p95: number | null;
  /** Operator response time in milliseconds, p99, accurate to 5 %; null if there were no orders. */
  readonly p99: number | null;
};

/** A passkey of an account. */
export type Passkey = {
  /** The ID of the passkey. */
  readonly id: string;
  /** The name that you gave it. */
  readonly name: string;
  /** The host on which it works. */
  readonly host: string;
  /** Whether it works on the host of this request. */
  readonly usable: boolean;
  /** When it was added. */
  readonly created_at: string;
  /** When it was last used; null: never. */
  readonly used_at: string | null;
};

/** Options for `navigator.credentials.create()`. */
export type PasskeyCreationOptions = {
  /** Random bytes to sign, in base64url. They work once. */
  readonly challenge: string;
  /** The relying party. */
  readonly rp: {
    /** The domain name. */
    readonly id?: string;
    /** The name that browsers show. */
    readonly name: string;
  };
  /** The account. */
  readonly user: {
    /** The ID of the account, in base64url. */
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
  /** The timeout in milliseconds. */
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
    /** Whether the authenticator asks for a PIN or a fingerprint. */
    readonly userVerification?: string;
  };
};

/** Options for `navigator.credentials.get()`. */
export type PasskeyRequestOptions = {
  /** Random bytes to sign, in base64url. They work once. */
  readonly challenge: string;
  /** The domain name. */
  readonly rpId?: string;
  /** The timeout in milliseconds. */
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
  /** Whether the authenticator asks for a PIN or a fingerprint. */
  readonly userVerification?: string;
};

/** The passkeys of an account. */
export type Passkeys = {
  /** The passkeys, oldest first. */
  readonly data: readonly Passkey[];
  /** Whether passkeys can be used on the host of this request: over https on a domain name, or on localhost. */
  readonly available: boolean;
};

/** A change of prices. */
export type PriceChange = {
  /** The ID of the price change. */
  readonly id: string;
  /** When it was made. */
  readonly at: string;
  /** How: `edit` of one product, `import` of a file, `bulk` change, or `revert` of another change. */
  readonly via: 'edit' | 'import' | 'bulk' | 'revert';
  /** The name of the account, or the command. */
  readonly actor: string;
  /** What was requested of a bulk change: `change`, `fields` and `round_to`. */
  readonly asked: Readonly<Record<string, unknown>> | null;
  /** How many products it changed. */
  readonly products: number;
  /** The ID of the change that this one reverts. */
  readonly reverts: string | null;
  /** The ID of the change that reverted it last. */
  readonly reverted_by: string | null;
};

/** The result of a price change. */
export type PriceChangeResult = {
  /** How many products were changed. */
  readonly changed: number;
  /** The version of the catalogue, which changes with every update. */
  readonly version: string;
  /** The ID of the price change, by which it is reverted; null if none. */
  readonly change_id: string | null;
};

/** The commission for some products. */
export type PriceEntry = {
  /** For this product; null for any. The others are null then. */
  readonly product_id: number | null;
  /** For products of this category; null for any. */
  readonly category_id: number | null;
  /** For products of this operator; null for any. */
  readonly operator_id: number | null;
  /** For products of this type; null for any. */
  readonly product_type: 'cell_internet' | 'cell_direct_charge' | 'td_lte_internet' | null;
  /** A percentage of the price such as `4%`, or an amount such as `500`. */
  readonly commission: string;
};

/** The commissions of some clients. */
export type PriceList = {
  /** The ID of the list; 1 is the default list. */
  readonly id: number;
  /** The name of the list. */
  readonly name: string;
  /** The list that applies where this one has no entry; null for none. */
  readonly parent_id: number | null;
  /** Whether its clients may pay less than the supplier costs. */
  readonly allow_below_cost: boolean;
  /** How many clients are in it. */
  readonly clients: number;
  /** Its versions, also those to come. The latest that has begun is in force. */
  readonly versions: readonly PriceListVersion[];
};

/** A new version of a price list. */
export type PriceListChange = {
  /** How many entries are added. */
  readonly added: number;
  /** How many entries are changed. */
  readonly changed: number;
  /** How many entries are removed. */
  readonly removed: number;
  /** How many entries stay as they are. */
  readonly unchanged: number;
  /** The new version; null if the list says that already. */
  readonly number: number | null;
  /** From when it is in force. */
  readonly valid_from: string;
};

/** A price list, with its entries at a time. */
export type PriceListEntries = {
  /** The ID of the list; 1 is the default list. */
  readonly id: number;
  /** The name of the list. */
  readonly name: string;
  /** The list that applies where this one has no entry; null for none. */
  readonly parent_id: number | null;
  /** Whether its clients may pay less than the supplier costs. */
  readonly allow_below_cost: boolean;
  /** How many clients are in it. */
  readonly clients: number;
  /** Its versions, also those to come. The latest that has begun is in force. */
  readonly versions: readonly PriceListVersion[];
  /** The time of the entries that are shown. */
  readonly at: string;
  /** The version in force then; null before the first. */
  readonly version: number | null;
  /** Its entries. */
  readonly entries: readonly PriceEntry[];
};

/** What a new version would do. */
export type PriceListPreview = {
  /** How many entries are added. */
  readonly added: number;
  /** How many entries are changed. */
  readonly changed: number;
  /** How many entries are removed. */
  readonly removed: number;
  /** How many entries stay as they are. */
  readonly unchanged: number;
  /** From when it would be in force. */
  readonly valid_from: string;
  /** The first 500 problems. With any, nothing can be imported. */
  readonly problems: readonly {
    /** The line of the file. */
    readonly line: number;
    /** What is wrong. */
    readonly message: string;
  }[];
  /** The first 500 differences. */
  readonly diff: readonly {
    /** What happens. */
    readonly kind: 'added' | 'changed' | 'removed';
    /** The entry as it is; null for a new one. */
    readonly before: PriceEntry | null;
    /** The entry as it will be; null for a removed one. */
    readonly after: PriceEntry | null;
  }[];
  /** The purchases of the last 30 days by the lists as they will be then. Floors by costs are left out. */
  readonly last_days: {
    /** How many purchases succeeded. */
    readonly sold: number;
    /** Their prices, added up. */
    readonly price: number;
    /** What they would charge without the change. */
    readonly charged_before: number;
    /** What they would charge with it. */
    readonly charged_after: number;
  };
  /** The same by client: the 500 with the largest difference. */
  readonly clients: readonly {
    /** The client. */
    readonly client_id: string;
    /** How many purchases succeeded. */
    readonly sold: number;
    /** Their prices, added up. */
    readonly price: number;
    /** What they would charge without the change. */
    readonly charged_before: number;
    /** What they would charge with it. */
    readonly charged_after: number;
  }[];
  /** The version of all price lists. Send it with the import. */
  readonly version: string;
};

/** What a list says from a time on. */
export type PriceListVersion = {
  /** Counts the versions of the list, from 1. */
  readonly number: number;
  /** From when it is in force. */
  readonly valid_from: string;
  /** When it was written. */
  readonly created_at: string;
  /** How many entries it has. */
  readonly entries: number;
};

/** A preview of a price change. */
export type PricePreview = {
  /** The first 500 prices that would change. */
  readonly data: readonly {
    /** Product identifier. */
    readonly id: number;
    /** Product name. */
    readonly name: string;
    /** Product name in Latin script. */
    readonly name_en: string | null;
    /** The price field. */
    readonly field: 'price' | 'second_price' | 'showable_price';
    /** The current price. */
    readonly before: number;
    /** The new price. */
    readonly after: number;
  }[];
  /** How many products would change. */
  readonly changed: number;
  /** How many products would stay unchanged. */
  readonly unchanged: number;
  /** The first 500 products that cannot be changed. */
  readonly refused: readonly {
    /** The ID of the product. */
    readonly id: number;
    /** Why it cannot be changed. */
    readonly code: 'below_zero' | 'too_large' | 'wrong_range' | 'set_by_operator' | 'not_found';
  }[];
  /** How many products cannot be changed. */
  readonly refused_count: number;
  /** The effect on all prices that would change. */
  readonly summary: {
    /** The sum of the current prices. */
    readonly before: number;
    /** The sum of the new prices. */
    readonly after: number;
    /** How many new prices were rounded. */
    readonly rounded: number;
    /** The effect after rounding; null if all prices were zero. */
    readonly percent: {
      /** The smallest effect on a price, in percent. */
      readonly least: number;
      /** The largest effect on a price, in percent. */
      readonly most: number;
      /** The average effect on the prices, in percent. */
      readonly average: number;
    } | null;
  };
  /** The version of the catalogue, which changes with every update. */
  readonly version: string;
  /** The `digest` of the preview. */
  readonly digest: string;
};

/** Which products: exactly one of `product_ids`, `filter` and `everything`. */
export type PriceScope = {
  /** The IDs of the products. */
  readonly product_ids?: readonly number[];
  /** Products that match all fields. */
  readonly filter?: {
    /** Part of a name, an ID, or part of a SKU. */
    readonly search?: string;
    /** Return only products of this operator. */
    readonly operator_id?: number;
    /** Return only products of this category. */
    readonly category_id?: number;
    /** Return only products of this type. */
    readonly type?: 'cell_internet' | 'cell_direct_charge' | 'td_lte_internet';
    /** Return only products for this SIM type. */
    readonly sim_card_type?: 'credit' | 'permanent';
    /** Whether it is on sale. Disabled products are listed but cannot be bought. */
    readonly on?: boolean;
    /** The lowest price. */
    readonly price_from?: number;
    /** The highest price. */
    readonly price_to?: number;
  };
  /** All products. */
  readonly everything?: true;
};

/** Exactly one of `percent`, `amount` and `price`. */
export type PriceUpdate = {
  /** A percentage such as `5.5`, or `-5.5` to reduce. */
  readonly percent?: string;
  /** An amount to add, or to subtract if negative. */
  readonly amount?: number;
  /** The new price. */
  readonly price?: number;
};

/** A product in a list. */
export type Product = {
  /** Product identifier. */
  readonly id: number;
  /** Product name. */
  readonly name: string;
  /** Product name in Latin script. */
  readonly name_en: string | null;
  /** Operator: 1 to 5, or another one that the gateway has. */
  readonly operator_id: number;
  /** `cell_internet` (data package), `cell_direct_charge` (top-up) or `td_lte_internet` (TD-LTE package, operator 2 only). */
  readonly type: 'cell_internet' | 'cell_direct_charge' | 'td_lte_internet';
  /** `credit` (prepaid SIM) or `permanent` (postpaid SIM). */
  readonly sim_card_type: 'credit' | 'permanent';
  /** Base price in whole currency units. */
  readonly price: number;
  /** If set, you can send any whole price from `price` to `second_price`. */
  readonly second_price: number | null;
  /** A price for display. */
  readonly showable_price: number | null;
  /** 1: on sale. 0: disabled; it is listed but cannot be bought. */
  readonly status: number;
  /** Whether it is on sale. Disabled products are listed but cannot be bought. */
  readonly on: boolean;
  /** Capacity. Null, or any JSON value. */
  readonly capacity: unknown;
  /** Validity in days. */
  readonly period: number | null;
  /** The categories of the product. */
  readonly categories: readonly CategoryName[];
  /** When it was last updated. */
  readonly updated_at: string | null;
};

/** A product with all its fields. */
export type ProductDetail = {
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
  /** Stock keeping unit. */
  readonly sku: string | null;
  /** Base price in whole currency units. */
  readonly price: number;
  /** If set, you can send any whole price from `price` to `second_price`. */
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
  /** 1: on sale. 0: disabled; it is listed but cannot be bought. */
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
  /** Operator: 1 to 5, or another one that the gateway has. */
  readonly operator_id: number;
  /** Present on some products only. It is sent to the operator with each purchase. */
  readonly profile_id?: string;
  /** Sort position. */
  readonly order: number;
  /** When the product was created. */
  readonly created_at: string | null;
  /** When it was last updated. */
  readonly updated_at: string | null;
  /** The categories of the product. */
  readonly categories: readonly Category[];
  /** Whether it is on sale. Disabled products are listed but cannot be bought. */
  readonly on: boolean;
  /** Changes whenever the product does. Send it with your change of the product. */
  readonly revision: string;
};

/** The fields to set. A new product needs `name`, `price`, `type`, `sim_card_type` and `operator_id`. Other fields of an existing product stay as they are. */
export type ProductFields = {
  /** Product name. */
  readonly name?: string;
  /** Product name in Latin script. */
  readonly name_en?: string | null;
  /** Description. */
  readonly description?: string;
  /** Longer description. */
  readonly description_full?: string | null;
  /** Stock keeping unit. */
  readonly sku?: string | null;
  /** Base price in whole currency units. */
  readonly price?: number;
  /** If set, you can send any whole price from `price` to `second_price`. */
  readonly second_price?: number | null;
  /** A price for display. */
  readonly showable_price?: number | null;
  /** `cell_internet` (data package), `cell_direct_charge` (top-up) or `td_lte_internet` (TD-LTE package, operator 2 only). */
  readonly type?: 'cell_internet' | 'cell_direct_charge' | 'td_lte_internet';
  /** Smallest sale. */
  readonly minimum_sale?: number | null;
  /** Dimension of the product. Null, or any JSON value. */
  readonly dimension?: unknown;
  /** Score. */
  readonly score?: number;
  /** 1: on sale. 0: disabled; it is listed but cannot be bought. */
  readonly status?: number;
  /** Options of the product. Null, or any JSON value. */
  readonly options?: unknown;
  /** 0 or 1. */
  readonly deliverable?: number;
  /** Identifier at a third party. Null, or any JSON value. */
  readonly third_party_id?: unknown;
  /** Capacity. Null, or any JSON value. */
  readonly capacity?: unknown;
  /** Validity in days. */
  readonly period?: number | null;
  /** `credit` (prepaid SIM) or `permanent` (postpaid SIM). */
  readonly sim_card_type?: 'credit' | 'permanent';
  /** Operator: 1 to 5, or another one that the gateway has. */
  readonly operator_id?: number;
  /** Sort position. */
  readonly order?: number;
  /** Sent to the operator with each purchase; null for none. */
  readonly profile_id?: string | null;
  /** The categories, by ID. They exist already: an import creates new ones. */
  readonly category_ids?: readonly number[];
};

/** A change of the prices of one product. */
export type ProductPrices = {
  /** The ID of the price change. */
  readonly id: string;
  /** When it was made. */
  readonly at: string;
  /** How: `edit` of one product, `import` of a file, `bulk` change, or `revert` of another change. */
  readonly via: 'edit' | 'import' | 'bulk' | 'revert';
  /** The name of the account, or the command. */
  readonly actor: string;
  /** What was requested of a bulk change: `change`, `fields` and `round_to`. */
  readonly asked: Readonly<Record<string, unknown>> | null;
  /** How many products it changed. */
  readonly products: number;
  /** The ID of the change that this one reverts. */
  readonly reverts: string | null;
  /** The changed prices. */
  readonly prices: readonly {
    /** The price field. */
    readonly field: 'price' | 'second_price' | 'showable_price';
    /** The price before the change. Null for none. */
    readonly before: number | null;
    /** The price after the change. Null for none. */
    readonly after: number | null;
  }[];
};

/** A purchase, with its mobile number masked. */
export type Purchase = {
  /** The ID, which is also the reference sent to the operator. */
  readonly id: string;
  /** When it began. */
  readonly began_at: string;
  /** When it became final; null while it is open. */
  readonly settled_at: string | null;
  /** The state. */
  readonly state:
    | 'refused'
    | 'submitted'
    | 'unknown'
    | 'review'
    | 'succeeded'
    | 'failed'
    | 'reversed';
  /** The client. */
  readonly client: {
    /** The ID of the client. */
    readonly id: string;
    /** The name of the client. */
    readonly name: string;
    /** A test client. */
    readonly test: boolean;
  };
  /** The product. */
  readonly product: {
    /** The ID of the product. */
    readonly id: number;
    /** The name of the product; null if it was removed. */
    readonly name: string | null;
    /** The name in Latin script; null if there is none. */
    readonly name_en: string | null;
  };
  /** The ID of the operator; null if the product is unknown. */
  readonly operator_id: number | null;
  /** The mobile number, masked. */
  readonly mobile: string;
  /** The price. */
  readonly amount: number;
  /** The price less the commission; null if it was refused. */
  readonly charged_amount: number | null;
  /** The client’s tracking code. */
  readonly webservice_code: string;
  /** The idempotency key. */
  readonly idempotency_key: string;
  /** Why it was refused, failed or is unknown; otherwise null. */
  readonly reason: Fact | null;
  /** What contradicts its recorded outcome; then it needs review. Otherwise null. */
  readonly disputed: Fact | null;
  /** The HTTP status of the recorded response; null if there is none. */
  readonly answer_status: number | null;
};

/** What a purchase costs, and the margin. */
export type PurchaseCost = {
  /** What it costs by the rule of its route; null if that is not known. */
  readonly by_rule: number | null;
  /** What the supplier says that it costs, which counts more; null if it does not. */
  readonly told: number | null;
  /** What all its suppliers have taken; null while it is open, and if that is not known. */
  readonly amount: number | null;
  /** What the client was charged less that. */
  readonly margin: number | null;
  /** What was learnt about it besides the capture and the reversal. */
  readonly learnt: readonly {
    readonly at: string;
    readonly supplier_id: number;
    readonly kind: 'delivered' | 'captured' | 'reversed' | 'not_delivered' | 'told';
    /** What it adds to the cost; null if that is not known. */
    readonly cost: number | null;
  }[];
};

/** A purchase in detail, with its mobile number masked. */
export type PurchaseDetail = {
  /** The ID, which is also the reference sent to the operator. */
  readonly id: string;
  /** When it began. */
  readonly began_at: string;
  /** When it became final; null while it is open. */
  readonly settled_at: string | null;
  /** The state. */
  readonly state:
    | 'refused'
    | 'submitted'
    | 'unknown'
    | 'review'
    | 'succeeded'
    | 'failed'
    | 'reversed';
  /** The client. */
  readonly client: {
    /** The ID of the client. */
    readonly id: string;
    /** The name of the client. */
    readonly name: string;
    /** A test client. */
    readonly test: boolean;
  };
  /** The product. */
  readonly product: {
    /** The ID of the product. */
    readonly id: number;
    /** The name of the product; null if it was removed. */
    readonly name: string | null;
    /** The name in Latin script; null if there is none. */
    readonly name_en: string | null;
  };
  /** The ID of the operator; null if the product is unknown. */
  readonly operator_id: number | null;
  /** The mobile number, masked. */
  readonly mobile: string;
  /** The price. */
  readonly amount: number;
  /** The price less the commission; null if it was refused. */
  readonly charged_amount: number | null;
  /** The client’s tracking code. */
  readonly webservice_code: string;
  /** The idempotency key. */
  readonly idempotency_key: string;
  /** Why it was refused, failed or is unknown; otherwise null. */
  readonly reason: Fact | null;
  /** What contradicts its recorded outcome; then it needs review. Otherwise null. */
  readonly disputed: Fact | null;
  /** The HTTP status of the recorded response; null if there is none. */
  readonly answer_status: number | null;
  /** The code of the personal offer; otherwise null. */
  readonly offer_code: string | null;
  /** The type of the personal offer; otherwise null. */
  readonly offer_type: string | null;
  /** The profile; null if there is none. */
  readonly profile_id: string | null;
  /** The ID of the first request. */
  readonly request_id: string;
  /** How many order attempts there were. */
  readonly attempts: number;
  /** The supplier of the last order. */
  readonly supplier_id: number | null;
  /** What it costs at its suppliers; null without the right `cost`, and if it was refused. */
  readonly cost: PurchaseCost | null;
  /** The suppliers before it, and why each was left. */
  readonly left: readonly {
    readonly supplier_id: number;
    readonly left_at: string;
    readonly fact: Fact;
  }[];
  /** How many inquiries there were. */
  readonly inquiries: number;
  /** When it is processed next; null if it is final. */
  readonly due_at: string | null;
  /** The reference of the operator for the delivery. */
  readonly operator_ref: string | null;
  /** The recorded response, with the mobile number masked; null if there is none. */
  readonly answer: {
    readonly status: number;
    readonly body: string;
  } | null;
  /** What happened, oldest first. */
  readonly timeline: readonly {
    readonly at: string;
    readonly kind:
      | 'held and submitted'
      | 'order'
      | 'inquiry'
      | 'report'
      | 'callback'
      | 'late answer'
      | 'testimony'
      | 'decision'
      | 'reversal'
      | 'contradiction'
      | 'dispute closed'
      | 'refused'
      | 'succeeded'
      | 'failed';
    /** What was learnt; null if the kind says it all. */
    readonly fact: Fact | null;
  }[];
  /** What the operator sent by itself about it, as long as that is kept. */
  readonly callbacks: readonly {
    /** When it came first. */
    readonly at: string;
    /** When it came last. */
    readonly last_at: string;
    /** How often it came. */
    readonly times: number;
    /** What it says of the order. */
    readonly says:
      | 'delivered'
      | 'reversed'
      | 'refused'
      | 'pending'
      | 'not_found'
      | 'unknown'
      | 'nothing';
    /** The beginning of the message, with mobile numbers and secrets masked. */
    readonly message: string;
  }[];
  /** Its ledger entries. */
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
  /** Webhook messages about it, as long as they are kept. */
  readonly messages: readonly {
    readonly id: string;
    readonly type: string;
    readonly endpoint_id: string;
    readonly endpoint_url: string;
    readonly state: 'waiting' | 'delivered' | 'failed';
    readonly attempts: number;
    readonly created_at: string;
    /** When it was delivered or failed; null while it is waiting. */
    readonly ended_at: string | null;
  }[];
  /** Decisions made in the back office. */
  readonly decisions: readonly {
    readonly at: string;
    readonly by: string;
    readonly reason: string;
    readonly evidence: readonly Fact[];
    readonly forced: boolean;
    /** The values before. */
    readonly before: Readonly<Record<string, unknown>>;
    /** The values after. */
    readonly after: Readonly<Record<string, unknown>>;
  }[];
  /** The actions that are possible now. */
  readonly may: {
    /** Whether you can send an inquiry now. */
    readonly inquire: boolean;
    /** Whether it needs a decision. */
    readonly resolve: boolean;
  };
};

/** A preview of a revert. */
export type RevertPreview = {
  /** How many prices were reverted. */
  readonly prices: number;
  /** How many products have their earlier prices again. */
  readonly products: number;
  /** The first 500 prices that are not reverted. */
  readonly kept: readonly KeptPrice[];
  /** How many prices are not reverted. */
  readonly kept_count: number;
};

/** The result of a revert. */
export type RevertResult = {
  /** How many prices were reverted. */
  readonly prices: number;
  /** How many products have their earlier prices again. */
  readonly products: number;
  /** The first 500 prices that are not reverted. */
  readonly kept: readonly KeptPrice[];
  /** How many prices are not reverted. */
  readonly kept_count: number;
  /** The ID of the revert, which is a price change too. */
  readonly change_id: string;
  /** The version of the catalogue, which changes with every update. */
  readonly version: string;
};

/** The role, which grants its rights. */
export type Role = 'viewer' | 'support' | 'manager' | 'owner';

/** From which supplier products are ordered. */
export type Route = {
  /** The ID of the route; 0 is the implicit route. */
  readonly id: number;
  /** The operator whose products it is for. */
  readonly operator_id: number;
  /** Only for this product; null for any. */
  readonly product_id: number | null;
  /** Only for products of this category; null for any. */
  readonly category_id: number | null;
  /** Only for this type; null for any. */
  readonly product_type: 'cell_internet' | 'cell_direct_charge' | 'td_lte_internet' | null;
  /** Only for this client; null for any. */
  readonly client_id: string | null;
  /** The supplier to order from. */
  readonly supplier_id: number;
  /** The supplier's own code of the product; null for none. */
  readonly product_code: string | null;
  /** An amount such as `90000`, or `2.5%` off the price; null if not known. */
  readonly cost: string | null;
  /** Whether it may cost more than the client pays. */
  readonly allow_dearer: boolean;
  /** 1 is the best. */
  readonly priority: number;
  /** Its share among routes of the same priority. */
  readonly weight: number;
  /** Hours of the business day, such as `22:00-06:00`; null for always. */
  readonly hours: string | null;
  /** Empty for every day. */
  readonly days: readonly ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
  /** Only from this time on; null for always. */
  readonly valid_from: string | null;
  /** Only until before this time; null for always. */
  readonly valid_until: string | null;
  /** Whether it is on. */
  readonly enabled: boolean;
};

/** What an import of routes would do. */
export type RouteImportPreview = {
  /** How many routes are added. */
  readonly added: number;
  /** How many routes are changed. */
  readonly changed: number;
  /** How many routes are removed. */
  readonly removed: number;
  /** How many routes stay as they are. */
  readonly unchanged: number;
  /** The first 500 problems. With any, nothing can be imported. */
  readonly problems: readonly {
    /** The line of the file. */
    readonly line: number;
    /** What is wrong. */
    readonly message: string;
  }[];
  /** The first 500 differences. The ID of a new route is 0. */
  readonly diff: readonly {
    /** What happens. */
    readonly kind: 'added' | 'changed' | 'removed';
    /** The route as it is; null for a new one. */
    readonly before: Route | null;
    /** The route as it will be; null for a removed one. */
    readonly after: Route | null;
  }[];
  /** The version of all routes. Send it with the import. */
  readonly version: string;
};

/** A route as it was for some time. */
export type RouteVersion = {
  /** The ID of the route; 0 is the implicit route. */
  readonly id: number;
  /** The operator whose products it is for. */
  readonly operator_id: number;
  /** Only for this product; null for any. */
  readonly product_id: number | null;
  /** Only for products of this category; null for any. */
  readonly category_id: number | null;
  /** Only for this type; null for any. */
  readonly product_type: 'cell_internet' | 'cell_direct_charge' | 'td_lte_internet' | null;
  /** Only for this client; null for any. */
  readonly client_id: string | null;
  /** The supplier to order from. */
  readonly supplier_id: number;
  /** The supplier's own code of the product; null for none. */
  readonly product_code: string | null;
  /** An amount such as `90000`, or `2.5%` off the price; null if not known. */
  readonly cost: string | null;
  /** Whether it may cost more than the client pays. */
  readonly allow_dearer: boolean;
  /** 1 is the best. */
  readonly priority: number;
  /** Its share among routes of the same priority. */
  readonly weight: number;
  /** Hours of the business day, such as `22:00-06:00`; null for always. */
  readonly hours: string | null;
  /** Empty for every day. */
  readonly days: readonly ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
  /** Only from this time on; null for always. */
  readonly valid_from: string | null;
  /** Only until before this time; null for always. */
  readonly valid_until: string | null;
  /** Whether it is on. */
  readonly enabled: boolean;
  /** Counts the changes of the route, from 1. */
  readonly version: number;
  /** When this version came into force. */
  readonly created_at: string;
  /** When it was changed or removed; null while it is in force. */
  readonly closed_at: string | null;
};

/** What was sold in a period. */
export type Sales = {
  /** The first business day. */
  readonly from: string;
  /** The last business day. */
  readonly to: string;
  /** The dimensions. */
  readonly by: readonly ('day' | 'client' | 'product' | 'operator' | 'supplier')[];
  /** The time zone of business days. */
  readonly time_zone: string;
  /** Everything committed before this time is included. */
  readonly complete_to: string;
  /** How far counting is. After an upgrade, the past takes a while. */
  readonly progress: {
    /** The ledger’s entries. */
    readonly postings: number;
    /** Those that are counted. */
    readonly counted: number;
  };
  readonly totals: SalesSums;
  /** Requests that were refused before anything was held. Approximate: they are counted in memory. Null where a client, a product or a supplier is asked for. */
  readonly refused: number | null;
  /** The period of the same length before; null unless you compare. */
  readonly previous: {
    /** The first business day. */
    readonly from: string;
    /** The last business day. */
    readonly to: string;
    readonly totals: SalesSums;
  } | null;
  /** The groups with the largest amount, sorted by day, then by amount. */
  readonly rows: readonly SalesRow[];
  /** The groups that are not in `rows`, together. */
  readonly left: {
    /** How many groups are not in `rows`. */
    readonly groups: number;
    /** Purchases that succeeded. */
    readonly sold: number;
    /** What the clients were charged for them. */
    readonly sold_amount: number;
    /** Purchases that were reversed, on the day of the reversal. */
    readonly reversed: number;
    /** What the clients got back for them. */
    readonly reversed_amount: number;
    /** Purchases that were begun and not delivered: nothing was charged. */
    readonly failed: number;
    /** `sold` as a part of `sold` and `failed`, from 0 to 1; null without any. */
    readonly success_rate: number | null;
    /** The price of what was sold, less that of reversals. */
    readonly price: number;
    /** `price` less `amount`. */
    readonly commission: number;
    /** `sold_amount` less `reversed_amount`. */
    readonly amount: number;
    /** The cost at the suppliers, less that of reversals. Null if it is not known of any, or if you may not see it. */
    readonly cost: number | null;
    /** `amount` less `cost`, of those whose cost is known; null where `cost` is. */
    readonly margin: number | null;
    /** How many sales and reversals have no known cost, and count neither in `cost` nor in `margin`; null if you may not see costs. */
    readonly uncosted: number | null;
  };
};

/** What was sold, compared with the period before. */
export type SalesOverview = {
  /** The time zone of business days. */
  readonly time_zone: string;
  /** Everything committed before this time is included. */
  readonly complete_to: string;
  /** How far counting is. After an upgrade, the past takes a while. */
  readonly progress: {
    /** The ledger’s entries. */
    readonly postings: number;
    /** Those that are counted. */
    readonly counted: number;
  };
  readonly today: SalesPeriod;
  readonly yesterday: SalesPeriod;
  readonly last_7_days: SalesPeriod;
  readonly last_30_days: SalesPeriod;
  /** The largest of the chosen period. */
  readonly top: {
    /** The operators with the largest amount. */
    readonly operators: readonly SalesRow[];
    /** The products with the largest amount. */
    readonly products: readonly SalesRow[];
    /** The clients with the largest amount. */
    readonly clients: readonly SalesRow[];
    /** The suppliers with the largest amount. */
    readonly suppliers: readonly SalesRow[];
  };
};

/** What was sold in a period, and in the one before. */
export type SalesPeriod = {
  /** The first business day. */
  readonly from: string;
  /** The last business day. */
  readonly to: string;
  readonly totals: SalesSums;
  /** The period of the same length before. */
  readonly previous: {
    /** The first business day. */
    readonly from: string;
    /** The last business day. */
    readonly to: string;
    readonly totals: SalesSums;
  };
};

/** What was sold in one group. */
export type SalesRow = {
  /** The business day; null unless it is in `by`. */
  readonly day: string | null;
  /** The client; null unless it is in `by`. */
  readonly client: {
    /** The ID of the client. */
    readonly id: string;
    /** The name of the client. */
    readonly name: string;
  } | null;
  /** The product; null unless it is in `by`. */
  readonly product: {
    /** The ID of the product. */
    readonly id: number;
    /** The name of the product; null if it was removed. */
    readonly name: string | null;
    /** The name in Latin script; null if there is none. */
    readonly name_en: string | null;
  } | null;
  /** The operator; null unless it is in `by`. */
  readonly operator: {
    /** The ID of the operator. */
    readonly id: number;
    /** The names; null if it is not configured. */
    readonly names: {
      /** In English. */
      readonly en: string;
      /** In Persian. */
      readonly fa: string;
    } | null;
  } | null;
  /** The supplier; null unless it is in `by`. */
  readonly supplier: {
    /** The ID of the supplier; 0 where it is not known. */
    readonly id: number;
    /** The names; null if it is not configured. */
    readonly names: {
      /** In English. */
      readonly en: string;
      /** In Persian. */
      readonly fa: string;
    } | null;
  } | null;
  /** Purchases that succeeded. */
  readonly sold: number;
  /** What the clients were charged for them. */
  readonly sold_amount: number;
  /** Purchases that were reversed, on the day of the reversal. */
  readonly reversed: number;
  /** What the clients got back for them. */
  readonly reversed_amount: number;
  /** Purchases that were begun and not delivered: nothing was charged. */
  readonly failed: number;
  /** `sold` as a part of `sold` and `failed`, from 0 to 1; null without any. */
  readonly success_rate: number | null;
  /** The price of what was sold, less that of reversals. */
  readonly price: number;
  /** `price` less `amount`. */
  readonly commission: number;
  /** `sold_amount` less `reversed_amount`. */
  readonly amount: number;
  /** The cost at the suppliers, less that of reversals. Null if it is not known of any, or if you may not see it. */
  readonly cost: number | null;
  /** `amount` less `cost`, of those whose cost is known; null where `cost` is. */
  readonly margin: number | null;
  /** How many sales and reversals have no known cost, and count neither in `cost` nor in `margin`; null if you may not see costs. */
  readonly uncosted: number | null;
  /** Requests that were refused before anything was held. Approximate: they are counted in memory. Null where a client, a product or a supplier is asked for. */
  readonly refused: number | null;
  /** The same in the period before; null unless you compare. */
  readonly previous: SalesSums | null;
};

/** What was sold. */
export type SalesSums = {
  /** Purchases that succeeded. */
  readonly sold: number;
  /** What the clients were charged for them. */
  readonly sold_amount: number;
  /** Purchases that were reversed, on the day of the reversal. */
  readonly reversed: number;
  /** What the clients got back for them. */
  readonly reversed_amount: number;
  /** Purchases that were begun and not delivered: nothing was charged. */
  readonly failed: number;
  /** `sold` as a part of `sold` and `failed`, from 0 to 1; null without any. */
  readonly success_rate: number | null;
  /** The price of what was sold, less that of reversals. */
  readonly price: number;
  /** `price` less `amount`. */
  readonly commission: number;
  /** `sold_amount` less `reversed_amount`. */
  readonly amount: number;
  /** The cost at the suppliers, less that of reversals. Null if it is not known of any, or if you may not see it. */
  readonly cost: number | null;
  /** `amount` less `cost`, of those whose cost is known; null where `cost` is. */
  readonly margin: number | null;
  /** How many sales and reversals have no known cost, and count neither in `cost` nor in `margin`; null if you may not see costs. */
  readonly uncosted: number | null;
};

/** The result of a change of one product. */
export type SavedProduct = {
  /** The ID of the product. */
  readonly id: number;
  /** The version of the catalogue, which changes with every update. */
  readonly version: string;
};

/** The second factors of a sign-in. */
export type SecondFactors = {
  /** Whether you can send a code of an authenticator app. */
  readonly totp: boolean;
  /** Whether a passkey can be used on the host of this request. */
  readonly passkey: boolean;
  /** The hosts on which passkeys of the account work. */
  readonly passkey_hosts: readonly string[];
};

/** A session of an account. */
export type Session = {
  /** The ID of the session. */
  readonly id: string;
  /** Whether it is the session of this request. */
  readonly current: boolean;
  /** Whether it still needs its second factor. */
  readonly code_needed: boolean;
  /** The IP address at sign-in. */
  readonly address: string;
  /** The browser at sign-in. */
  readonly agent: string;
  /** When it was created. */
  readonly created_at: string;
  /** When it was last used, to about a minute. */
  readonly seen_at: string;
};

/** A setting of the configuration. */
export type Setting = {
  /** The name as in the configuration file, with dots for groups. */
  readonly name: string;
  /** The value in use; secrets are `***`. */
  readonly value: unknown;
  /** The default; null if there is none. */
  readonly default: unknown;
  /** Where it was set. `environment` includes options of the start command. */
  readonly from: 'default' | 'file' | 'environment';
  /** What it does. */
  readonly description: string;
};

/** A setting of a connector. */
export type SettingField = {
  /** The name of the setting. */
  readonly name: string;
  /** The type. `json`: any JSON value. */
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'enum' | 'object' | 'json';
  /** What it does, in English. */
  readonly description: string;
  /** The name of the field. */
  readonly label: {
    /** In English. */
    readonly en: string;
    /** In Persian; null if the connector has no Persian text. */
    readonly fa: string | null;
  };
  /** What it does. */
  readonly help: {
    /** In English. */
    readonly en: string;
    /** In Persian; null if the connector has no Persian text. */
    readonly fa: string | null;
  };
  /** Whether it is required. */
  readonly required: boolean;
  /** Whether it is a secret, which is never shown. */
  readonly secret: boolean;
  /** The default; null if there is none. */
  readonly default: unknown;
  /** The minimum; null if there is none. */
  readonly minimum: number | null;
  /** The maximum; null if there is none. */
  readonly maximum: number | null;
  /** The values of an `enum`. */
  readonly values?: readonly unknown[];
  /** The fields of an `object`, in the same format. */
  readonly fields?: readonly unknown[];
};

/** All settings. */
export type Settings = {
  readonly console: ConsoleSettings;
  /** All settings of the configuration. */
  readonly config: readonly Setting[];
  /** The version of Simgate. */
  readonly version: string;
  /** The database. */
  readonly database: {
    /** The database engine. */
    readonly engine: 'sqlite' | 'postgres';
    /** Its size in bytes; null if unknown. */
    readonly size_bytes: number | null;
  };
  /** The version of Node.js. */
  readonly node: string;
};

/** What a new gateway has already. */
export type SetupSteps = {
  /** Whether an operator has a connector that delivers. */
  readonly operator: boolean;
  /** Whether there are products. */
  readonly catalogue: boolean;
  /** Whether there is a client. */
  readonly client: boolean;
  /** Whether anything was sold. */
  readonly sale: boolean;
};

/** The result of a sign-in step. */
export type SignInResult = {
  /** Whether the session still needs its second factor: a code or a passkey. */
  readonly code_needed: boolean;
};

/** A page of a statement. */
export type Statement = {
  /** The entries, newest first. */
  readonly data: readonly StatementEntry[];
  /** Send it as `before` for the next page; null on the last page. */
  readonly next: string | null;
  readonly opening: Balance;
  /** The balance at the end of the period. */
  readonly closing: Balance;
};

/** A movement of money, with the balance after it. */
export type StatementEntry = {
  /** The number of the entry, from 1 without gaps. */
  readonly seq: number;
  /** When it was posted. */
  readonly at: string;
  /** `deposit`, `hold`, `capture`, `release`, `reverse` or `correction`. */
  readonly kind: string;
  /** The amount moved. */
  readonly amount: number;
  /** The account it was moved from. */
  readonly from: string;
  /** The account it was moved to. */
  readonly to: string;
  /** Its own money after it; below zero on credit. */
  readonly available_after: number;
  /** What was held after it. */
  readonly held_after: number;
  /** The ID of the purchase; null if there is none. */
  readonly purchase_id: string | null;
  /** What was bought; null if there is no purchase. */
  readonly product: {
    /** The ID of the product. */
    readonly id: number;
    /** The name of the product; null if it was removed. */
    readonly name: string | null;
    /** The name in Latin script; null if there is none. */
    readonly name_en: string | null;
  } | null;
  /** The mobile number, masked; null if there is no purchase. */
  readonly mobile: string | null;
  /** The price of the purchase; null if there is none. */
  readonly price: number | null;
  /** What the client got of it; null if there is no purchase. */
  readonly commission: number | null;
  /** The reason; null if there is none. Mobile numbers are masked for roles that cannot see them. */
  readonly note: string | null;
};

/** An access token of a client, without its secret. */
export type Token = {
  /** The ID of the token, not its secret. */
  readonly id: string;
  /** The name of the token. */
  readonly name: string;
  /** The last characters of its secret. */
  readonly ending: string;
  /** The state. */
  readonly state: 'valid' | 'expired' | 'revoked';
  /** The scopes of the token. */
  readonly scopes: readonly ('catalogue' | 'offers' | 'purchase' | 'webhooks')[];
  /** The IP addresses and networks that can use it. Empty means all. */
  readonly networks: readonly string[];
  /** When it was created. */
  readonly created_at: string;
  /** When it expires; null if never. */
  readonly expires_at: string | null;
  /** When it was last used, to a few seconds; null if never. */
  readonly last_used_at: string | null;
};

/** A webhook endpoint of a client. */
export type Webhook = {
  /** The ID of the endpoint. */
  readonly id: string;
  /** The URL. Credentials and query values are masked for roles that cannot change endpoints. */
  readonly url: string;
  /** The client's own note. */
  readonly description: string;
  /** The events that it receives. */
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
  /** Who disabled it. `client`: the client. `gone`: it responded 410. `gateway`: the back office. Null if it is active. */
  readonly disabled_by: 'client' | 'gone' | 'gateway' | null;
  /** By its real attempts. `working`: the last one succeeded. `failing`: it did not. `untried`: there was none. */
  readonly health: 'working' | 'failing' | 'untried' | 'disabled';
  /** The first failed attempt after the last success; null unless it is failing. */
  readonly failing_since: string | null;
  /** The last attempt; null if there was none. */
  readonly last_attempt: WebhookAttempt | null;
  /** When it was created. */
  readonly created_at: string;
  /** How many messages are waiting, counted up to 1000. */
  readonly waiting: number;
  /** How many messages failed, counted up to 1000. */
  readonly failed: number;
  /** When a message was last delivered; null if none of the newest 1000 was. */
  readonly delivered_last_at: string | null;
};

/** An attempt to deliver a message. */
export type WebhookAttempt = {
  /** When it was sent. */
  readonly at: string;
  /** How long it took, in milliseconds. */
  readonly ms: number;
  /** The HTTP status; null if there was no response. */
  readonly status: number | null;
  /** Why there was no response; null if there was one, or if no code was recorded. */
  readonly failure:
    | 'address_not_public'
    | 'name_unknown'
    | 'answer_too_long'
    | 'connect_timeout'
    | 'connection_refused'
    | 'connection_broken'
    | 'not_secure'
    | 'secret_unreadable'
    | 'gateway_stopped'
    | 'request_failed'
    | 'no_answer_within'
    | null;
  /** The same in words, as versions without codes recorded it. */
  readonly error: string | null;
};

/** A message for an endpoint. */
export type WebhookMessage = {
  /** The ID of the message, as in the header `webhook-id`. */
  readonly id: string;
  /** The event. */
  readonly type: string;
  /** The state. `failed`: all attempts failed. */
  readonly state: 'waiting' | 'delivered' | 'failed';
  /** How many attempts there were. */
  readonly attempts: number;
  /** When the event happened. */
  readonly created_at: string;
  /** When it was delivered or failed; null while it is waiting. */
  readonly ended_at: string | null;
  /** When the next attempt is due; null if there is none. */
  readonly due_at: string | null;
  /** The HTTP status of the last attempt; null if there was no response. */
  readonly last_status: number | null;
};

/** A message with its attempts and its body. */
export type WebhookMessageDetail = {
  /** The ID of the message, as in the header `webhook-id`. */
  readonly id: string;
  /** The event. */
  readonly type: string;
  /** The state. `failed`: all attempts failed. */
  readonly state: 'waiting' | 'delivered' | 'failed';
  /** How many attempts there were. */
  readonly attempts: number;
  /** When the event happened. */
  readonly created_at: string;
  /** When it was delivered or failed; null while it is waiting. */
  readonly ended_at: string | null;
  /** When the next attempt is due; null if there is none. */
  readonly due_at: string | null;
  /** The HTTP status of the last attempt; null if there was no response. */
  readonly last_status: number | null;
  /** The last 20 attempts, oldest first. */
  readonly tried: readonly WebhookAttempt[];
  /** The body as JSON. Mobile numbers are masked: the message itself has them. */
  readonly payload: string;
};

export type Operations = {
  /** Add a note about a client. */
  readonly addClientNote: {
    readonly params: {
      /** The ID of the client. */
      readonly client_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** The note. */
      readonly note: string;
      readonly key: ActionKey;
    };
    readonly answer: ClientNote;
  };
  /** Add a passkey. */
  readonly addMyPasskey: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** A name for your list. */
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
  /** Put a client into a price list. */
  readonly assignPriceList: {
    readonly params: {
      /** The ID of the client. */
      readonly client_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** The ID of the list. */
      readonly price_list_id: number;
    };
    readonly answer: AssignedPriceList;
  };
  /** Begin adding a passkey. */
  readonly beginMyPasskey: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** The current password. */
      readonly password: string;
    };
    readonly answer: PasskeyCreationOptions;
  };
  /** Begin two-factor setup. */
  readonly beginMyTotp: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** The current password. */
      readonly password: string;
    };
    readonly answer: {
      /** The secret in base32, for typing. */
      readonly secret: string;
      /** The URI for a QR code. */
      readonly uri: string;
    };
  };
  /** Begin a passkey sign-in. */
  readonly beginPasskeySignIn: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: PasskeyRequestOptions;
  };
  /** Change your password. */
  readonly changeMyPassword: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** The current password. */
      readonly current: string;
      /** A new password of 12 to 256 characters. */
      readonly password: string;
    };
    readonly answer: undefined;
  };
  /** Change a price list. */
  readonly changePriceList: {
    readonly params: {
      /** The ID of the list. */
      readonly price_list_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** The name of the list. */
      readonly name?: string;
      /** The list that applies where this one has no entry; null for none. */
      readonly parent_id?: number | null;
      /** Whether its clients may pay less than the supplier costs. */
      readonly allow_below_cost?: boolean;
    };
    readonly answer: PriceList;
  };
  /** Change a route. */
  readonly changeRoute: {
    readonly params: {
      /** The ID of the route. */
      readonly route_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** The operator whose products it is for. */
      readonly operator_id?: number;
      /** Only for this product; null for any. */
      readonly product_id?: number | null;
      /** Only for products of this category; null for any. */
      readonly category_id?: number | null;
      /** Only for this type; null for any. */
      readonly product_type?: 'cell_internet' | 'cell_direct_charge' | 'td_lte_internet' | null;
      /** Only for this client; null for any. */
      readonly client_id?: string | null;
      /** The supplier to order from. */
      readonly supplier_id?: number;
      /** The supplier's own code of the product; null for none. */
      readonly product_code?: string | null;
      /** An amount such as `90000`, or `2.5%` off the price; null if not known. */
      readonly cost?: string | null;
      /** Whether it may cost more than the client pays. */
      readonly allow_dearer?: boolean;
      /** 1 is the best. */
      readonly priority?: number;
      /** Its share among routes of the same priority. */
      readonly weight?: number;
      /** Hours of the business day, such as `22:00-06:00`; null for always. */
      readonly hours?: string | null;
      /** Empty for every day. */
      readonly days?: readonly ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
      /** Only from this time on; null for always. */
      readonly valid_from?: string | null;
      /** Only until before this time; null for always. */
      readonly valid_until?: string | null;
      /** Whether it is on. */
      readonly enabled?: boolean;
    };
    readonly answer: Route;
  };
  /** Change a supplier. */
  readonly changeSupplier: {
    readonly params: {
      /** The ID of the supplier. */
      readonly operator_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** The name that people read, in both languages. */
      readonly names?: {
        readonly en: string;
        readonly fa: string;
      };
      /** Its group: a purchase is ordered from one of a group only. Null: none. */
      readonly group?: string | null;
    };
    readonly answer: OperatorDetail;
  };
  /** Test the connection to an operator. */
  readonly checkOperator: {
    readonly params: {
      /** The ID of the operator or supplier. */
      readonly operator_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** Whether the connection works. */
      readonly ok: boolean;
      /** The result, for a person to read. */
      readonly words: string;
    };
  };
  /** Confirm two-factor setup. */
  readonly confirmMyTotp: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** The six digits of the authenticator app, or a recovery code. */
      readonly code: string;
    };
    readonly answer: undefined;
  };
  /** Correct a client's balance. */
  readonly correctBalance: {
    readonly params: {
      /** The ID of the client. */
      readonly client_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** The amount to add, or to subtract if negative. */
      readonly amount: number;
      /** The reason. The client sees it in its statement. */
      readonly reason: string;
      readonly key: ActionKey;
    };
    readonly answer: BalanceChange;
  };
  /** Count a client's purchases without a sale. */
  readonly countClientOutcomes: {
    readonly params: {
      /** The ID of the client. */
      readonly client_id: string;
    };
    readonly query: {
      /** Return only purchases from this time on. A date (00:00 UTC), or a date and time. */
      readonly from?: string;
      /** Return only purchases before this time. */
      readonly to?: string;
    };
    readonly body: undefined;
    readonly answer: {
      /** Purchases that the operator did not deliver. */
      readonly failed: number;
      /** Purchases that were never ordered. */
      readonly refused: number;
    };
  };
  /** Create an account. */
  readonly createAccount: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** The sign-in name. */
      readonly name: string;
      readonly role: Role;
    };
    readonly answer: AccountSetup;
  };
  /** Create a client. */
  readonly createClient: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** The name of the client. It need not be unique. */
      readonly name: string;
      /** Whether it is a test client. */
      readonly test?: boolean;
      readonly key: ActionKey;
    };
    readonly answer: {
      readonly client: ClientDetail;
      /** Its first token. It is shown only in this response. */
      readonly token: string;
    };
  };
  /** Create recovery codes. */
  readonly createMyRecoveryCodes: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** The codes. */
      readonly codes: readonly string[];
    };
  };
  /** Create a price list. */
  readonly createPriceList: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      readonly key: ActionKey;
      /** The name of the list. */
      readonly name: string;
      /** The list that applies where this one has no entry; null for none. */
      readonly parent_id: number | null;
      /** Whether its clients may pay less than the supplier costs. */
      readonly allow_below_cost: boolean;
    };
    readonly answer: PriceList;
  };
  /** Create a product. */
  readonly createProduct: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** The ID. Without it, the next free one. */
      readonly id?: number;
      readonly fields: ProductFields;
      readonly key: ActionKey;
    };
    readonly answer: SavedProduct;
  };
  /** Create a route. */
  readonly createRoute: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      readonly key: ActionKey;
      /** The operator whose products it is for. */
      readonly operator_id: number;
      /** Only for this product; null for any. */
      readonly product_id: number | null;
      /** Only for products of this category; null for any. */
      readonly category_id: number | null;
      /** Only for this type; null for any. */
      readonly product_type: 'cell_internet' | 'cell_direct_charge' | 'td_lte_internet' | null;
      /** Only for this client; null for any. */
      readonly client_id: string | null;
      /** The supplier to order from. */
      readonly supplier_id: number;
      /** The supplier's own code of the product; null for none. */
      readonly product_code: string | null;
      /** An amount such as `90000`, or `2.5%` off the price; null if not known. */
      readonly cost: string | null;
      /** Whether it may cost more than the client pays. */
      readonly allow_dearer: boolean;
      /** 1 is the best. */
      readonly priority: number;
      /** Its share among routes of the same priority. */
      readonly weight: number;
      /** Hours of the business day, such as `22:00-06:00`; null for always. */
      readonly hours: string | null;
      /** Empty for every day. */
      readonly days: readonly ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
      /** Only from this time on; null for always. */
      readonly valid_from: string | null;
      /** Only until before this time; null for always. */
      readonly valid_until: string | null;
      /** Whether it is on. */
      readonly enabled: boolean;
    };
    readonly answer: Route;
  };
  /** Create a new setup link. */
  readonly createSetup: {
    readonly params: {
      /** The ID of the account. */
      readonly account_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: AccountSetup;
  };
  /** Create a supplier. */
  readonly createSupplier: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      readonly key: ActionKey;
      /** Its number. Without one, the gateway takes a free one from 500 on. */
      readonly id?: number;
      /** The name in `/callbacks/{name}` and in metrics. It cannot be changed. */
      readonly name: string;
      /** The name that people read, in both languages. */
      readonly names: {
        readonly en: string;
        readonly fa: string;
      };
      /** Its group: a purchase is ordered from one of a group only. Null: none. */
      readonly group?: string | null;
    };
    readonly answer: OperatorDetail;
  };
  /** Create a token. */
  readonly createToken: {
    readonly params: {
      /** The ID of the client. */
      readonly client_id: string;
    };
    readonly query: undefined;
    readonly body: {
      readonly key: ActionKey;
      /** The name of the token. */
      readonly name: string;
      /** The scopes of the token. */
      readonly scopes?: readonly ('catalogue' | 'offers' | 'purchase' | 'webhooks')[];
      /** The IP addresses and networks that can use it. Empty means all. */
      readonly networks?: readonly string[];
      /** When it expires. Default: never. A time such as 2027-01-31T00:00:00Z; null for never. */
      readonly expires_at?: string | null;
    };
    readonly answer: {
      /** The ID of the token. */
      readonly token_id: string;
      /** The token. It is shown only in this response. */
      readonly token: string;
    };
  };
  /** Make a credit note. */
  readonly creditInvoice: {
    readonly params: {
      /** The number of the invoice. */
      readonly number: string;
    };
    readonly query: undefined;
    readonly body: {
      readonly key: ActionKey;
      /** At most what is left of the total. */
      readonly amount: number;
      /** The reason. The client sees it in its statement. */
      readonly reason: string;
    };
    readonly answer: CreditNote;
  };
  /** Deposit money. */
  readonly depositMoney: {
    readonly params: {
      /** The ID of the client. */
      readonly client_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** The amount to add. */
      readonly amount: number;
      /** The reason. The client sees it in its statement. */
      readonly note?: string;
      readonly key: ActionKey;
    };
    readonly answer: BalanceChange;
  };
  /** End all your other sessions. */
  readonly endMyOtherSessions: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** How many sessions were ended. */
      readonly ended: number;
    };
  };
  /** End one of your sessions. */
  readonly endMySession: {
    readonly params: {
      /** The ID of the session. */
      readonly session_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** End all sessions of an account. */
  readonly endSessions: {
    readonly params: {
      /** The ID of the account. */
      readonly account_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** Explain what a client pays. */
  readonly explainPrice: {
    readonly params: undefined;
    readonly query: {
      /** The product. */
      readonly product_id: string;
      /** For this client. */
      readonly client_id?: string;
      /** At this time; now if left out. */
      readonly at?: string;
      /** At this price; that of the product if left out. */
      readonly price?: string;
    };
    readonly body: undefined;
    readonly answer: ExplainedPrice;
  };
  /** Explain a choice of routes. */
  readonly explainRoutes: {
    readonly params: undefined;
    readonly query: {
      /** The product. */
      readonly product_id: string;
      /** For this client. */
      readonly client_id?: string;
      /** At this time; now if left out. */
      readonly at?: string;
      /** At this price; that of the product if left out. */
      readonly price?: string;
    };
    readonly body: undefined;
    readonly answer: {
      /** The routes that fit. */
      readonly data: readonly ExplainedRoute[];
    };
  };
  /** Export audit log entries. */
  readonly exportAudit: {
    readonly params: undefined;
    readonly query: {
      /** Return only entries about this object, by its ID. */
      readonly subject?: string;
      /** Return only entries of the account with this name. */
      readonly actor?: string;
      /** Return only entries of this action. */
      readonly action?: string;
      /** Return only entries from this time on. A date (00:00 UTC), or a date and time. */
      readonly from?: string;
      /** Return only entries before this time. */
      readonly to?: string;
    };
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** Export the catalogue. */
  readonly exportCatalogue: {
    readonly params: undefined;
    readonly query: {
      /** The format of the file. */
      readonly format?: 'csv' | 'json';
      /** Part of a name, an ID, or part of a SKU. */
      readonly search?: string;
      /** Return only products of this operator. */
      readonly operator_id?: string;
      /** Return only products of this category. */
      readonly category_id?: string;
      /** Return only products of this type. */
      readonly type?: 'cell_internet' | 'cell_direct_charge' | 'td_lte_internet';
      /** Return only products for this SIM type. */
      readonly sim_card_type?: 'credit' | 'permanent';
      /** `1`: on sale. `0`: disabled. */
      readonly on?: '1' | '0';
      /** Return only products with this price or a higher one. */
      readonly price_from?: string;
      /** Return only products with this price or a lower one. */
      readonly price_to?: string;
      /** Sort key. Default: `id`. */
      readonly sort?:
        | 'id'
        | 'name'
        | 'name_en'
        | 'operator_id'
        | 'type'
        | 'price'
        | 'period'
        | 'updated_at';
      /** Sort direction. Default: `asc`. */
      readonly order?: 'asc' | 'desc';
    };
    readonly body: undefined;
    readonly answer: string;
  };
  /** Export a client's statement. */
  readonly exportClientStatement: {
    readonly params: {
      /** The ID of the client. */
      readonly client_id: string;
    };
    readonly query: {
      /** Return only entries from this time on. A date (00:00 UTC), or a date and time. */
      readonly from?: string;
      /** Return only entries before this time. */
      readonly to?: string;
    };
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** Export clients. */
  readonly exportClients: {
    readonly params: undefined;
    readonly query: {
      /** Part of the name, or the ID. */
      readonly search?: string;
      /** `suspended`: all its requests are refused. */
      readonly status?: 'active' | 'suspended';
      /** `true`: only clients with a low balance. */
      readonly low?: 'true' | 'false';
      /** Only test clients, or only others. */
      readonly test?: 'true' | 'false';
      /** What to sort by. Default: `created`. */
      readonly sort?: 'created' | 'name' | 'available' | 'held';
      /** The direction. Default: `desc`. */
      readonly order?: 'asc' | 'desc';
    };
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** Export an invoice. */
  readonly exportInvoice: {
    readonly params: {
      /** The number of the invoice. */
      readonly number: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** Export the entries of a price list. */
  readonly exportPriceList: {
    readonly params: {
      /** The ID of the list. */
      readonly price_list_id: string;
    };
    readonly query: {
      /** At this time; now if left out. */
      readonly at?: string;
    };
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** Export purchases. */
  readonly exportPurchases: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** An ID, idempotency key, tracking code or mobile number. They are tried in this order, and the first match counts. */
      readonly q?: string;
      /** Return only purchases for this mobile number. The country prefix is optional, and Persian digits are accepted. */
      readonly number?: string;
      /** Return only purchases with this idempotency key. */
      readonly key?: string;
      /** Return only purchases with this tracking code. */
      readonly code?: string;
      /** Return only the purchase with this ID. */
      readonly id?: string;
      /** Return only purchases of this client. */
      readonly client_id?: string;
      /** Return only purchases in this state. `open` means `submitted` or `unknown`. */
      readonly state?:
        | 'refused'
        | 'submitted'
        | 'unknown'
        | 'review'
        | 'succeeded'
        | 'failed'
        | 'reversed'
        | 'open';
      /** `1`: return only purchases that need review. */
      readonly needs_person?: '0' | '1';
      /** `1`: return only purchases whose recorded outcome is contradicted. */
      readonly disputed?: '0' | '1';
      /** Return only purchases from this operator. */
      readonly operator_id?: string;
      /** Return only purchases of this product. */
      readonly product_id?: string;
      /** Return only purchases of products of this type. Removed products have none any more. */
      readonly type?: 'cell_internet' | 'cell_direct_charge' | 'td_lte_internet';
      /** Return only purchases with this code as their reason. */
      readonly reason?: string;
      /** Return only purchases of this amount or more. */
      readonly min_amount?: string;
      /** Return only purchases of this amount or less. */
      readonly max_amount?: string;
      /** Test clients. Default: `hide`; `show` if one is named. */
      readonly test?: 'hide' | 'show' | 'only';
      /** Return only purchases that began from this time on. A date (00:00 UTC), or a date and time. */
      readonly from?: string;
      /** Return only purchases that began before this time. */
      readonly to?: string;
    };
    readonly answer: undefined;
  };
  /** Export the routes. */
  readonly exportRoutes: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** Export what was sold. */
  readonly exportSales: {
    readonly params: undefined;
    readonly query: {
      /** The first business day. Default: today. */
      readonly from?: string;
      /** The last business day. Default: `from`. */
      readonly to?: string;
      /** Up to two of `day`, `client`, `product`, `operator` and `supplier`, separated by a comma. Without it, only totals. */
      readonly by?: string;
      /** `true`: with the period of the same length before. */
      readonly compare?: 'true' | 'false';
      /** Only this client. */
      readonly client_id?: string;
      /** Only this product. */
      readonly product_id?: string;
      /** Only this operator. */
      readonly operator_id?: string;
      /** Only this supplier. */
      readonly supplier_id?: string;
    };
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** Export what was sold for a spreadsheet. */
  readonly exportSalesAsXlsx: {
    readonly params: undefined;
    readonly query: {
      /** The first business day. Default: today. */
      readonly from?: string;
      /** The last business day. Default: `from`. */
      readonly to?: string;
      /** Up to two of `day`, `client`, `product`, `operator` and `supplier`, separated by a comma. Without it, only totals. */
      readonly by?: string;
      /** `true`: with the period of the same length before. */
      readonly compare?: 'true' | 'false';
      /** Only this client. */
      readonly client_id?: string;
      /** Only this product. */
      readonly product_id?: string;
      /** Only this operator. */
      readonly operator_id?: string;
      /** Only this supplier. */
      readonly supplier_id?: string;
    };
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** Get the settings of alarms. */
  readonly getAlarmSettings: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: AlarmSettings;
  };
  /** Get a client. */
  readonly getClient: {
    readonly params: {
      /** The ID of the client. */
      readonly client_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: ClientDetail;
  };
  /** Get a client's contact. */
  readonly getClientContact: {
    readonly params: {
      /** The ID of the client. */
      readonly client_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: ClientContact;
  };
  /** Get a message of a webhook. */
  readonly getClientMessage: {
    readonly params: {
      /** The ID of the client. */
      readonly client_id: string;
      /** The ID of the endpoint. */
      readonly endpoint_id: string;
      /** The ID of the message. */
      readonly message_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: WebhookMessageDetail;
  };
  /** Get a client's price list. */
  readonly getClientPriceList: {
    readonly params: {
      /** The ID of the client. */
      readonly client_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: AssignedPriceList;
  };
  /** Get a client's statement. */
  readonly getClientStatement: {
    readonly params: {
      /** The ID of the client. */
      readonly client_id: string;
    };
    readonly query: {
      /** Return only entries from this time on. A date (00:00 UTC), or a date and time. */
      readonly from?: string;
      /** Return only entries before this time. */
      readonly to?: string;
      /** Cursor: `next` of the previous page. */
      readonly before?: string;
      /** Items per page, 1 to 100. Default: 50. */
      readonly limit?: string;
      /** `0` leaves out what is held and released: one entry per sale. Default: `1`. */
      readonly holds?: '0' | '1';
    };
    readonly body: undefined;
    readonly answer: Statement;
  };
  /** Get the company. */
  readonly getCompany: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Company;
  };
  /** List second factors. */
  readonly getFactors: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: SecondFactors;
  };
  /** Get the float of a supplier. */
  readonly getFloat: {
    readonly params: {
      /** The ID of the operator or supplier. */
      readonly operator_id: string;
    };
    readonly query: {
      /** Cursor: `next` of the previous page. */
      readonly before?: string;
      /** Items per page, 1 to 100. Default: 50. */
      readonly limit?: string;
    };
    readonly body: undefined;
    readonly answer: FloatPage;
  };
  /** Get an invoice. */
  readonly getInvoice: {
    readonly params: {
      /** The number of the invoice. */
      readonly number: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: InvoiceWithLines;
  };
  /** Get your account. */
  readonly getMe: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Me;
  };
  /** Get an operator. */
  readonly getOperator: {
    readonly params: {
      /** The ID of the operator or supplier. */
      readonly operator_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: OperatorDetail;
  };
  /** Get the faults of a simulated operator. */
  readonly getOperatorFaults: {
    readonly params: {
      /** The ID of the operator or supplier. */
      readonly operator_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Faults;
  };
  /** Get the overview. */
  readonly getOverview: {
    readonly params: undefined;
    readonly query: {
      /** The period, in business days. Default: `today`. */
      readonly span?: 'today' | 'yesterday' | 'last_7_days' | 'last_30_days';
    };
    readonly body: undefined;
    readonly answer: Overview;
  };
  /** Get a price change. */
  readonly getPriceChange: {
    readonly params: {
      /** The ID of the price change. */
      readonly change_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      readonly change: PriceChange;
      /** The first 500 prices that it changed. */
      readonly data: readonly {
        /** The ID of the product. */
        readonly product_id: number;
        /** The price field. */
        readonly field: 'price' | 'second_price' | 'showable_price';
        /** The price before the change. Null for none. */
        readonly before: number | null;
        /** The price after the change. Null for none. */
        readonly after: number | null;
      }[];
    };
  };
  /** Get a price list. */
  readonly getPriceList: {
    readonly params: {
      /** The ID of the list. */
      readonly price_list_id: string;
    };
    readonly query: {
      /** At this time; now if left out. */
      readonly at?: string;
    };
    readonly body: undefined;
    readonly answer: PriceListEntries;
  };
  /** Get a product. */
  readonly getProduct: {
    readonly params: {
      /** The ID of the product. */
      readonly product_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: ProductDetail;
  };
  /** Get a purchase. */
  readonly getPurchase: {
    readonly params: {
      /** The ID of the purchase. */
      readonly purchase_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: PurchaseDetail;
  };
  /** Report what was sold. */
  readonly getSales: {
    readonly params: undefined;
    readonly query: {
      /** The first business day. Default: today. */
      readonly from?: string;
      /** The last business day. Default: `from`. */
      readonly to?: string;
      /** Up to two of `day`, `client`, `product`, `operator` and `supplier`, separated by a comma. Without it, only totals. */
      readonly by?: string;
      /** `true`: with the period of the same length before. */
      readonly compare?: 'true' | 'false';
      /** Only this client. */
      readonly client_id?: string;
      /** Only this product. */
      readonly product_id?: string;
      /** Only this operator. */
      readonly operator_id?: string;
      /** Only this supplier. */
      readonly supplier_id?: string;
    };
    readonly body: undefined;
    readonly answer: Sales;
  };
  /** Get the sales of the overview. */
  readonly getSalesOverview: {
    readonly params: undefined;
    readonly query: {
      /** The period of `top`. Default: `today`. */
      readonly period?: 'today' | 'yesterday' | 'last_7_days' | 'last_30_days';
    };
    readonly body: undefined;
    readonly answer: SalesOverview;
  };
  /** Get the settings. */
  readonly getSettings: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Settings;
  };
  /** Get the setup steps. */
  readonly getSetup: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: SetupSteps;
  };
  /** Import a catalogue. */
  readonly importCatalogue: {
    readonly params: undefined;
    readonly query: {
      /** The format of the file. */
      readonly format?: 'csv' | 'json';
      /** `1`: remove products that are not in the file. */
      readonly remove_missing?: '0' | '1';
      /** The `digest` of the preview. */
      readonly digest: string;
    };
    readonly body: unknown;
    readonly answer: undefined;
  };
  /** Import the entries of a price list. */
  readonly importPriceList: {
    readonly params: {
      /** The ID of the list. */
      readonly price_list_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** The file as text, with all entries that the list has from then on. */
      readonly csv: string;
      /** From this time on; null for now. */
      readonly valid_from: string | null;
      /** The version of all price lists, from the preview. */
      readonly version: string;
    };
    readonly answer: {
      /** How many entries are added. */
      readonly added: number;
      /** How many entries are changed. */
      readonly changed: number;
      /** How many entries are removed. */
      readonly removed: number;
      /** How many entries stay as they are. */
      readonly unchanged: number;
      /** The new version; null if the list says that already. */
      readonly number: number | null;
      /** From when it is in force. */
      readonly valid_from: string;
    };
  };
  /** Import routes. */
  readonly importRoutes: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** The file as text. */
      readonly csv: string;
      /** Whether routes that it lacks are removed. */
      readonly remove_missing: boolean;
      /** The version of all routes, which changes with every update. */
      readonly version: string;
    };
    readonly answer: {
      /** How many routes are added. */
      readonly added: number;
      /** How many routes are changed. */
      readonly changed: number;
      /** How many routes are removed. */
      readonly removed: number;
      /** How many routes stay as they are. */
      readonly unchanged: number;
      /** The version of all routes, which changes with every update. */
      readonly version: string;
    };
  };
  /** Send an inquiry to the operator. */
  readonly inquirePurchase: {
    readonly params: {
      /** The ID of the purchase. */
      readonly purchase_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** The reason, for the audit log. */
      readonly reason: string;
    };
    readonly answer: {
      /** The answer of the operator. */
      readonly outcome: 'delivered' | 'reversed' | 'refused' | 'pending' | 'not_found' | 'unknown';
      /** The same, and what came of it, in words. */
      readonly words: string;
      readonly purchase: PurchaseDetail;
    };
  };
  /** List accounts. */
  readonly listAccounts: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** All accounts. */
      readonly data: readonly Account[];
      /** Roles that require two-factor authentication. */
      readonly second_factor_roles: readonly Role[];
    };
  };
  /** List alarms. */
  readonly listAlarms: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Alarms;
  };
  /** List alerts. */
  readonly listAlerts: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Alerts;
  };
  /** List audit log entries. */
  readonly listAudit: {
    readonly params: undefined;
    readonly query: {
      /** Cursor: `next` of the previous page. */
      readonly before?: string;
      /** What to sort by. Default: `at`. */
      readonly sort?: 'at' | 'actor' | 'action' | 'subject';
      /** The direction. Default: `desc`. */
      readonly order?: 'asc' | 'desc';
      /** Return only entries about this object, by its ID. */
      readonly subject?: string;
      /** Return only entries of the account with this name. */
      readonly actor?: string;
      /** Return only entries of this action. */
      readonly action?: string;
      /** Return only entries from this time on. A date (00:00 UTC), or a date and time. */
      readonly from?: string;
      /** Return only entries before this time. */
      readonly to?: string;
    };
    readonly body: undefined;
    readonly answer: {
      /** Up to 100 entries, in this order. */
      readonly data: readonly AuditEntry[];
      /** Send it as `before` for the next page; null on the last page. */
      readonly next: string | null;
    };
  };
  /** List the people of the audit log. */
  readonly listAuditActors: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** The names, sorted. */
      readonly data: readonly string[];
    };
  };
  /** List the months that can be billed. */
  readonly listBilledMonths: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** The newest first. */
      readonly data: readonly BilledMonth[];
    };
  };
  /** List categories. */
  readonly listCategories: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** The categories. */
      readonly data: readonly {
        /** The ID of the category. */
        readonly id: number;
        /** The name of the category. */
        readonly name: string;
        /** How many products it has. */
        readonly products: number;
      }[];
    };
  };
  /** List messages of a webhook. */
  readonly listClientMessages: {
    readonly params: {
      /** The ID of the client. */
      readonly client_id: string;
      /** The ID of the endpoint. */
      readonly endpoint_id: string;
    };
    readonly query: {
      /** Return only messages in this state. */
      readonly state?: 'waiting' | 'delivered' | 'failed';
      /** Cursor: `next` of the previous page. */
      readonly before?: string;
      /** Items per page, 1 to 100. Default: 50. */
      readonly limit?: string;
    };
    readonly body: undefined;
    readonly answer: {
      /** The messages of the page. */
      readonly data: readonly WebhookMessage[];
      /** Send it as `before` for the next page; null on the last page. */
      readonly next: string | null;
    };
  };
  /** List notes about a client. */
  readonly listClientNotes: {
    readonly params: {
      /** The ID of the client. */
      readonly client_id: string;
    };
    readonly query: {
      /** Cursor: `next` of the previous page. */
      readonly before?: string;
      /** Items per page, 1 to 100. Default: 50. */
      readonly limit?: string;
    };
    readonly body: undefined;
    readonly answer: {
      /** The notes of the page. */
      readonly data: readonly ClientNote[];
      /** Send it as `before` for the next page; null on the last page. */
      readonly next: string | null;
    };
  };
  /** List a client's webhooks. */
  readonly listClientWebhooks: {
    readonly params: {
      /** The ID of the client. */
      readonly client_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** The endpoints. */
      readonly data: readonly Webhook[];
    };
  };
  /** List clients. */
  readonly listClients: {
    readonly params: undefined;
    readonly query: {
      /** Part of the name, or the ID. */
      readonly search?: string;
      /** `suspended`: all its requests are refused. */
      readonly status?: 'active' | 'suspended';
      /** `true`: only clients with a low balance. */
      readonly low?: 'true' | 'false';
      /** Only test clients, or only others. */
      readonly test?: 'true' | 'false';
      /** What to sort by. Default: `created`. */
      readonly sort?: 'created' | 'name' | 'available' | 'held';
      /** The direction. Default: `desc`. */
      readonly order?: 'asc' | 'desc';
      /** Cursor: `next` of the previous page. */
      readonly before?: string;
      /** Items per page, 1 to 100. Default: 50. */
      readonly limit?: string;
    };
    readonly body: undefined;
    readonly answer: {
      /** The clients of the page. */
      readonly data: readonly Client[];
      /** All clients that match, on every page. */
      readonly totals: {
        /** How many there are. */
        readonly clients: number;
        /** What they can spend together. */
        readonly available: number;
        /** What is held for their purchases. */
        readonly held: number;
      };
      /** Send it as `before` for the next page; null on the last page. */
      readonly next: string | null;
    };
  };
  /** List the floats of all suppliers. */
  readonly listFloats: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** All of them. */
      readonly data: readonly Float[];
    };
  };
  /** List the invoices. */
  readonly listInvoices: {
    readonly params: undefined;
    readonly query: {
      /** Only those of this client. */
      readonly client_id?: string;
      /** Only those of this month. */
      readonly month?: string;
      /** Cursor: `next` of the previous page. */
      readonly before?: string;
      /** Items per page, 1 to 100. Default: 50. */
      readonly limit?: string;
    };
    readonly body: undefined;
    readonly answer: {
      /** The invoices of the page. */
      readonly data: readonly Invoice[];
      /** Send it as `before` for the next page; null on the last page. */
      readonly next: string | null;
    };
  };
  /** List credential changes. */
  readonly listMyNotices: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** The changes, newest first. */
      readonly data: readonly CredentialNotice[];
    };
  };
  /** List your passkeys. */
  readonly listMyPasskeys: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Passkeys;
  };
  /** List your sessions. */
  readonly listMySessions: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** Your sessions. */
      readonly data: readonly Session[];
    };
  };
  /** List the connectors that an operator can have. */
  readonly listOperatorConnectors: {
    readonly params: {
      /** The ID of the operator or supplier. */
      readonly operator_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** The connectors. */
      readonly data: readonly Connector[];
    };
  };
  /** List operators. */
  readonly listOperators: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** All of them. */
      readonly data: readonly Operator[];
    };
  };
  /** List price changes. */
  readonly listPriceChanges: {
    readonly params: undefined;
    readonly query: {
      /** Cursor: `next` of the previous page. */
      readonly before?: string;
      /** Items per page, 1 to 100. Default: 50. */
      readonly limit?: string;
    };
    readonly body: undefined;
    readonly answer: {
      /** The price changes. */
      readonly data: readonly PriceChange[];
      /** Send it as `before` for the next page; null on the last page. */
      readonly next: string | null;
    };
  };
  /** List the price lists. */
  readonly listPriceLists: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** The lists, by their IDs. */
      readonly data: readonly PriceList[];
    };
  };
  /** List the price changes of a product. */
  readonly listProductPrices: {
    readonly params: {
      /** The ID of the product. */
      readonly product_id: string;
    };
    readonly query: {
      /** Cursor: `next` of the previous page. */
      readonly before?: string;
      /** Items per page, 1 to 100. Default: 50. */
      readonly limit?: string;
    };
    readonly body: undefined;
    readonly answer: {
      /** The price changes. */
      readonly data: readonly ProductPrices[];
      /** Send it as `before` for the next page; null on the last page. */
      readonly next: string | null;
    };
  };
  /** List products. */
  readonly listProducts: {
    readonly params: undefined;
    readonly query: {
      /** Part of a name, an ID, or part of a SKU. */
      readonly search?: string;
      /** Return only products of this operator. */
      readonly operator_id?: string;
      /** Return only products of this category. */
      readonly category_id?: string;
      /** Return only products of this type. */
      readonly type?: 'cell_internet' | 'cell_direct_charge' | 'td_lte_internet';
      /** Return only products for this SIM type. */
      readonly sim_card_type?: 'credit' | 'permanent';
      /** `1`: on sale. `0`: disabled. */
      readonly on?: '1' | '0';
      /** Return only products with this price or a higher one. */
      readonly price_from?: string;
      /** Return only products with this price or a lower one. */
      readonly price_to?: string;
      /** Sort key. Default: `id`. */
      readonly sort?:
        | 'id'
        | 'name'
        | 'name_en'
        | 'operator_id'
        | 'type'
        | 'price'
        | 'period'
        | 'updated_at';
      /** Sort direction. Default: `asc`. */
      readonly order?: 'asc' | 'desc';
      /** Page number, from 1. */
      readonly page?: string;
      /** Products per page, 1 to 100. Default: 50. */
      readonly limit?: string;
    };
    readonly body: undefined;
    readonly answer: {
      /** The products of the page. */
      readonly data: readonly Product[];
      /** Number of products on all pages. */
      readonly total: number;
      /** The version of the catalogue, which changes with every update. */
      readonly version: string;
    };
  };
  /** List the versions of a route. */
  readonly listRouteVersions: {
    readonly params: {
      /** The ID of the route. */
      readonly route_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** The versions. */
      readonly data: readonly RouteVersion[];
    };
  };
  /** List the routes. */
  readonly listRoutes: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      /** The routes, by their IDs. */
      readonly data: readonly Route[];
      /** The version of all routes, which changes with every update. */
      readonly version: string;
    };
  };
  /** Make the invoices of a month. */
  readonly makeInvoices: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** A month that has ended. */
      readonly month: string;
      /** Only for this client; null for all. */
      readonly client_id: string | null;
    };
    readonly answer: {
      /** The new ones. */
      readonly made: readonly Invoice[];
      /** How many there were before. */
      readonly existed: number;
      /** Clients whose earlier month has no invoice, or whose later month has. */
      readonly out_of_order: readonly string[];
    };
  };
  /** Preview an import. */
  readonly previewImport: {
    readonly params: undefined;
    readonly query: {
      /** The format of the file. */
      readonly format?: 'csv' | 'json';
      /** `1`: remove products that are not in the file. */
      readonly remove_missing?: '0' | '1';
    };
    readonly body: unknown;
    readonly answer: undefined;
  };
  /** Preview an import of entries. */
  readonly previewPriceListImport: {
    readonly params: {
      /** The ID of the list. */
      readonly price_list_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** The file as text, with all entries that the list has from then on. */
      readonly csv: string;
      /** From this time on; null for now. */
      readonly valid_from: string | null;
    };
    readonly answer: PriceListPreview;
  };
  /** Preview a price change. */
  readonly previewPrices: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      readonly which: PriceScope;
      readonly change: PriceUpdate;
      /** The prices to change. Default: `price`. A price that is null stays null. */
      readonly fields?: readonly ('price' | 'second_price' | 'showable_price')[];
      /** Round half up to a multiple of this. Default: 1. */
      readonly round_to?: 1 | 10 | 100 | 1000 | 10000;
    };
    readonly answer: PricePreview;
  };
  /** Preview a decision. */
  readonly previewResolution: {
    readonly params: {
      /** The ID of the purchase. */
      readonly purchase_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** `succeeded`: it was delivered. `failed`: it was not. */
      readonly verdict: 'succeeded' | 'failed';
    };
    readonly answer: {
      /** The evidence for and against the decision. */
      readonly evidence: readonly {
        readonly says: 'delivered' | 'taken_back' | 'not_delivered' | 'nothing';
        readonly fact: Fact;
      }[];
      /** Whether the evidence contradicts the decision, so that it needs `force`. */
      readonly contradicted: boolean;
      readonly money: MoneyEffect;
      /** Send it with the decision. */
      readonly version: string;
    };
  };
  /** Preview a revert. */
  readonly previewRevert: {
    readonly params: {
      /** The ID of the price change. */
      readonly change_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: RevertPreview;
  };
  /** Preview an import of routes. */
  readonly previewRouteImport: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** The file as text. */
      readonly csv: string;
      /** Whether routes that it lacks are removed. */
      readonly remove_missing: boolean;
    };
    readonly answer: RouteImportPreview;
  };
  /** Confirm your identity. */
  readonly proveMe: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** The current password. */
      readonly password?: string;
      /** The six digits of the authenticator app, or a recovery code. */
      readonly code?: string;
    };
    readonly answer: undefined;
  };
  /** Record a top-up or a correction. */
  readonly recordFloatEntry: {
    readonly params: {
      /** The ID of the operator or supplier. */
      readonly operator_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** Money that was sent, or a correction. */
      readonly kind: 'top_up' | 'correction';
      /** What is added. A correction may be negative. */
      readonly amount: number;
      /** The reference of the transfer. */
      readonly reference?: string;
      /** The reason, also for the audit log. */
      readonly reason: string;
      readonly key: ActionKey;
    };
    readonly answer: FloatEntry;
  };
  /** Remove a passkey. */
  readonly removeMyPasskey: {
    readonly params: {
      /** The ID of the passkey. */
      readonly passkey_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** The current password. */
      readonly password: string;
    };
    readonly answer: undefined;
  };
  /** Turn two-factor authentication off. */
  readonly removeMyTotp: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** The current password. */
      readonly password: string;
    };
    readonly answer: undefined;
  };
  /** Reset the settings of an operator. */
  readonly removeOperatorSettings: {
    readonly params: {
      /** The ID of the operator or supplier. */
      readonly operator_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: OperatorDetail;
  };
  /** Remove a price list. */
  readonly removePriceList: {
    readonly params: {
      /** The ID of the list. */
      readonly price_list_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** Remove a version that has not begun. */
  readonly removePriceListVersion: {
    readonly params: {
      /** The ID of the list. */
      readonly price_list_id: string;
      /** The number of the version. */
      readonly number: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** Remove a route. */
  readonly removeRoute: {
    readonly params: {
      /** The ID of the route. */
      readonly route_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** Remove a supplier. */
  readonly removeSupplier: {
    readonly params: {
      /** The ID of the supplier. */
      readonly operator_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** Resend a message. */
  readonly replayClientMessage: {
    readonly params: {
      /** The ID of the client. */
      readonly client_id: string;
      /** The ID of the endpoint. */
      readonly endpoint_id: string;
      /** The ID of the message. */
      readonly message_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: WebhookMessage;
  };
  /** Remove all passkeys of an account. */
  readonly resetPasskeys: {
    readonly params: {
      /** The ID of the account. */
      readonly account_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** Reset two-factor authentication. */
  readonly resetTotp: {
    readonly params: {
      /** The ID of the account. */
      readonly account_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** Decide a purchase. */
  readonly resolvePurchase: {
    readonly params: {
      /** The ID of the purchase. */
      readonly purchase_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** `succeeded`: it was delivered. `failed`: it was not. */
      readonly verdict: 'succeeded' | 'failed';
      /** The reason, for the audit log. */
      readonly reason: string;
      /** Decide even against the evidence. */
      readonly force?: boolean;
      /** The `version` of the preview. */
      readonly version: string;
    };
    readonly answer: {
      readonly money: MoneyEffect;
      /** Whether the decision was made against the evidence. */
      readonly forced: boolean;
      readonly purchase: PurchaseDetail;
    };
  };
  /** Resume an operator. */
  readonly resumeOperator: {
    readonly params: {
      /** The ID of the operator or supplier. */
      readonly operator_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Operator;
  };
  /** Revert a price change. */
  readonly revertPrices: {
    readonly params: {
      /** The ID of the price change. */
      readonly change_id: string;
    };
    readonly query: undefined;
    readonly body: {
      readonly key: ActionKey;
    };
    readonly answer: RevertResult;
  };
  /** Revoke a token. */
  readonly revokeToken: {
    readonly params: {
      /** The ID of the client. */
      readonly client_id: string;
      /** The ID of the token. */
      readonly token_id: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Token;
  };
  /** Rotate the signing secret of alarms. */
  readonly rotateAlarmSecret: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: AlarmSecret;
  };
  /** Rotate a token. */
  readonly rotateToken: {
    readonly params: {
      /** The ID of the client. */
      readonly client_id: string;
      /** The ID of the token. */
      readonly token_id: string;
    };
    readonly query: undefined;
    readonly body: {
      readonly key: ActionKey;
      /** For how many hours both tokens work. */
      readonly overlap_hours: number;
      /** When the new token expires. Default: as the old token. A time such as 2027-01-31T00:00:00Z; null for never. */
      readonly expires_at?: string | null;
    };
    readonly answer: {
      /** The ID of the token. */
      readonly token_id: string;
      /** The token. It is shown only in this response. */
      readonly token: string;
      /** When the old token expires. */
      readonly old_expires_at: string;
    };
  };
  /** Search purchases. */
  readonly searchPurchases: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** An ID, idempotency key, tracking code or mobile number. They are tried in this order, and the first match counts. */
      readonly q?: string;
      /** Return only purchases for this mobile number. The country prefix is optional, and Persian digits are accepted. */
      readonly number?: string;
      /** Return only purchases with this idempotency key. */
      readonly key?: string;
      /** Return only purchases with this tracking code. */
      readonly code?: string;
      /** Return only the purchase with this ID. */
      readonly id?: string;
      /** Return only purchases of this client. */
      readonly client_id?: string;
      /** Return only purchases in this state. `open` means `submitted` or `unknown`. */
      readonly state?:
        | 'refused'
        | 'submitted'
        | 'unknown'
        | 'review'
        | 'succeeded'
        | 'failed'
        | 'reversed'
        | 'open';
      /** `1`: return only purchases that need review. */
      readonly needs_person?: '0' | '1';
      /** `1`: return only purchases whose recorded outcome is contradicted. */
      readonly disputed?: '0' | '1';
      /** Return only purchases from this operator. */
      readonly operator_id?: string;
      /** Return only purchases of this product. */
      readonly product_id?: string;
      /** Return only purchases of products of this type. Removed products have none any more. */
      readonly type?: 'cell_internet' | 'cell_direct_charge' | 'td_lte_internet';
      /** Return only purchases with this code as their reason. */
      readonly reason?: string;
      /** Return only purchases of this amount or more. */
      readonly min_amount?: string;
      /** Return only purchases of this amount or less. */
      readonly max_amount?: string;
      /** Test clients. Default: `hide`; `show` if one is named. */
      readonly test?: 'hide' | 'show' | 'only';
      /** Return only purchases that began from this time on. A date (00:00 UTC), or a date and time. */
      readonly from?: string;
      /** Return only purchases that began before this time. */
      readonly to?: string;
      /** Cursor: `next` of the previous page. */
      readonly before?: string;
      /** Purchases per page, 1 to 100. Default: 50. */
      readonly limit?: string;
      /** Which come first. Default: `newest`. */
      readonly order?: 'newest' | 'oldest';
    };
    readonly answer: {
      /** The purchases of the page. */
      readonly data: readonly Purchase[];
      /** Send it as `before` for the next page; null on the last page. */
      readonly next: string | null;
    };
  };
  /** Confirm credential changes. */
  readonly seeMyNotices: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** The ID of the newest change that you have seen. */
      readonly id: string;
    };
    readonly answer: undefined;
  };
  /** Send a two-factor code. */
  readonly sendCode: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** The six digits of the authenticator app, or a recovery code. */
      readonly code: string;
    };
    readonly answer: SignInResult;
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
    readonly answer: SignInResult;
  };
  /** Update a client's contact. */
  readonly setClientContact: {
    readonly params: {
      /** The ID of the client. */
      readonly client_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** Whom to ask for. Empty if it is not known. */
      readonly name: string;
      /** The e-mail address. Empty if it is not known. */
      readonly email: string;
      /** The phone number, as people write it. Empty if it is not known. */
      readonly phone: string;
      /** Anything else, such as the contract. Empty if it is not known. */
      readonly about: string;
      /** The name on invoices, if it is not that of the client. Empty if it is not known. */
      readonly legal_name?: string;
      /** The number for taxes, on invoices. Empty if it is not known. */
      readonly tax_number?: string;
      /** The address on invoices. Empty if it is not known. */
      readonly address?: string;
    };
    readonly answer: ClientContact;
  };
  /** Update a client's credit limit. */
  readonly setClientCredit: {
    readonly params: {
      /** The ID of the client. */
      readonly client_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** The new limit. A client that uses more cannot buy until it has paid. */
      readonly credit_limit: number;
      /** The limit that you loaded. */
      readonly seen: number;
      /** The reason, for the audit log. */
      readonly reason: string;
    };
    readonly answer: Credit;
  };
  /** Update a client's rules. */
  readonly setClientRules: {
    readonly params: {
      /** The ID of the client. */
      readonly client_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** The IDs of the products it can buy; null for all. */
      readonly products: readonly number[] | null;
      /** The IDs of the operators whose products it can buy; null for all. */
      readonly operators: readonly number[] | null;
      /** For how many seconds an equal purchase for the same number is refused as a likely duplicate; null for never. */
      readonly repeat_seconds: number | null;
      /** The limit per business day; null for none. */
      readonly daily_limit: number | null;
      /** The HTTP status of a pending purchase. */
      readonly pending_status: 202 | 409;
      /** The `rules_version` that you loaded. */
      readonly version: string;
    };
    readonly answer: ClientDetail;
  };
  /** Set one entry of a price list. */
  readonly setPriceEntry: {
    readonly params: {
      /** The ID of the list. */
      readonly price_list_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** For this product; null for any. The others are null then. */
      readonly product_id: number | null;
      /** For products of this category; null for any. */
      readonly category_id: number | null;
      /** For products of this operator; null for any. */
      readonly operator_id: number | null;
      /** For products of this type; null for any. */
      readonly product_type: 'cell_internet' | 'cell_direct_charge' | 'td_lte_internet' | null;
      /** `4%` or an amount such as `500`; null removes the entry. */
      readonly commission: string | null;
      /** From this time on; null for now. */
      readonly valid_from: string | null;
    };
    readonly answer: PriceListChange;
  };
  /** Set a password with a setup link. */
  readonly setUp: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** The part of the link after `#`. */
      readonly token: string;
      /** A new password of 12 to 256 characters. */
      readonly password: string;
    };
    readonly answer: SignInResult;
  };
  /** Sign in. */
  readonly signIn: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** The name of the account. Case does not matter. */
      readonly name: string;
      /** The current password. */
      readonly password: string;
    };
    readonly answer: SignInResult;
  };
  /** Sign out. */
  readonly signOut: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** Add up purchases. */
  readonly sumPurchases: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** An ID, idempotency key, tracking code or mobile number. They are tried in this order, and the first match counts. */
      readonly q?: string;
      /** Return only purchases for this mobile number. The country prefix is optional, and Persian digits are accepted. */
      readonly number?: string;
      /** Return only purchases with this idempotency key. */
      readonly key?: string;
      /** Return only purchases with this tracking code. */
      readonly code?: string;
      /** Return only the purchase with this ID. */
      readonly id?: string;
      /** Return only purchases of this client. */
      readonly client_id?: string;
      /** Return only purchases in this state. `open` means `submitted` or `unknown`. */
      readonly state?:
        | 'refused'
        | 'submitted'
        | 'unknown'
        | 'review'
        | 'succeeded'
        | 'failed'
        | 'reversed'
        | 'open';
      /** `1`: return only purchases that need review. */
      readonly needs_person?: '0' | '1';
      /** `1`: return only purchases whose recorded outcome is contradicted. */
      readonly disputed?: '0' | '1';
      /** Return only purchases from this operator. */
      readonly operator_id?: string;
      /** Return only purchases of this product. */
      readonly product_id?: string;
      /** Return only purchases of products of this type. Removed products have none any more. */
      readonly type?: 'cell_internet' | 'cell_direct_charge' | 'td_lte_internet';
      /** Return only purchases with this code as their reason. */
      readonly reason?: string;
      /** Return only purchases of this amount or more. */
      readonly min_amount?: string;
      /** Return only purchases of this amount or less. */
      readonly max_amount?: string;
      /** Test clients. Default: `hide`; `show` if one is named. */
      readonly test?: 'hide' | 'show' | 'only';
      /** Return only purchases that began from this time on. A date (00:00 UTC), or a date and time. */
      readonly from?: string;
      /** Return only purchases that began before this time. */
      readonly to?: string;
    };
    readonly answer: {
      /** How many purchases match. */
      readonly count: number;
      /** Their amounts, added up. */
      readonly amount: number;
      /** Whether all purchases were examined. */
      readonly complete: boolean;
    };
  };
  /** Suspend an operator. */
  readonly suspendOperator: {
    readonly params: {
      /** The ID of the operator or supplier. */
      readonly operator_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** The reason. */
      readonly reason: string;
    };
    readonly answer: Operator;
  };
  /** Enable or disable products. */
  readonly switchProducts: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** The IDs of the products. */
      readonly product_ids: readonly number[];
      /** Whether it is on sale. Disabled products are listed but cannot be bought. */
      readonly on: boolean;
    };
    readonly answer: CatalogueChange;
  };
  /** Send a test message. */
  readonly testAlarms: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: AlarmTests;
  };
  /** Trust an operator again. */
  readonly trustOperator: {
    readonly params: {
      /** The ID of the operator or supplier. */
      readonly operator_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** The reason. */
      readonly reason: string;
    };
    readonly answer: Operator;
  };
  /** Show the mobile number. */
  readonly unmaskPurchase: {
    readonly params: {
      /** The ID of the purchase. */
      readonly purchase_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** The reason, for the audit log. */
      readonly reason: string;
    };
    readonly answer: {
      /** The full mobile number. */
      readonly mobile: string;
    };
  };
  /** Update an account. */
  readonly updateAccount: {
    readonly params: {
      /** The ID of the account. */
      readonly account_id: string;
    };
    readonly query: undefined;
    readonly body: {
      readonly role?: Role;
      /** `disabled`: it cannot sign in. */
      readonly status?: 'active' | 'disabled';
    };
    readonly answer: Account;
  };
  /** Update the settings of alarms. */
  readonly updateAlarmSettings: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** Which alarms are sent. `operator_down`: an operator or supplier is down. `failures`: many purchases fail. `review`: purchases need review. `low_balance`: a client has less than `low_balance_below` of the settings. */
      readonly kinds?: readonly (
        | 'operator_down'
        | 'failures'
        | 'review'
        | 'low_balance'
        | 'credit_used_up'
        | 'float_approaching'
        | 'float_low'
        | 'float_empty'
        | 'margin_below_zero'
      )[];
      /** From how many purchases in review an alarm is raised. */
      readonly review_at_least?: number;
      /** The least time between two messages. Changes in between share the next message. */
      readonly pause_minutes?: number;
      /** Where alarms are sent by webhook; null: nowhere. */
      readonly webhook_url?: string | null;
      /** The mail server; null: no mails are sent. */
      readonly mail?: {
        /** The host name or address of the mail server. */
        readonly host: string;
        /** Its port: 465, 587 or 25. */
        readonly port: number;
        /** `tls`: encrypted from the first byte. `starttls`: encrypted before anything is sent. `none`: only within `alarms.allowedNetworks`. */
        readonly security: 'tls' | 'starttls' | 'none';
        /** The user name; empty if the server requires none. */
        readonly user: string;
        /** The sender. */
        readonly from: string;
        /** The recipients. */
        readonly to: readonly string[];
        /** The language of the mails. */
        readonly language: 'en' | 'fa';
        /** Left out: it stays, if host, port, security and user do. Empty: it is deleted. */
        readonly password?: string;
      } | null;
    };
    readonly answer: ChangedAlarmSettings;
  };
  /** Update a client. */
  readonly updateClient: {
    readonly params: {
      /** The ID of the client. */
      readonly client_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** The name of the client. It need not be unique. */
      readonly name?: string;
      /** `suspended`: all its requests are refused. */
      readonly status?: 'active' | 'suspended';
    };
    readonly answer: ClientDetail;
  };
  /** Enable or disable a webhook. */
  readonly updateClientWebhook: {
    readonly params: {
      /** The ID of the client. */
      readonly client_id: string;
      /** The ID of the endpoint. */
      readonly endpoint_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** The new status. */
      readonly status: 'active' | 'disabled';
    };
    readonly answer: Webhook;
  };
  /** Update the faults of a simulated operator. */
  readonly updateOperatorFaults: {
    readonly params: {
      /** The ID of the operator or supplier. */
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
    readonly answer: Faults;
  };
  /** Update the settings of an operator. */
  readonly updateOperatorSettings: {
    readonly params: {
      /** The ID of the operator or supplier. */
      readonly operator_id: string;
    };
    readonly query: undefined;
    readonly body: {
      /** The name of a connector of the list, to choose another. Its secrets must be sent. */
      readonly connector?: string;
      /** The values, by the names in `schema`. */
      readonly settings: Readonly<Record<string, unknown>>;
      /** The `version` of the settings that you loaded. */
      readonly version: string;
    };
    readonly answer: OperatorDetail;
  };
  /** Change prices. */
  readonly updatePrices: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      readonly which: PriceScope;
      readonly change: PriceUpdate;
      /** The prices to change. Default: `price`. A price that is null stays null. */
      readonly fields?: readonly ('price' | 'second_price' | 'showable_price')[];
      /** Round half up to a multiple of this. Default: 1. */
      readonly round_to?: 1 | 10 | 100 | 1000 | 10000;
      /** The `digest` of the preview. */
      readonly digest: string;
    };
    readonly answer: PriceChangeResult;
  };
  /** Change a product. */
  readonly updateProduct: {
    readonly params: {
      /** The ID of the product. */
      readonly product_id: string;
    };
    readonly query: undefined;
    readonly body: {
      readonly fields: ProductFields;
      /** Changes whenever the product does. Send it with your change of the product. */
      readonly revision: string;
      readonly key: ActionKey;
    };
    readonly answer: SavedProduct;
  };
  /** Update settings of the console. */
  readonly updateSettings: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: {
      /** The name at the top of every page. */
      readonly company_name?: string;
      /** A client that can spend less than this is shown as low. */
      readonly low_balance_below?: number;
      /** The currency of all amounts; null if none is set. */
      readonly currency?: Currency | null;
      /** The business time zone, as an IANA name: of displayed times, of daily limits and of days in charts. */
      readonly time_zone?: string;
      readonly invoices?: InvoiceSettings;
    };
    readonly answer: ConsoleSettings;
  };
  /** Stream the overview. */
  readonly watchOverview: {
    readonly params: undefined;
    readonly query: {
      /** The period, in business days. Default: `today`. */
      readonly span?: 'today' | 'yesterday' | 'last_7_days' | 'last_30_days';
    };
    readonly body: undefined;
    readonly answer: undefined;
  };
};

/** Where each is found. */
export const places = {
  addClientNote: { method: 'POST', path: '/admin/api/clients/{client_id}/notes' },
  addMyPasskey: { method: 'POST', path: '/admin/api/me/passkeys' },
  assignPriceList: { method: 'PUT', path: '/admin/api/clients/{client_id}/price-list' },
  beginMyPasskey: { method: 'POST', path: '/admin/api/me/passkeys/options' },
  beginMyTotp: { method: 'POST', path: '/admin/api/me/totp' },
  beginPasskeySignIn: { method: 'POST', path: '/admin/api/login/passkey/options' },
  changeMyPassword: { method: 'POST', path: '/admin/api/me/password' },
  changePriceList: { method: 'PATCH', path: '/admin/api/price-lists/{price_list_id}' },
  changeRoute: { method: 'PATCH', path: '/admin/api/routes/{route_id}' },
  changeSupplier: { method: 'PATCH', path: '/admin/api/suppliers/{operator_id}' },
  checkOperator: { method: 'POST', path: '/admin/api/operators/{operator_id}/check' },
  confirmMyTotp: { method: 'POST', path: '/admin/api/me/totp/confirm' },
  correctBalance: { method: 'POST', path: '/admin/api/clients/{client_id}/corrections' },
  countClientOutcomes: { method: 'GET', path: '/admin/api/clients/{client_id}/outcomes' },
  createAccount: { method: 'POST', path: '/admin/api/accounts' },
  createClient: { method: 'POST', path: '/admin/api/clients' },
  createMyRecoveryCodes: { method: 'POST', path: '/admin/api/me/recovery-codes' },
  createPriceList: { method: 'POST', path: '/admin/api/price-lists' },
  createProduct: { method: 'POST', path: '/admin/api/catalogue/products' },
  createRoute: { method: 'POST', path: '/admin/api/routes' },
  createSetup: { method: 'POST', path: '/admin/api/accounts/{account_id}/setup' },
  createSupplier: { method: 'POST', path: '/admin/api/suppliers' },
  createToken: { method: 'POST', path: '/admin/api/clients/{client_id}/tokens' },
  creditInvoice: { method: 'POST', path: '/admin/api/invoices/{number}/credit-notes' },
  depositMoney: { method: 'POST', path: '/admin/api/clients/{client_id}/deposits' },
  endMyOtherSessions: { method: 'DELETE', path: '/admin/api/me/sessions' },
  endMySession: { method: 'DELETE', path: '/admin/api/me/sessions/{session_id}' },
  endSessions: { method: 'DELETE', path: '/admin/api/accounts/{account_id}/sessions' },
  explainPrice: { method: 'GET', path: '/admin/api/price-lists/explain' },
  explainRoutes: { method: 'GET', path: '/admin/api/routes/explain' },
  exportAudit: { method: 'GET', path: '/admin/api/audit.csv' },
  exportCatalogue: { method: 'GET', path: '/admin/api/catalogue/export' },
  exportClientStatement: { method: 'GET', path: '/admin/api/clients/{client_id}/statement.csv' },
  exportClients: { method: 'GET', path: '/admin/api/clients.csv' },
  exportInvoice: { method: 'GET', path: '/admin/api/invoices/{number}/lines.csv' },
  exportPriceList: { method: 'GET', path: '/admin/api/price-lists/{price_list_id}/entries.csv' },
  exportPurchases: { method: 'POST', path: '/admin/api/purchases/export' },
  exportRoutes: { method: 'GET', path: '/admin/api/routes.csv' },
  exportSales: { method: 'GET', path: '/admin/api/sales.csv' },
  exportSalesAsXlsx: { method: 'GET', path: '/admin/api/sales.xlsx' },
  getAlarmSettings: { method: 'GET', path: '/admin/api/alarms/settings' },
  getClient: { method: 'GET', path: '/admin/api/clients/{client_id}' },
  getClientContact: { method: 'GET', path: '/admin/api/clients/{client_id}/contact' },
  getClientMessage: {
    method: 'GET',
    path: '/admin/api/clients/{client_id}/webhooks/{endpoint_id}/messages/{message_id}',
  },
  getClientPriceList: { method: 'GET', path: '/admin/api/clients/{client_id}/price-list' },
  getClientStatement: { method: 'GET', path: '/admin/api/clients/{client_id}/statement' },
  getCompany: { method: 'GET', path: '/admin/api/company' },
  getFactors: { method: 'GET', path: '/admin/api/login/factors' },
  getFloat: { method: 'GET', path: '/admin/api/operators/{operator_id}/float' },
  getInvoice: { method: 'GET', path: '/admin/api/invoices/{number}' },
  getMe: { method: 'GET', path: '/admin/api/me' },
  getOperator: { method: 'GET', path: '/admin/api/operators/{operator_id}' },
  getOperatorFaults: { method: 'GET', path: '/admin/api/operators/{operator_id}/faults' },
  getOverview: { method: 'GET', path: '/admin/api/overview' },
  getPriceChange: { method: 'GET', path: '/admin/api/catalogue/price-changes/{change_id}' },
  getPriceList: { method: 'GET', path: '/admin/api/price-lists/{price_list_id}' },
  getProduct: { method: 'GET', path: '/admin/api/catalogue/products/{product_id}' },
  getPurchase: { method: 'GET', path: '/admin/api/purchases/{purchase_id}' },
  getSales: { method: 'GET', path: '/admin/api/sales' },
  getSalesOverview: { method: 'GET', path: '/admin/api/sales/overview' },
  getSettings: { method: 'GET', path: '/admin/api/settings' },
  getSetup: { method: 'GET', path: '/admin/api/overview/setup' },
  importCatalogue: { method: 'POST', path: '/admin/api/catalogue/import' },
  importPriceList: { method: 'POST', path: '/admin/api/price-lists/{price_list_id}/import' },
  importRoutes: { method: 'POST', path: '/admin/api/routes/import' },
  inquirePurchase: { method: 'POST', path: '/admin/api/purchases/{purchase_id}/inquire' },
  listAccounts: { method: 'GET', path: '/admin/api/accounts' },
  listAlarms: { method: 'GET', path: '/admin/api/alarms' },
  listAlerts: { method: 'GET', path: '/admin/api/alerts' },
  listAudit: { method: 'GET', path: '/admin/api/audit' },
  listAuditActors: { method: 'GET', path: '/admin/api/audit/actors' },
  listBilledMonths: { method: 'GET', path: '/admin/api/invoices/months' },
  listCategories: { method: 'GET', path: '/admin/api/catalogue/categories' },
  listClientMessages: {
    method: 'GET',
    path: '/admin/api/clients/{client_id}/webhooks/{endpoint_id}/messages',
  },
  listClientNotes: { method: 'GET', path: '/admin/api/clients/{client_id}/notes' },
  listClientWebhooks: { method: 'GET', path: '/admin/api/clients/{client_id}/webhooks' },
  listClients: { method: 'GET', path: '/admin/api/clients' },
  listFloats: { method: 'GET', path: '/admin/api/floats' },
  listInvoices: { method: 'GET', path: '/admin/api/invoices' },
  listMyNotices: { method: 'GET', path: '/admin/api/me/notices' },
  listMyPasskeys: { method: 'GET', path: '/admin/api/me/passkeys' },
  listMySessions: { method: 'GET', path: '/admin/api/me/sessions' },
  listOperatorConnectors: { method: 'GET', path: '/admin/api/operators/{operator_id}/connectors' },
  listOperators: { method: 'GET', path: '/admin/api/operators' },
  listPriceChanges: { method: 'GET', path: '/admin/api/catalogue/price-changes' },
  listPriceLists: { method: 'GET', path: '/admin/api/price-lists' },
  listProductPrices: { method: 'GET', path: '/admin/api/catalogue/products/{product_id}/prices' },
  listProducts: { method: 'GET', path: '/admin/api/catalogue/products' },
  listRouteVersions: { method: 'GET', path: '/admin/api/routes/{route_id}/versions' },
  listRoutes: { method: 'GET', path: '/admin/api/routes' },
  makeInvoices: { method: 'POST', path: '/admin/api/invoices' },
  previewImport: { method: 'POST', path: '/admin/api/catalogue/import/preview' },
  previewPriceListImport: {
    method: 'POST',
    path: '/admin/api/price-lists/{price_list_id}/import/preview',
  },
  previewPrices: { method: 'POST', path: '/admin/api/catalogue/prices/preview' },
  previewResolution: {
    method: 'POST',
    path: '/admin/api/purchases/{purchase_id}/resolution/preview',
  },
  previewRevert: {
    method: 'POST',
    path: '/admin/api/catalogue/price-changes/{change_id}/revert/preview',
  },
  previewRouteImport: { method: 'POST', path: '/admin/api/routes/import/preview' },
  proveMe: { method: 'POST', path: '/admin/api/me/proof' },
  recordFloatEntry: { method: 'POST', path: '/admin/api/operators/{operator_id}/float/entries' },
  removeMyPasskey: { method: 'DELETE', path: '/admin/api/me/passkeys/{passkey_id}' },
  removeMyTotp: { method: 'DELETE', path: '/admin/api/me/totp' },
  removeOperatorSettings: { method: 'DELETE', path: '/admin/api/operators/{operator_id}/settings' },
  removePriceList: { method: 'DELETE', path: '/admin/api/price-lists/{price_list_id}' },
  removePriceListVersion: {
    method: 'DELETE',
    path: '/admin/api/price-lists/{price_list_id}/versions/{number}',
  },
  removeRoute: { method: 'DELETE', path: '/admin/api/routes/{route_id}' },
  removeSupplier: { method: 'DELETE', path: '/admin/api/suppliers/{operator_id}' },
  replayClientMessage: {
    method: 'POST',
    path: '/admin/api/clients/{client_id}/webhooks/{endpoint_id}/messages/{message_id}/replay',
  },
  resetPasskeys: { method: 'DELETE', path: '/admin/api/accounts/{account_id}/passkeys' },
  resetTotp: { method: 'DELETE', path: '/admin/api/accounts/{account_id}/totp' },
  resolvePurchase: { method: 'POST', path: '/admin/api/purchases/{purchase_id}/resolution' },
  resumeOperator: { method: 'DELETE', path: '/admin/api/operators/{operator_id}/suspension' },
  revertPrices: { method: 'POST', path: '/admin/api/catalogue/price-changes/{change_id}/revert' },
  revokeToken: { method: 'DELETE', path: '/admin/api/clients/{client_id}/tokens/{token_id}' },
  rotateAlarmSecret: { method: 'POST', path: '/admin/api/alarms/webhook-secret' },
  rotateToken: {
    method: 'POST',
    path: '/admin/api/clients/{client_id}/tokens/{token_id}/rotation',
  },
  searchPurchases: { method: 'POST', path: '/admin/api/purchases/search' },
  seeMyNotices: { method: 'POST', path: '/admin/api/me/notices/seen' },
  sendCode: { method: 'POST', path: '/admin/api/login/code' },
  sendPasskey: { method: 'POST', path: '/admin/api/login/passkey' },
  setClientContact: { method: 'PUT', path: '/admin/api/clients/{client_id}/contact' },
  setClientCredit: { method: 'PUT', path: '/admin/api/clients/{client_id}/credit' },
  setClientRules: { method: 'PUT', path: '/admin/api/clients/{client_id}/rules' },
  setPriceEntry: { method: 'POST', path: '/admin/api/price-lists/{price_list_id}/entries' },
  setUp: { method: 'POST', path: '/admin/api/setup' },
  signIn: { method: 'POST', path: '/admin/api/login' },
  signOut: { method: 'POST', path: '/admin/api/logout' },
  sumPurchases: { method: 'POST', path: '/admin/api/purchases/totals' },
  suspendOperator: { method: 'POST', path: '/admin/api/operators/{operator_id}/suspension' },
  switchProducts: { method: 'POST', path: '/admin/api/catalogue/switch' },
  testAlarms: { method: 'POST', path: '/admin/api/alarms/test' },
  trustOperator: { method: 'POST', path: '/admin/api/operators/{operator_id}/trust' },
  unmaskPurchase: { method: 'POST', path: '/admin/api/purchases/{purchase_id}/number' },
  updateAccount: { method: 'PATCH', path: '/admin/api/accounts/{account_id}' },
  updateAlarmSettings: { method: 'PATCH', path: '/admin/api/alarms/settings' },
  updateClient: { method: 'PATCH', path: '/admin/api/clients/{client_id}' },
  updateClientWebhook: {
    method: 'PATCH',
    path: '/admin/api/clients/{client_id}/webhooks/{endpoint_id}',
  },
  updateOperatorFaults: { method: 'PUT', path: '/admin/api/operators/{operator_id}/faults' },
  updateOperatorSettings: { method: 'PUT', path: '/admin/api/operators/{operator_id}/settings' },
  updatePrices: { method: 'POST', path: '/admin/api/catalogue/prices' },
  updateProduct: { method: 'PATCH', path: '/admin/api/catalogue/products/{product_id}' },
  updateSettings: { method: 'PATCH', path: '/admin/api/settings' },
  watchOverview: { method: 'GET', path: '/admin/api/overview/live' },
} as const;
