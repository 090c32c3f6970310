/** Routes to the list of clients or to one client. */
import { Route, Routes } from 'react-router';
import { NotFound } from '../shell/error-pages.tsx';
import { List } from './list.tsx';
import { One } from './one.tsx';

export default function Clients() {
  return (
    <Routes>
      <Route index element={<List />} />
      <Route path=":id" element={<One />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
