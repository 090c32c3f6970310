/** Collects all Persian texts, one entry per area. */
import type { own as english } from '../en/index.ts';
import type { Same } from '../same.ts';
import { accounts } from './accounts.ts';
import { alarms } from './alarms.ts';
import { alerts } from './alerts.ts';
import { audit } from './audit.ts';
import { catalogue } from './catalogue.ts';
import { catalogueImport } from './catalogue-import.ts';
import { cataloguePrices } from './catalogue-prices.ts';
import { catalogueProduct } from './catalogue-product.ts';
import { clientContact } from './client-contact.ts';
import { clientOverview } from './client-overview.ts';
import { clientRules } from './client-rules.ts';
import { clientTokens } from './client-tokens.ts';
import { clientWebhooks } from './client-webhooks.ts';
import { clients } from './clients.ts';
import { common } from './common.ts';
import { errors } from './errors.ts';
import { facts } from './facts.ts';
import { floats } from './floats.ts';
import { gallery } from './gallery.ts';
import { invoices } from './invoices.ts';
import { operatorSettings } from './operator-settings.ts';
import { operators } from './operators.ts';
import { overview } from './overview.ts';
import { ownAccount } from './own-account.ts';
import { pages } from './pages.ts';
import { passkeys } from './passkeys.ts';
import { priceLists } from './price-lists.ts';
import { purchaseWords } from './purchase-words.ts';
import { purchases } from './purchases.ts';
import { question } from './question.ts';
import { roles } from './roles.ts';
import { routing } from './routing.ts';
import { safety } from './safety.ts';
import { sales } from './sales.ts';
import { search } from './search.ts';
import { settings } from './settings.ts';
import { setup } from './setup.ts';
import { shell } from './shell.ts';
import { signIn } from './sign-in.ts';
import { suppliers } from './suppliers.ts';
import { times } from './times.ts';
import { views } from './views.ts';

export const own: Same<typeof english> = {
  accounts,
  alarms,
  alerts,
  audit,
  catalogue,
  catalogueImport,
  cataloguePrices,
  clientContact,
  clientOverview,
  catalogueProduct,
  clientRules,
  clientTokens,
  clientWebhooks,
  clients,
  common,
  errors,
  facts,
  floats,
  gallery,
  invoices,
  overview,
  operatorSettings,
  operators,
  ownAccount,
  pages,
  passkeys,
  priceLists,
  purchaseWords,
  purchases,
  question,
  roles,
  routing,
  safety,
  sales,
  search,
  settings,
  suppliers,
  setup,
  shell,
  signIn,
  times,
  views,
};
