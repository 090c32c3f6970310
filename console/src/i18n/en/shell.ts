/** Contains the English texts for the app bar, menu and error pages. */
export const shell = {
  title: 'Simgate',
  skip: 'Skip to content',
  menu: 'Pages',
  openMenu: 'Open the menu',
  closeMenu: 'Close the menu',
  language: 'Language',
  theme: 'Appearance',
  themeSystem: 'System',
  themeLight: 'Light',
  themeDark: 'Dark',
  account: 'Account: %{name}',
  ownAccount: 'My account',
  signOut: 'Sign out',
  docs: 'Documentation',
  notFound: 'Page not found',
  notFoundText: 'This page does not exist, or your role cannot open it.',
  failed: 'Something went wrong',
  failedText:
    'This page could not be shown. Reload it. If the problem persists, contact your administrator.',
  reload: 'Reload',
} as const;
