/** Shows the console's settings, the running configuration and system information. */
import { AlarmSection } from '../alarms/section.tsx';
import { useRead } from '../api/hooks.ts';
import { HistoryLink } from '../audit/history-link.tsx';
import { DescriptionList } from '../design/data/description-list.tsx';
import { Page } from '../design/page/page.tsx';
import { Section } from '../design/page/section.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { Configuration } from './configuration.tsx';
import { ConsoleSection } from './console-section.tsx';
import { InvoiceSection } from './invoice-section.tsx';
import type { AllSettings } from './setting.ts';

const engines = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

const System = ({ settings }: { readonly settings: AllSettings }) => {
  const say = useText();
  const { bytes } = useFormat();
  const { version, database, node } = settings;
  const ltr = (text: string) => (
    <bdi key={text} dir="ltr">
      {text}
    </bdi>
  );
  return (
    <Section title={say('settings.system')}>
      <DescriptionList
        rows={[
          [say('settings.version'), ltr(version)],
          [say('settings.engine'), ltr(engines[database.engine])],
          [
            say('settings.size'),
            database.size_bytes === null ? say('settings.sizeUnknown') : bytes(database.size_bytes),
          ],
          [say('settings.node'), ltr(node)],
        ]}
      />
    </Section>
  );
};

export default function Settings() {
  const say = useText();
  const read = useRead('getSettings', {});
  const { data } = read;
  return (
    <Page title={say('pages.settings')} actions={<HistoryLink subject="settings" />}>
      <ErrorState error={read.error} retry={() => void read.refetch()} />
      {read.isPending ? <Loading /> : null}
      {data ? (
        <>
          <ConsoleSection settings={data.console} />
          <InvoiceSection settings={data.console} />
          <AlarmSection />
          <System settings={data} />
          <Configuration config={data.config} />
        </>
      ) : null}
    </Page>
  );
}
