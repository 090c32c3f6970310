/** Routes to the pages of invoices. */
import { Route, Routes } from 'react-router';
import { NotFound } from '../shell/error-pages.tsx';
import { InvoiceList } from './list.tsx';
import { OneInvoice } from './one.tsx';

export default function Invoices() {
  return (
    <Routes>
      <Route index element={<InvoiceList />} />
      <Route path=":number" element={<OneInvoice />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
