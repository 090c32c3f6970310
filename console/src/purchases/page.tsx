/** Routes to the list of purchases or to one purchase. */
import { Route, Routes } from 'react-router';
import { NotFound } from '../shell/error-pages.tsx';
import { List } from './list.tsx';
import { One } from './one.tsx';

export default function Purchases() {
  return (
    <Routes>
      <Route index element={<List />} />
      <Route path=":id" element={<One />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
