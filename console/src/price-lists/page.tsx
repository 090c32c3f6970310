/** Routes to the pages of price lists. */
import { Route, Routes } from 'react-router';
import { useMay } from '../session.tsx';
import { NotFound } from '../shell/error-pages.tsx';
import { ImportEntries } from './import.tsx';
import { PriceLists } from './list.tsx';
import { NewVersion } from './new-version.tsx';
import { OnePriceList } from './one.tsx';

export default function PriceListPages() {
  const may = useMay('prices');
  return (
    <Routes>
      <Route index element={<PriceLists />} />
      <Route path=":id" element={<OnePriceList />} />
      <Route path=":id/version" element={may ? <NewVersion /> : <NotFound />} />
      <Route path=":id/import" element={may ? <ImportEntries /> : <NotFound />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
