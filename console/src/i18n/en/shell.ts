/** Contains the English texts for the app bar, menu and error pages. */
export const shell = {
  title: 'Simgate',
  skip: 'Skip to the content',
  menu: 'Pages',
  openMenu: 'Open the menu',
  closeMenu: 'Close the menu',
  language: 'Language',
  theme: 'Appearance',
  themeSystem: 'As the system',
  themeLight: 'Light',
  themeDark: 'Dark',
  account: 'Account: %{name}',
  ownAccount: 'My account',
  signOut: 'Sign out',
  notFound: 'There is no such page',
  notFoundText: 'The address is not one of the console’s, or your role does not show it.',
  failed: 'Something went wrong',
  failedText:
    'This page could not be shown. Load it again; if it stays so, tell whoever runs the gateway.',
  reload: 'Load again',
} as const;
