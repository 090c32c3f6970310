/** Starts the console: loads the language, then renders the application. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './design/theme/fonts.css';
import { App } from './app.tsx';
import { loadLanguage } from './i18n/languages.ts';
import { preferences } from './preferences.ts';

const start = async (): Promise<void> => {
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no place for the console.');
  const { locale } = preferences();
  const first = await loadLanguage(locale).catch(() => loadLanguage('en'));
  createRoot(root).render(
    <StrictMode>
      <App first={first} />
    </StrictMode>,
  );
};

void start();
